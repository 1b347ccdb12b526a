//! `evidence/skipped`

use super::{EvidenceContext, Text as Labels};
use crate::evidence::Logged;
use crate::evidence::log::Outcome;
use crate::rules::{Check, Findings, Remedy, Rule};
use crate::text::message::{Words, texts};

/// The rule.
pub static RULE: Rule = Rule::error(
    "evidence/skipped",
    include_str!("skipped.md"),
    Check::Evidence(check),
)
.sources(&["suite: func Run"])
.related(&["evidence/not-skipped"])
.texts(&[Text::TEMPLATES, Labels::TEMPLATES, Remedy::TEMPLATES]);

texts! {
    enum Text<'a> {
        Differs { test: &'a str, logged: Words } => "test {test} is counted as passed, but in the log it {logged}",
    }
}

fn check(cx: &EvidenceContext<'_>, out: &mut Findings) {
    cx.report_results(
        |claimed, logged| claimed == Outcome::Passed && logged == Logged::Skipped,
        |test, logged| Text::Differs { test, logged }.into(),
        out,
    );
}
