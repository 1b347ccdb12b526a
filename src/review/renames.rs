use std::collections::{BTreeMap, BTreeSet};

use super::names;
use crate::report::facts::ReportFacts;
use crate::rules::{Pair, Rename};

type Names<'f> = (&'f str, &'f str);

/// Finds implementations whose organization or project changes in all of their reports.
pub(super) fn of<'f>(
    pairs: &[Pair<'f>],
    before: &'f [ReportFacts],
    now: &'f [ReportFacts],
) -> Vec<Rename<'f>> {
    let all = |reports: &'f [ReportFacts]| -> BTreeSet<Names<'f>> {
        reports.iter().filter_map(names).collect()
    };
    let (were_there, are_there) = (all(before), all(now));
    let mut renames: BTreeMap<Names<'f>, BTreeMap<Names<'f>, usize>> = BTreeMap::new();
    for pair in pairs.iter().filter(|pair| !pair.is_replacement()) {
        let both = (pair.before.and_then(names)).zip(pair.after.and_then(names));
        let Some((old, new)) = both else { continue };
        let is_rename = !are_there.contains(&old) && !were_there.contains(&new);
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
