//! `tree/copied-elsewhere`

use std::collections::{BTreeMap, BTreeSet};

use super::{copies, copy_in_words};
use crate::diagnostic::Place;
use crate::facts::ReportFacts;
use crate::rules::{Check, Findings, Rule, TreeContext};

/// The rule.
pub static RULE: Rule = Rule::error(
    "tree/copied-elsewhere",
    include_str!("copied_elsewhere.md"),
    Check::Tree(check),
);

fn check(cx: &TreeContext<'_>, out: &mut Findings) {
    // Copies within a submission are for tree/copied-report: one of each stands for all of them.
    let mut submissions: BTreeMap<_, Vec<&ReportFacts>> = BTreeMap::new();
    for report in cx.reports {
        let submission = submissions.entry(&report.submission).or_default();
        submission.push(report);
    }
    let within = submissions
        .into_values()
        .flat_map(copies)
        .map(|(copy, _)| &copy.path);
    let within: BTreeSet<_> = within.collect();
    let others = cx.reports.iter();
    let others = others.filter(|report| !within.contains(&report.path));
    for (copy, original) in copies(others) {
        out.at(
            Place::path(&copy.path),
            copy_in_words(copy, original, &original.path),
        )
        .label(Place::path(&original.path), "the same report")
        .help("submit each run of the suite once, in the folder of the release that its suite had");
    }
}
