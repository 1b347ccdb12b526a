use std::collections::BTreeSet;

use super::implementation::{FamilyVerdict, ImplementationView, reviews};
use crate::api::{Family, Minor};
use crate::certify::Status;
use crate::certify::catalog::Catalog;

/// Maximum past minors in the chart. The newest are kept.
const MAX_MINORS: usize = 10;

#[derive(Debug)]
pub struct Timeline<'v, 'c> {
    pub family: Family,
    pub minors: Vec<Minor>,
    pub reviews: Vec<Minor>,
    /// Rows by verdict (best first), report (newest first) and name.
    pub rows: Vec<TimelineRow<'v, 'c>>,
}

#[derive(Debug)]
pub struct TimelineRow<'v, 'c> {
    pub implementation: &'v ImplementationView<'c>,
    pub verdict: &'v FamilyVerdict<'c>,
    pub statuses: Vec<Option<Status>>,
}

impl<'v, 'c> Timeline<'v, 'c> {
    pub fn new(
        catalog: &Catalog<'_>,
        implementations: &'v [ImplementationView<'c>],
        family: Family,
    ) -> Self {
        let minors = minors(catalog, implementations);
        let rows = implementations.iter().filter_map(|implementation| {
            let verdict = implementation.family(family)?;
            let statuses = minors.iter();
            Some(TimelineRow {
                statuses: statuses
                    .map(|minor| implementation.status(family, *minor))
                    .collect(),
                implementation,
                verdict,
            })
        });
        let mut rows: Vec<_> = rows.collect();
        rows.sort_by_cached_key(|row| {
            (row.verdict.order(), row.implementation.name.to_lowercase())
        });
        Self {
            family,
            reviews: reviews(catalog),
            minors,
            rows,
        }
    }
}

fn minors(catalog: &Catalog<'_>, implementations: &[ImplementationView<'_>]) -> Vec<Minor> {
    let newest = catalog.minors.newest_reported();
    let by_minor = implementations.iter().flat_map(|one| &one.entry.by_minor);
    let reported = by_minor.map(|(_, minor, _)| *minor);
    let minors: BTreeSet<Minor> = reported
        .filter(|minor| newest.is_some_and(|newest| *minor <= newest))
        .chain(newest)
        .collect();
    let surplus = minors.len().saturating_sub(MAX_MINORS);
    minors.into_iter().skip(surplus).collect()
}
