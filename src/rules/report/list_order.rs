//! `report/list-order`

use crate::diagnostic::{Severity, in_code};
use crate::rules::names::lists;
use crate::rules::{Check, Findings, ReportContext, Rule};

/// The rule.
pub static RULE: Rule = Rule::warning(
    "report/list-order",
    include_str!("list_order.md"),
    Check::Report(check),
)
.legacy(Severity::Info);

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    for (_, field, list) in lists(cx.report) {
        let pairs = list.items.windows(2);
        let mut unsorted = pairs.filter(|pair| pair[0].value > pair[1].value);
        let Some([before, after]) = unsorted.next() else {
            continue;
        };
        let message = format!(
            "{field} is out of order: `{}` stands after `{}`",
            in_code(&after.value),
            in_code(&before.value)
        );
        let finding = out.at(cx.value(after.node), message);
        if !cx.release.is_legacy() {
            finding.help(format!(
                "the suite sorts its lists since v1.1.0; {}",
                crate::message::Message::from(crate::rules::Remedy::SubmitUnmodified)
            ));
        }
    }
}
