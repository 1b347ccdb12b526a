use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ffi::OsStr;

use super::predecessor::{age, predecessors};
use super::{Report, judged};
use crate::certify::Judged;
use crate::report::facts::ReportFacts;
use crate::report::naming::Name;
use crate::report::naming::slug::{MAX_LENGTH, distinct, slug};
use gwconform_base::release::Registry;
use gwconform_base::text::diagnostic::Severities;

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
    let judged: Vec<_> = facts.iter().map(|facts| judged(facts, registry)).collect();
    let addresses = addresses(&judged.iter().collect::<Vec<_>>());
    let mut reports: Vec<Report<'_>> = Vec::new();
    for (judged, (release, slug)) in judged.into_iter().zip(addresses) {
        let facts = judged.facts;
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

/// Release and slug of each report, for URLs. Reports without a verdict do not affect the slugs of
/// others. If file names are equal, the report in a folder with the name of the project keeps the
/// plain slug.
pub(super) fn addresses(reports: &[&Judged<'_>]) -> Vec<(String, String)> {
    let mut by_release: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, report) in reports.iter().enumerate() {
        by_release
            .entry(release(report.facts))
            .or_default()
            .push(at);
    }
    let mut addresses = vec![(String::new(), String::new()); reports.len()];
    for (release, mut places) in by_release {
        places.sort_by_cached_key(|&at| {
            let facts = reports[at].facts;
            let folder = facts.submission.file_name().map(OsStr::to_string_lossy);
            let is_named = folder
                .zip(Name::try_new(facts))
                .is_some_and(|(folder, name)| name.is_part_of(&folder));
            (
                reports[at].is_refused(),
                Reverse(is_named),
                &facts.path,
                facts.document,
            )
        });
        let wanted = |at: &usize| {
            let name = reports[*at].facts.file_name.as_str();
            let stem = name.strip_suffix(".yaml").unwrap_or(name);
            slug(&[stem.strip_suffix("-report").unwrap_or(stem)])
        };
        let sound = places.partition_point(|&at| !reports[at].is_refused());
        let wanted: Vec<_> = places.iter().map(wanted).collect();
        let (of_sound, of_refused) = wanted.split_at(sound);
        let mut slugs = distinct(of_sound, &[]);
        slugs.extend(distinct(of_refused, &slugs));
        for (at, slug) in places.into_iter().zip(slugs) {
            addresses[at] = (release.clone(), slug);
        }
    }
    addresses
}

/// Reports control release suffixes, so the length is limited. Many file systems ignore case.
fn release(facts: &ReportFacts) -> String {
    let mut release = facts.release_text().unwrap_or_else(|| "unknown".to_owned());
    release.make_ascii_lowercase();
    release.truncate(MAX_LENGTH);
    // Windows removes trailing dots from file names.
    release.truncate(release.trim_end_matches('.').len());
    release
}
