//! Checks the versions in the Reproduce section of a README.

mod range;

use std::collections::BTreeSet;

use super::{SubmissionTarget, place};
use crate::certify::version_key;
use crate::report::facts::ReportFacts;
use crate::rules::readme::version::release_numbers;
use crate::tree::readme;
use range::Range;

pub(super) fn sections(text: &str) -> Vec<String> {
    let readme = readme::parse(text);
    let sections = readme.reproduce_sections().into_iter();
    let bodies =
        sections.filter_map(|at| Some(text[readme.sections.get(at)?.body.range()].to_owned()));
    bodies.collect()
}

/// Gateway API releases are ignored, even if their number is equal by chance.
pub(super) fn other_version(
    sections: &[String],
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
    let is_known = |word: &str| bare(word) == own || others.contains(&bare(word));
    let (mut is_covered, mut without_own, mut first) = (false, None, None);
    for block in sections.iter().flat_map(|text| range::blocks(text)) {
        let (mut has_range, mut is_within) = (false, true);
        for (version, range) in range::all(block, &is_known) {
            let is_own = bare(version) == own;
            match range {
                Range::Exactly if is_own => return None,
                Range::Exactly => drop(first.get_or_insert(version)),
                range => {
                    has_range = true;
                    if !range.has(&version_key(&own), &version_key(version)) {
                        is_within = false;
                        without_own.get_or_insert_with(|| range.in_words(version));
                    }
                }
            }
        }
        is_covered |= has_range && is_within;
    }
    let other = without_own.or_else(|| first.map(str::to_owned));
    other.filter(|_| !is_covered)
}
