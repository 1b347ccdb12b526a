//! `evidence/no-report`

use super::EvidenceContext;
use crate::evidence::PrintedState;
use crate::rules::{Check, Findings, Rule};
use crate::text::message::texts;

/// The rule.
pub static RULE: Rule = Rule::info(
    "evidence/no-report",
    include_str!("no_report.md"),
    Check::Evidence(check),
)
.sources(&["suite: func writeReport"])
.related(&["evidence/report-differs"])
.texts(&[Text::TEMPLATES]);

texts! {
    enum Text<'a> {
        NotPrinted { log: &'a str } => "the log {log} does not print the report; only the results of tests are compared",
    }
}

fn check(cx: &EvidenceContext<'_>, out: &mut Findings) {
    if cx.comparison.printed == PrintedState::No {
        let log = &cx.claim.log.path;
        out.at(cx.whole(), Text::NotPrinted { log });
    }
}
