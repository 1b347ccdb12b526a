//! `evidence/run-failed`

use super::EvidenceContext;
use crate::diagnostic::{Anchor, Subject};
use crate::log::Outcome;
use crate::message::texts;
use crate::rules::{Check, Findings, Rule};

/// The rule.
pub static RULE: Rule = Rule::warning(
    "evidence/run-failed",
    include_str!("run_failed.md"),
    Check::Evidence(check),
)
.sources(&["suite: func Run", "go test: package testing"])
.related(&["evidence/failed", "evidence/unfinished"])
.texts(&[Text::TEMPLATES]);

texts! {
    enum Text<'a> {
        Failed { root: &'a str } => "{root} failed, but none of its tests did",
        Look => "look in the log for what failed: before the first test, or after the last one",
    }
}

fn check(cx: &EvidenceContext<'_>, out: &mut Findings) {
    let run = cx.claim.run;
    let mut results = run.tests.values().filter_map(|test| test.outcome.as_ref());
    let (Some((Outcome::Failed, mark)), false) = (
        &run.outcome,
        results.any(|(outcome, _)| *outcome == Outcome::Failed),
    ) else {
        return;
    };
    let root = run.root.as_str();
    let anchor = Anchor::new(cx.line(mark), Subject::new(root));
    out.at(anchor, Text::Failed { root }).help(Text::Look);
}
