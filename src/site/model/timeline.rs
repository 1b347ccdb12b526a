//! The verdicts of a family over the releases, and at the next reviews.

use std::collections::BTreeSet;

use super::implementation::{FamilyVerdict, ImplementationView, reviews};
use crate::api::{Family, Minor};
use crate::certify::Status;
use crate::certify::catalog::Catalog;

/// Most minors that a timeline has: the newest ones.
const MAX_MINORS: usize = 10;

/// The verdicts of a family: a row for each implementation, a column for each minor.
#[derive(Debug)]
pub struct Timeline<'v, 'c> {
    pub family: Family,
    /// The minors that verdicts are for, oldest first.
    pub minors: Vec<Minor>,
    /// The next minors: what is conformant at their reviews if nothing is submitted.
    pub reviews: Vec<Minor>,
    /// In order of standing: better verdicts first, then newer ones, then by name.
    pub rows: Vec<TimelineRow<'v, 'c>>,
}

/// An implementation in a timeline.
#[derive(Debug)]
pub struct TimelineRow<'v, 'c> {
    pub implementation: &'v ImplementationView<'c>,
    pub verdict: &'v FamilyVerdict<'c>,
    /// The best verdict of its reports for each minor; `None` without a report.
    pub statuses: Vec<Option<Status>>,
}

impl<'v, 'c> Timeline<'v, 'c> {
    /// The timeline of a family.
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

/// The newest minors up to the newest one that counts, of all families: those with a report, and that
/// one.
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
