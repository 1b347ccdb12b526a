//! `tree/same-identity`

use std::collections::BTreeMap;

use crate::diagnostic::{Place, Severity};
use crate::facts::{Identity, ReportFacts};
use crate::rules::{Check, Findings, Rule, SubmissionContext};

/// The rule.
pub static RULE: Rule = Rule {
    id: "tree/same-identity",
    severity: Severity::Error,
    legacy: Some(Severity::Error),
    strict: false,
    doc: include_str!("same_identity.md"),
    check: Check::Submission(check),
};

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
        let what = [
            identity.organization,
            identity.project,
            identity.version,
            identity.channel,
            identity.mode,
        ];
        let what: Vec<_> = what.into_iter().filter(|part| !part.is_empty()).collect();
        let place = |report: &ReportFacts| {
            let field = report.mode.as_ref().or(report.version.as_ref());
            field.map_or_else(|| Place::path(&report.path), |field| field.place.clone())
        };
        out.at(place(report), format!("two reports of this submission say they are {}", what.join(", ")))
            .label(place(other), "the other one")
            .help("give each way of deploying its own name: run the suite again with another `--mode`, or keep one of the two");
    }
}
