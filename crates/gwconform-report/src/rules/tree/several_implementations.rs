use std::collections::BTreeMap;

use super::{field_that_differs, implementation};
use crate::report::facts::ReportFacts;
use crate::report::formats::is_placeholder;
use crate::report::naming::is_named_by;
use crate::rules::confusable::looks;
use crate::rules::{Findings, SubmissionContext, rule};
use gwconform_base::text::source::is_invisible;

rule! {
    "several_implementations.md", SubmissionContext(check), Text;
    Several { name: String, other: String } => "the report belongs to {name}, other reports of this submission to {other}; expected one implementation in a submission",
    Other => "other implementation",
    MoveOrRerun => "move the report to a submission of its implementation; if both names mean one implementation, run the suite again with the same `--organization` and `--project`",
}

fn check(cx: &SubmissionContext<'_>, out: &mut Findings) {
    if cx.submission.is_standalone() {
        return;
    }
    let mut implementations: BTreeMap<_, Vec<&ReportFacts>> = BTreeMap::new();
    for report in cx.reports {
        // Invalid names are reported by report/implementation-name.
        let names = [report.organization(), report.project()];
        let is_name = |name: &str| !is_placeholder(name) && !name.contains(is_invisible);
        let are_names = names.into_iter().flatten().all(is_name);
        if let Some(name) = cx.names.folded(report).filter(|_| are_names) {
            implementations.entry(name).or_default().push(report);
        }
    }
    let folder = cx.submission.folder.as_deref().unwrap_or_default();
    let usual = implementations
        .values()
        .rev()
        .max_by_key(|reports| (is_named_by(folder, reports[0]), reports.len()));
    let Some(usual) = usual.map(|reports| reports[0]) else {
        return;
    };
    for report in implementations.values().map(|reports| reports[0]) {
        if std::ptr::eq(report, usual) || do_look_alike(report, usual) {
            continue;
        }
        let Some(field) = field_that_differs(report, usual) else {
            continue;
        };
        let message = Text::Several {
            name: implementation(report),
            other: implementation(usual),
        };
        let finding = out.at(field, message);
        if let Some(other) = field_that_differs(usual, report) {
            finding.label(other, Text::Other);
        }
        finding.help(Text::MoveOrRerun);
    }
}

fn do_look_alike(a: &ReportFacts, b: &ReportFacts) -> bool {
    let looks_of = |report: &ReportFacts| {
        let names = [report.organization(), report.project()];
        let [organization, project] = names.map(|name| looks(name.unwrap_or_default()));
        [0, 1].map(|look| (organization[look].clone(), project[look].clone()))
    };
    let (a, b) = (looks_of(a), looks_of(b));
    a.iter().zip(&b).any(|(a, b)| a == b)
}
