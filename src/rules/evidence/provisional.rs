//! `evidence/provisional`

use super::{EvidenceContext, Text as Labels};
use crate::evidence::Difference;
use crate::rules::{Check, Findings, Remedy, Rule};
use crate::text::message::texts;

/// The rule.
pub static RULE: Rule = Rule::error(
    "evidence/provisional",
    include_str!("provisional.md"),
    Check::Evidence(check),
)
.sources(&["suite: func Report"])
.related(&["report/provisional-contradicts-lists"])
.texts(&[Text::TEMPLATES, Labels::TEMPLATES, Remedy::TEMPLATES]);

texts! {
    enum Text<'a> {
        NotPassed { test: &'a str } => "test {test} is listed as a provisional test that succeeded, but no such test passed in the log",
        Missing { test: &'a str } => "provisional test {test} passed in the log; expected it in `succeededProvisionalTests`",
    }
}

fn check(cx: &EvidenceContext<'_>, out: &mut Findings) {
    for one in &cx.comparison.differences {
        let Difference::Provisional {
            test,
            node,
            is_listed,
            mark,
        } = one
        else {
            continue;
        };
        let finding = match is_listed {
            true => out.at(cx.node(*node), Text::NotPassed { test }),
            false => out.at(cx.node(*node).and(test), Text::Missing { test }),
        };
        cx.point(finding, mark.as_ref(), Labels::InLog);
        finding.help(Remedy::SubmitUnmodified);
    }
}
