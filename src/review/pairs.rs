//! Which earlier report is which report now.

use std::collections::{BTreeMap, VecDeque};

use crate::facts::ReportFacts;
use crate::rules::Pair;

/// Pairs of the reports that a change touches: each report is in one pair, alone where there is no
/// other. The same text comes first, so that a report that was moved away from under its name is
/// not taken for the one that has the name now; then the same place; then the same identity.
pub(super) fn of<'f>(before: &'f [ReportFacts], after: &[&'f ReportFacts]) -> Vec<Pair<'f>> {
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
