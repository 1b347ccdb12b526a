//! The texts that pages, data and feeds share: names of reports.

use super::report::{ReportView, text};
/// `Acme v2.14.0 for v1.5.1 (standard, default)`
pub fn report_name(report: &ReportView<'_>) -> String {
    let facts = report.facts();
    let mut name = report.implementation.name.clone();
    if let Some(version) = text(&facts.version) {
        name.push_str(&format!(" {version}"));
    }
    match report.release() {
        Some(release) => name.push_str(&format!(" for {release}")),
        None => name.push_str(", release unknown"),
    }
    let run: Vec<_> = [text(&facts.channel), text(&facts.mode)]
        .into_iter()
        .flatten()
        .collect();
    if !run.is_empty() {
        name.push_str(&format!(" ({})", run.join(", ")));
    }
    name
}
