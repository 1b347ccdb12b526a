//! `tree/same-identity-elsewhere`

use std::collections::{BTreeMap, BTreeSet};

use super::{identity_in_words, identity_place};
use crate::facts::{Identity, ReportFacts};
use crate::rules::{Check, Findings, Rule, TreeContext};

/// The rule.
pub static RULE: Rule = Rule::error(
    "tree/same-identity-elsewhere",
    include_str!("same_identity_elsewhere.md"),
    Check::Tree(check),
);

fn check(cx: &TreeContext<'_>, out: &mut Findings) {
    // A report outside of a release folder is to be moved anyway; its folder has a rule of its own.
    let submissions = cx.tree.submissions.iter();
    let submissions: BTreeSet<_> = submissions
        .filter(|submission| submission.release.is_some())
        .map(|submission| &submission.path)
        .collect();
    let mut first: BTreeMap<Identity<'_>, &ReportFacts> = BTreeMap::new();
    for report in cx.reports {
        if !submissions.contains(&report.submission) {
            continue;
        }
        let Some(identity) = report
            .identity()
            .filter(|identity| identity.release.is_some())
        else {
            continue;
        };
        let Some(other) = first.get(&identity) else {
            first.insert(identity, report);
            continue;
        };
        // Within a submission it is tree/same-identity; a copy is tree/copied-elsewhere.
        if other.submission == report.submission || other.run() == report.run() {
            continue;
        }
        let message = format!(
            "two submissions hold a report about {}: readers cannot tell them apart",
            identity_in_words(&identity)
        );
        out.at(identity_place(report), message)
            .label(identity_place(other), "the other one")
            .help("keep one of the two, or run the suite again for one with another `--mode` or `--project`");
    }
}
