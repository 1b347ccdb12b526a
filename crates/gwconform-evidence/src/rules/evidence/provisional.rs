use super::{EvidenceContext, Text as Labels};
use crate::Difference;
use crate::rules::{Findings, rule};
use gwconform_report::rules::Remedy;

rule! {
    "provisional.md", EvidenceContext(check), Text<'a>, Labels, Remedy;
    NotPassed { test: &'a str } => "test {test} is listed as a provisional test that succeeded, but no such test passed in the log",
    Missing { test: &'a str } => "provisional test {test} passed in the log; expected it in `succeededProvisionalTests`",
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
        let finding = if *is_listed {
            out.at(cx.node(*node), Text::NotPassed { test })
        } else {
            out.at(cx.node(*node).and(test), Text::Missing { test })
        };
        cx.point(finding, mark.as_ref(), Labels::InLog);
        finding.help(Remedy::SubmitUnmodified);
    }
}
