//! `tree/same-identity`

use std::collections::BTreeMap;

use super::{identity_in_words, identity_place};
use crate::facts::{Identity, ReportFacts};
use crate::rules::{Check, Findings, Rule, SubmissionContext};

/// The rule.
pub static RULE: Rule = Rule::error(
    "tree/same-identity",
    include_str!("same_identity.md"),
    Check::Submission(check),
);

fn check(cx: &SubmissionContext<'_>, out: &mut Findings) {
    let mut first: BTreeMap<Identity<'_>, &ReportFacts> = BTreeMap::new();
    for report in cx.reports {
        let Some(identity) = report.identity() else {
            continue;
        };
        let Some(other) = first.get(&identity) else {
            first.insert(identity, report);
            continue;
        };
        // A copy is for tree/copied-report.
        if other.run() == report.run() && other.path != report.path {
            continue;
        }
        let what = identity_in_words(&identity);
        out.at(identity_place(report), format!("two reports of this submission are about {what}: readers cannot tell them apart"))
            .label(identity_place(other), "the other one")
            .help("give each way of deploying a name of its own: run the suite again with another `--mode`, or keep one of the two");
    }
}
