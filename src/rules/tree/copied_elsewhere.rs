//! `tree/copied-elsewhere`

use std::collections::BTreeMap;

use crate::diagnostic::{Place, Severity};
use crate::facts::ReportFacts;
use crate::rules::{Check, Findings, Rule, TreeContext};

/// The rule.
pub static RULE: Rule = Rule {
    id: "tree/copied-elsewhere",
    severity: Severity::Error,
    legacy: Some(Severity::Error),
    strict: false,
    doc: include_str!("copied_elsewhere.md"),
    check: Check::Tree(check),
};

fn check(cx: &TreeContext<'_>, out: &mut Findings) {
    let mut first: BTreeMap<_, &ReportFacts> = BTreeMap::new();
    for report in cx.reports.iter().filter(|report| report.document == 0) {
        let Some(other) = first.get(&report.digest) else {
            first.insert(report.digest, report);
            continue;
        };
        // Two files of one submission are for tree/copied-report.
        if other.submission == report.submission {
            continue;
        }
        out.at(
            Place::path(&report.path),
            format!("the report is a copy of `{}`, to the letter", other.path),
        )
        .label(Place::path(&other.path), "the same report")
        .help("submit each run of the suite once, in the folder of the release that its suite had");
    }
}
