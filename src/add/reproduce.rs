//! What an existing README has under Reproduce about versions.

use std::collections::BTreeSet;

use super::{SubmissionTarget, place};
use crate::facts::ReportFacts;
use crate::readme;
use crate::rules::readme::version::release_numbers;

/// The version of another report of the implementation that the Reproduce sections name while they do
/// not name that of the new one. A version of the Gateway API may be the same text by chance: the
/// release of the report is none of the implementation's.
pub(super) fn other_version(
    text: &str,
    facts: &ReportFacts,
    ground: &SubmissionTarget<'_>,
) -> Option<String> {
    let bare = |version: &str| version.trim_start_matches('v').to_owned();
    let own = bare(facts.version()?);
    let release = facts.release.version.as_ref().map(ToString::to_string);
    let release = release.map(|release| bare(&release)).unwrap_or_default();
    let reports = place::reports_of(facts, ground)?;
    let versions = reports.iter().filter_map(|report| report.version());
    let others: BTreeSet<String> = versions
        .filter(|version| release_numbers(version).is_some())
        .map(bare)
        .filter(|version| *version != own && *version != release)
        .collect();
    let readme = readme::parse(text);
    let sections = readme.reproduce_sections().into_iter();
    let named: Vec<&str> = sections
        .filter_map(|at| readme.sections.get(at))
        .flat_map(|section| {
            let is_part = |c: char| c.is_ascii_alphanumeric() || "-._+".contains(c);
            text[section.body.range()].split(move |c| !is_part(c))
        })
        .map(|word| word.trim_end_matches('.'))
        .collect();
    if named.iter().any(|word| bare(word) == own) {
        return None;
    }
    let mut named = named.into_iter();
    named
        .find(|word| others.contains(&bare(word)))
        .map(str::to_owned)
}
