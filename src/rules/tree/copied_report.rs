//! `tree/copied-report`

use std::collections::BTreeMap;

use crate::diagnostic::{Place, Severity};
use crate::rules::{Check, Findings, Rule, SubmissionContext};

/// The rule.
pub static RULE: Rule = Rule {
    id: "tree/copied-report",
    severity: Severity::Error,
    legacy: Some(Severity::Error),
    strict: false,
    doc: include_str!("copied_report.md"),
    check: Check::Submission(check),
};

fn check(cx: &SubmissionContext<'_>, out: &mut Findings) {
    let mut first = BTreeMap::new();
    for report in cx.reports.iter().filter(|report| report.document == 0) {
        let Some(other) = first.get(&report.digest) else {
            first.insert(report.digest, report);
            continue;
        };
        out.at(
            Place::path(&report.path),
            format!(
                "the report is a copy of `{}`, to the letter",
                other.file_name
            ),
        )
        .label(Place::path(&other.path), "the same report")
        .help("submit each run of the suite once: remove one of the two and its row in README.md");
    }
}
