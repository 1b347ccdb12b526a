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
        let mut what = format!(
            "{}/{} {}",
            identity.organization, identity.project, identity.version
        );
        if !identity.channel.is_empty() {
            what.push_str(&format!(" on the {} channel", identity.channel));
        }
        if !identity.mode.is_empty() {
            what.push_str(&format!(" in mode `{}`", identity.mode));
        }
        let place = |report: &ReportFacts| {
            let field = report.mode.as_ref().or(report.version.as_ref());
            field.map_or_else(|| Place::path(&report.path), |field| field.place.clone())
        };
        out.at(place(report), format!("two reports of this submission are about {what}: readers cannot tell them apart"))
            .label(place(other), "the other one")
            .help("give each way of deploying a name of its own: run the suite again with another `--mode`, or keep one of the two");
    }
}
