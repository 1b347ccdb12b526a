use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};

use crate::certify::catalog::{line, own_name};
use crate::report::facts::ReportFacts;
use crate::rules::{ConfiguredNames, Pair};

/// Pairs reports by equal content, path, identity, run (same implementation first), and replacement
/// in the same folder with the same implementation, channel and mode. A moved report may leave its
/// path to another.
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
    // No two runs have the same date.
    matched(&mut before, &mut after, &mut pairs, |facts| {
        Some((facts.ran_at?, names.folded(facts)?))
    });
    matched(&mut before, &mut after, &mut pairs, |facts| facts.ran_at);
    let folders = folders(&pairs);
    let place = |facts: &'f ReportFacts| {
        let folder = folders.get(&facts.submission).copied();
        let folder = folder.unwrap_or(&facts.submission);
        Some((folder, names.folded(facts)?, line(facts)))
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

fn folders<'f>(pairs: &[Pair<'f>]) -> BTreeMap<PathBuf, &'f Path> {
    let both = pairs.iter().filter_map(|pair| {
        let (before, after) = (pair.before?, pair.after?);
        Some((before.submission.clone(), after.submission.as_path()))
    });
    both.collect()
}

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
