use std::collections::{BTreeMap, BTreeSet};

use crate::report::facts::ReportFacts;
use crate::rules::{ConfiguredNames, Pair, Rename};

type Names<'f> = (&'f str, &'f str);

/// Finds implementations whose organization or project changes in all of their reports. A name of
/// another implementation with earlier reports is not a new name. `names` is the earlier
/// configuration.
pub(super) fn of<'f>(
    pairs: &[Pair<'f>],
    before: &'f [ReportFacts],
    now: &'f [ReportFacts],
    names: &ConfiguredNames,
) -> Vec<Rename<'f>> {
    let all = |reports: &'f [ReportFacts]| -> BTreeSet<Names<'f>> {
        reports.iter().filter_map(ReportFacts::name).collect()
    };
    let (were_there, are_there) = (all(before), all(now));
    let known = before.iter().filter_map(|report| names.folded(report));
    let known: BTreeSet<(String, String)> = known.collect();
    let mut renames: BTreeMap<Names<'f>, BTreeMap<Names<'f>, usize>> = BTreeMap::new();
    for pair in pairs.iter().filter(|pair| !pair.is_replacement()) {
        let Some((before, after)) = pair.before.zip(pair.after) else {
            continue;
        };
        let Some((old, new)) = before.name().zip(after.name()) else {
            continue;
        };
        let identity = names.folded(after);
        let is_taken = identity != names.folded(before)
            && identity.is_some_and(|identity| known.contains(&identity));
        let is_rename = !are_there.contains(&old) && !were_there.contains(&new) && !is_taken;
        if old != new && is_rename {
            *renames.entry(old).or_default().entry(new).or_default() += 1;
        }
    }
    let one = |(old, news): (Names<'f>, BTreeMap<Names<'f>, usize>)| {
        let mut news = news.into_iter();
        let (new, reports) = news.next()?;
        news.next()
            .is_none()
            .then_some(Rename { old, new, reports })
    };
    renames.into_iter().filter_map(one).collect()
}
