use crate::rules::unknown_names::lists;
use crate::rules::{Findings, Remedy, ReportContext, rule};

rule! {
    "list_order.md", ReportContext(check), Text<'a>, Remedy;
    Unsorted { list: &'a str, after: &'a str, before: &'a str } => "{list} is not sorted: {after} follows {before}",
}

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    for (_, field, list) in lists(cx.report) {
        let pairs = list.items.windows(2);
        let mut unsorted = pairs.filter(|pair| pair[0].value > pair[1].value);
        let Some([before, after]) = unsorted.next() else {
            continue;
        };
        let text = Text::Unsorted {
            list: field,
            after: after.value,
            before: before.value,
        };
        let finding = out.at(cx.value(after.node), text);
        // Suites up to v1.0.x did not sort lists.
        if !cx.release.is_legacy() {
            finding.help(Remedy::SubmitUnmodified);
        }
    }
}
