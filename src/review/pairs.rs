//! Which earlier report is which report now.

use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};

use crate::certify::catalog::{line, own_name};
use crate::report::facts::ReportFacts;
use crate::rules::tree::folded_name;
use crate::rules::{ConfiguredNames, Pair};

/// Pairs of the reports that a change touches: each report is in one pair, alone where there is no
/// other. The same text comes first, so that a report that was moved away from under its name is
/// not taken for the one that has the name now; then the same place; then the same identity; then
/// the same run, whatever else was edited, that of the same implementation first; then a report that takes the place of another one, such
/// as of its release candidate: in the same folder, of the same implementation, channel and mode.
pub(super) fn of<'f>(
    before: &'f [ReportFacts],
    after: &[&'f ReportFacts],
    names: &ConfiguredNames,
) -> Vec<Pair<'f>> {
    let mut before: Vec<Option<&ReportFacts>> = before.iter().map(Some).collect();
    let mut after: Vec<Option<&ReportFacts>> = after.iter().copied().map(Some).collect();
    let mut pairs = Vec::new();
    matched(&mut before, &mut after, &mut pairs, |facts| {
        Some((facts.digest, facts.document))
    });
    matched(&mut before, &mut after, &mut pairs, |facts| {
        Some((facts.path.as_str(), facts.document))
    });
    matched(&mut before, &mut after, &mut pairs, ReportFacts::identity);
    // No two real runs share a date.
    matched(&mut before, &mut after, &mut pairs, |facts| {
        Some((facts.ran_at?, folded_name(facts, names)?))
    });
    matched(&mut before, &mut after, &mut pairs, |facts| facts.ran_at);
    let folders = folders(&pairs);
    let place = |facts: &'f ReportFacts| {
        let folder = folders.get(&facts.submission).copied();
        let folder = folder.unwrap_or(&facts.submission);
        Some((folder, folded_name(facts, names)?, line(facts)))
    };
    matched(&mut before, &mut after, &mut pairs, |facts| {
        Some((place(facts)?, own_name(facts)))
    });
    matched(&mut before, &mut after, &mut pairs, place);
    let alone_before = before.into_iter().flatten().map(|before| Pair {
        before: Some(before),
        after: None,
    });
    let alone_after = after.into_iter().flatten().map(|after| Pair {
        before: None,
        after: Some(after),
    });
    pairs.extend(alone_before.chain(alone_after));
    pairs
}

/// The folders that reports moved to, by those that they left.
fn folders<'f>(pairs: &[Pair<'f>]) -> BTreeMap<PathBuf, &'f Path> {
    let both = pairs.iter().filter_map(|pair| {
        let (before, after) = (pair.before?, pair.after?);
        Some((before.submission.clone(), after.submission.as_path()))
    });
    both.collect()
}

/// Pairs the reports with the same key, in the order of the lists, and removes them from the lists.
fn matched<'f, K: Ord>(
    before: &mut [Option<&'f ReportFacts>],
    after: &mut [Option<&'f ReportFacts>],
    pairs: &mut Vec<Pair<'f>>,
    key: impl Fn(&'f ReportFacts) -> Option<K>,
) {
    let mut waiting: BTreeMap<K, VecDeque<usize>> = BTreeMap::new();
    for (at, facts) in before.iter().enumerate() {
        if let Some(key) = facts.and_then(&key) {
            waiting.entry(key).or_default().push_back(at);
        }
    }
    for place in after {
        let Some(now) = *place else { continue };
        let found = key(now).and_then(|key| waiting.get_mut(&key)?.pop_front());
        if let Some(at) = found {
            pairs.push(Pair {
                before: before[at].take(),
                after: place.take(),
            });
        }
    }
}
