//! Groups findings by file and folder, for output formats with test cases.

use std::collections::{BTreeMap, BTreeSet};

use super::{RenderInput, further_places};
use gwconform_base::text::counted;
use gwconform_base::text::diagnostic::{Diagnostic, Severity};

#[derive(Debug)]
pub(super) struct OneCheck<'a> {
    pub(super) path: &'a str,
    /// Submission folder; empty if the path is not in a submission.
    pub(super) submission: &'a str,
    pub(super) findings: Vec<&'a Diagnostic>,
    pub(super) passes: bool,
}

pub(super) fn checks<'a>(shown: RenderInput<'a>) -> Vec<OneCheck<'a>> {
    let outcome = shown.outcome;
    let mut all: BTreeMap<(&str, &str), Vec<&Diagnostic>> = BTreeMap::new();
    let mut submissions: BTreeSet<&str> = BTreeSet::new();
    let mut of_path: BTreeMap<&str, &str> = BTreeMap::new();
    for checked in &outcome.checked {
        all.entry((&checked.submission, &checked.path)).or_default();
        submissions.insert(&checked.submission);
        of_path.insert(&checked.path, &checked.submission);
    }
    for finding in &outcome.findings {
        let path = &*finding.place.path;
        let known = of_path.get(path).copied();
        let submission =
            known.or_else(|| folders_around(path).find(|folder| submissions.contains(folder)));
        let key = (submission.unwrap_or_default(), path);
        all.entry(key).or_default().push(finding);
    }
    all.into_iter()
        .map(|((submission, path), findings)| {
            let mut severities = findings.iter().map(|finding| finding.severity);
            OneCheck {
                path,
                submission,
                passes: severities.all(|severity| severity < shown.fail_on),
                findings,
            }
        })
        .collect()
}

fn folders_around(path: &str) -> impl Iterator<Item = &str> {
    let parent = |path: &str| path.rfind('/').filter(|&at| at > 0);
    std::iter::successors(parent(path), move |&at| parent(&path[..at])).map(|at| &path[..at])
}

/// Only findings that fail the check are counted.
pub(super) fn verdict(checks: &[OneCheck<'_>], shown: RenderInput<'_>) -> String {
    let (one, several) = match shown.fail_on {
        Severity::Error => ("error", "errors"),
        Severity::Warning => ("error or warning", "errors or warnings"),
        Severity::Info => ("finding", "findings"),
    };
    let files = counted(checks.len(), "file");
    let failing: Vec<&OneCheck<'_>> = checks.iter().filter(|check| !check.passes).collect();
    if failing.is_empty() {
        return match checks.len() {
            0 => match shown.review.map(|review| review.reports.len()) {
                None => "no files checked".to_owned(),
                Some(0) => "no report changed".to_owned(),
                Some(deleted) => format!("no {several} in {}", counted(deleted, "deleted report")),
            },
            _ => format!("no {several} in {files}"),
        };
    }
    let findings = failing.iter().flat_map(|check| &check.findings);
    let counted = findings.filter(|finding| finding.severity >= shown.fail_on);
    let (count, failing) = (counted.map(|one| one.count()).sum::<usize>(), failing.len());
    let what = if count == 1 { one } else { several };
    format!("{count} {what} in {failing} of {files}")
}

pub(super) fn lines(finding: &Diagnostic) -> String {
    let place = &finding.place;
    let mut text = gwconform_base::text::visible(&place.path);
    if let Some(region) = &place.region {
        text.push_str(&format!(":{}:{}", region.start.line, region.start.column));
    }
    let (severity, message) = (
        finding.severity.as_str(),
        gwconform_base::text::visible(&finding.message.to_string()),
    );
    text.push_str(&format!(": {severity}[{}]: {message}\n", finding.rule));
    for (place, label) in further_places(finding) {
        let see = gwconform_base::text::visible(&format!("{place}: {label}"));
        text.push_str(&format!("    see: {see}\n"));
    }
    if let Some(help) = &finding.help {
        text.push_str(&format!(
            "    help: {}\n",
            gwconform_base::text::visible(&help.to_string())
        ));
    }
    text
}
