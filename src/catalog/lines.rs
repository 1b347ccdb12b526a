//! The reports of an implementation in their order, and which one came before which.

use std::collections::BTreeMap;

use super::slug::{distinct, slug};
use super::{Counts, Report, judged};
use crate::certify::{VersionKey, version_key};
use crate::facts::{Fact, ReportFacts};
use crate::registry::{Registry, Version};

/// The reports of an implementation by release, implementation version, channel, mode and path.
pub(super) fn reports<'a>(
    mut facts: Vec<&'a ReportFacts>,
    registry: &Registry,
    counts: &BTreeMap<&str, Counts>,
) -> Vec<Report<'a>> {
    facts.sort_by_cached_key(|facts| {
        let age = age(facts);
        let key = (value(&facts.channel), value(&facts.mode));
        (
            age,
            key.0.to_owned(),
            key.1.to_owned(),
            facts.path.clone(),
            facts.document,
        )
    });
    let slugs = slugs(&facts);
    let mut reports: Vec<Report<'_>> = Vec::new();
    for (facts, slug) in facts.into_iter().zip(slugs) {
        let judged = judged(facts, registry);
        let report = Report {
            slug,
            findings: counts.get(facts.path.as_str()).copied().unwrap_or_default(),
            before: None,
            judged,
        };
        reports.push(report);
    }
    let before: Vec<_> = (0..reports.len())
        .map(|at| predecessor(&reports, at))
        .collect();
    for (report, before) in reports.iter_mut().zip(before) {
        report.before = before;
    }
    reports
}

/// Unique within a release: the name of the file without its extension.
fn slugs(facts: &[&ReportFacts]) -> Vec<String> {
    let mut slugs = vec![String::new(); facts.len()];
    let mut by_release: BTreeMap<Option<&Version>, Vec<usize>> = BTreeMap::new();
    for (at, facts) in facts.iter().enumerate() {
        by_release
            .entry(facts.release.version.as_ref())
            .or_default()
            .push(at);
    }
    for places in by_release.into_values() {
        let names = places.iter().map(|&at| {
            let name = facts[at].file_name.as_str();
            let stem = name.strip_suffix(".yaml").unwrap_or(name);
            slug(&[stem.strip_suffix("-report").unwrap_or(stem)])
        });
        let names: Vec<_> = names.collect();
        for (at, name) in places.into_iter().zip(distinct(&names)) {
            slugs[at] = name;
        }
    }
    slugs
}

fn value(fact: &Option<Fact>) -> &str {
    fact.as_ref().map_or("", |fact| &fact.value)
}

fn age(facts: &ReportFacts) -> (Option<Version>, VersionKey) {
    let version = version_key(value(&facts.version));
    (facts.release.version.clone(), version)
}

/// The report that came before one, by their places: the last one for an older release, or by an
/// older version for the same release, that has a profile of the same family; if there is one of
/// the same channel and mode, that one, else one of the same mode. Reports of one release and
/// version stand beside each other, not one after the other.
pub fn predecessor(reports: &[Report<'_>], at: usize) -> Option<usize> {
    let report = &reports.get(at)?.judged;
    // Up to v1.0.x reports had neither channel nor mode; what they ran is now the default.
    let or = |text: &str, default: &str| {
        if text.is_empty() {
            default.to_owned()
        } else {
            text.to_owned()
        }
    };
    let line = |facts: &ReportFacts| {
        (
            or(value(&facts.channel), "standard"),
            or(value(&facts.mode), "default"),
        )
    };
    let (channel, mode) = line(report.facts);
    let key = age(report.facts);
    let earlier = reports[..at].iter().enumerate().filter(|(_, other)| {
        let shares_family = other.judged.verdicts.iter().any(|theirs| {
            let mut ours = report.verdicts.iter();
            theirs.family.is_some() && ours.any(|ours| ours.family == theirs.family)
        });
        shares_family && age(other.judged.facts) < key
    });
    let best = earlier.max_by_key(|(place, other)| {
        let (their_channel, their_mode) = line(other.judged.facts);
        let same_mode = their_mode == mode;
        (same_mode && their_channel == channel, same_mode, *place)
    });
    best.map(|(place, _)| place)
}
