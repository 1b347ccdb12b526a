//! `evidence/not-failed`

use super::{EvidenceContext, Text as Labels};
use crate::evidence::Logged;
use crate::evidence::log::Outcome;
use crate::rules::{Check, Findings, Remedy, Rule};
use crate::text::message::{Words, texts};

/// The rule.
pub static RULE: Rule = Rule::error(
    "evidence/not-failed",
    include_str!("not_failed.md"),
    Check::Evidence(check),
)
.sources(&["suite: func Run"])
.related(&["evidence/failed"])
.texts(&[Text::TEMPLATES, Labels::TEMPLATES, Remedy::TEMPLATES]);

texts! {
    enum Text<'a> {
        Differs { test: &'a str, logged: Words } => "test {test} is listed as failed, but in the log it {logged}",
    }
}

fn check(cx: &EvidenceContext<'_>, out: &mut Findings) {
    cx.report_results(
        |claimed, logged| claimed == Outcome::Failed && logged != Logged::Failed,
        |test, logged| Text::Differs { test, logged }.into(),
        out,
    );
}
