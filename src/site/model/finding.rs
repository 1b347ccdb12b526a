use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::report::ReportView;
use super::report_set::ReportSet;
use gwconform_base::text::diagnostic::Diagnostic;
use gwconform_report::certify::catalog::Implementation;

#[derive(Debug)]
pub struct FindingView<'c> {
    pub finding: &'c Diagnostic,
    pub implementation: Option<&'c Implementation<'c>>,
    pub report: Option<&'c ReportView<'c>>,
}

impl FindingView<'_> {
    pub fn folder(&self) -> &str {
        let path = &*self.finding.place.path;
        if self.report.is_some() || path.ends_with(README) {
            folder(path)
        } else {
            path
        }
    }
}

const README: &str = "/README.md";

fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

pub(super) fn all<'c>(set: &'c ReportSet<'c>, findings: &'c [Diagnostic]) -> Vec<FindingView<'c>> {
    let mut by_path: BTreeMap<&str, &ReportView<'_>> = BTreeMap::new();
    let mut by_folder: BTreeMap<&str, &Implementation<'_>> = BTreeMap::new();
    for report in &set.reports {
        let path = report.facts().path.as_str();
        by_path.entry(path).or_insert(report);
        by_folder
            .entry(folder(path))
            .or_insert(report.implementation);
    }
    let views = findings.iter().map(|finding| {
        let path = &*finding.place.path;
        let report = by_path.get(path).copied();
        let of_folder = || by_folder.get(path).or_else(|| by_folder.get(folder(path)));
        FindingView {
            finding,
            implementation: report
                .map(|report| report.implementation)
                .or_else(|| of_folder().copied()),
            report,
        }
    });
    let mut views: Vec<_> = views.collect();
    views.sort_by_key(|view| (Reverse(view.finding.severity), view.finding.rule));
    views
}
