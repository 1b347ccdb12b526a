use super::EvidenceContext;
use crate::PrintedState;
use crate::rules::{Findings, rule};

rule! {
    "no_report.md", EvidenceContext(check), Text<'a>;
    NotPrinted { log: &'a str } => "the log {log} does not print the report; only the results of tests are compared",
}

fn check(cx: &EvidenceContext<'_>, out: &mut Findings) {
    // A run that failed in its setup writes no report.
    if cx.comparison.printed == PrintedState::No && !cx.claim.run.failed_in_setup() {
        let log = &cx.claim.log.path;
        out.at(cx.whole(), Text::NotPrinted { log });
    }
}
