use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ffi::OsStr;

use super::predecessor::{age, predecessors};
use super::{Report, judged};
use crate::release::Registry;
use crate::report::facts::ReportFacts;
use crate::report::naming::Name;
use crate::report::naming::slug::{distinct, slug};
use crate::text::diagnostic::Severities;

const MAX_RELEASE_LENGTH: usize = 100;

pub(super) fn reports<'a>(
    mut facts: Vec<&'a ReportFacts>,
    registry: &Registry,
    counts: &BTreeMap<&str, Severities>,
) -> Vec<Report<'a>> {
    facts.sort_by_cached_key(|facts| {
        let age = age(facts);
        let key = (
            facts.channel().unwrap_or_default(),
            facts.mode().unwrap_or_default(),
        );
        (
            age,
            key.0.to_owned(),
            key.1.to_owned(),
            facts.path.clone(),
            facts.document,
        )
    });
    let addresses = addresses(&facts);
    let mut reports: Vec<Report<'_>> = Vec::new();
    for (facts, (release, slug)) in facts.into_iter().zip(addresses) {
        let judged = judged(facts, registry);
        let report = Report {
            slug,
            release,
            findings: counts.get(facts.path.as_str()).copied().unwrap_or_default(),
            before: None,
            preference: 0,
            judged,
        };
        reports.push(report);
    }
    let before = predecessors(&reports);
    for (report, before) in reports.iter_mut().zip(before) {
        report.before = before;
    }
    reports
}

/// Release and slug of each report, for URLs. If file names are equal, the report in the
/// implementation's usual folder keeps the plain slug, so no other folder can take the URL.
pub(super) fn addresses(facts: &[&ReportFacts]) -> Vec<(String, String)> {
    let folder = |facts: &ReportFacts| facts.submission.file_name().map(ToOwned::to_owned);
    let mut in_folder: BTreeMap<_, usize> = BTreeMap::new();
    let mut by_release: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, facts) in facts.iter().enumerate() {
        *in_folder.entry(folder(facts)).or_default() += 1;
        by_release.entry(release(facts)).or_default().push(at);
    }
    let mut addresses = vec![(String::new(), String::new()); facts.len()];
    for (release, mut places) in by_release {
        places.sort_by_cached_key(|&at| {
            let folder = folder(facts[at]);
            let name = folder.as_deref().map(OsStr::to_string_lossy);
            let is_named = name
                .zip(Name::try_new(facts[at]))
                .is_some_and(|(folder, name)| name.is_part_of(&folder));
            Reverse((in_folder.get(&folder).copied(), is_named))
        });
        let names: Vec<_> = places
            .iter()
            .map(|&at| {
                let name = facts[at].file_name.as_str();
                let stem = name.strip_suffix(".yaml").unwrap_or(name);
                slug(&[stem.strip_suffix("-report").unwrap_or(stem)])
            })
            .collect();
        for (at, name) in places.into_iter().zip(distinct(&names)) {
            addresses[at] = (release.clone(), name);
        }
    }
    addresses
}

/// Reports control release suffixes, so the length is limited. Many file systems ignore case.
fn release(facts: &ReportFacts) -> String {
    let version = facts.release.version.as_ref();
    let mut release = version.map_or_else(|| "unknown".to_owned(), ToString::to_string);
    release.make_ascii_lowercase();
    release.truncate(MAX_RELEASE_LENGTH);
    // Windows removes trailing dots from file names.
    release.truncate(release.trim_end_matches('.').len());
    release
}
