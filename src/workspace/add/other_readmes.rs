//! Finds READMEs of the same implementation, and release pages in them.

use std::collections::BTreeSet;
use std::path::Path;

use super::{SubmissionTarget, file_place};
use gwconform_base::text::source::Source;
use gwconform_report::report::facts::ReportFacts;
use gwconform_report::rules::ReadmeContext;
use gwconform_report::tree::Submission;
use gwconform_report::tree::readme;

/// README of another submission of the implementation.
pub(super) struct OtherReadme<'g> {
    pub submission: &'g Submission,
    /// Printed path.
    pub shown: String,
    pub text: String,
}

/// READMEs of the implementation's other submissions, newest release first.
pub(super) fn others<'g>(
    facts: &ReportFacts,
    folder: &Path,
    target: &'g SubmissionTarget<'_>,
) -> impl Iterator<Item = OtherReadme<'g>> {
    let reports = file_place::reports_of(facts, target).unwrap_or_default();
    let folders: BTreeSet<_> = reports
        .iter()
        .map(|report| (&report.release.version, &report.submission))
        .filter(|(_, other)| *other != folder)
        .collect();
    let newest = folders.into_iter().rev().map(|(_, folder)| folder);
    newest.filter_map(|folder| {
        let submissions = &target.tree.submissions;
        let at = submissions.binary_search_by(|other| other.path.cmp(folder));
        let submission = submissions.get(at.ok()?)?;
        let path = submission.readme.as_ref()?;
        Some(OtherReadme {
            submission,
            shown: target.tree.display(path),
            text: String::from_utf8((target.read)(path)?).ok()?,
        })
    })
}

/// Release page of a version, derived from the links in other READMEs.
pub(super) fn like_elsewhere(
    facts: &ReportFacts,
    version: &str,
    folder: &Path,
    target: &SubmissionTarget<'_>,
) -> Option<String> {
    others(facts, folder, target).find_map(|other| {
        let source = Source::new(other.shown.as_str(), other.text.clone().into_bytes());
        let readme = readme::parse(&other.text);
        let cx = ReadmeContext::new(&source, &readme, &[], other.submission, None);
        cx.page_like_others(facts, version)
    })
}
