use std::collections::BTreeSet;

use super::implementation::{FamilyVerdict, ImplementationView, MAX_MINORS, reviews};
use gwconform_base::api::Minor;
use gwconform_report::certify::catalog::Catalog;
use gwconform_report::certify::{Standing, Status};

/// Verdicts of all implementations by minor.
#[derive(Debug)]
pub struct Timeline<'v, 'c> {
    pub minors: Vec<Minor>,
    pub reviews: Vec<Minor>,
    /// Rows by verdict (best first), report (newest first) and name.
    pub rows: Vec<TimelineRow<'v, 'c>>,
}

/// An implementation with its gateway verdict, or its mesh verdict if it is only a mesh.
#[derive(Debug)]
pub struct TimelineRow<'v, 'c> {
    pub implementation: &'v ImplementationView<'c>,
    pub verdict: &'v FamilyVerdict<'c>,
    /// The mesh verdict of a gateway.
    pub mesh: Option<&'v FamilyVerdict<'c>>,
    pub statuses: Vec<Option<Status>>,
}

impl<'v, 'c> Timeline<'v, 'c> {
    pub fn new(catalog: &Catalog<'_>, implementations: &'v [ImplementationView<'c>]) -> Self {
        let minors = minors(catalog, implementations);
        let rows = implementations.iter().filter_map(|implementation| {
            let (verdict, others) = implementation.families.split_first()?;
            let statuses = minors.iter();
            Some(TimelineRow {
                statuses: statuses
                    .map(|minor| implementation.status(verdict.family, *minor))
                    .collect(),
                mesh: others.first(),
                implementation,
                verdict,
            })
        });
        let mut rows: Vec<_> = rows.collect();
        rows.sort_by_cached_key(|row| {
            (row.verdict.order(), row.implementation.name.to_lowercase())
        });
        Self {
            reviews: reviews(catalog),
            minors,
            rows,
        }
    }
}

/// Reviews until which a verdict is valid if no report is submitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stages {
    /// Last review of the conformant verdict; `None` if the verdict is already partial.
    pub conformant: Option<Minor>,
    /// Last review of the partially conformant verdict; `None` if the verdict is never partial.
    pub partial: Option<Minor>,
}

impl Stages {
    pub fn new(catalog: &Catalog<'_>, verdict: &FamilyVerdict<'_>) -> Option<Self> {
        let certified = verdict.certified;
        let until = certified.until?;
        if certified.standing != Standing::Conformant {
            return Some(Self {
                conformant: None,
                partial: Some(until),
            });
        }
        let from = certified.basis.minor;
        let end = from.and_then(|from| catalog.minors.end(from, catalog.windows.partial));
        Some(Self {
            conformant: Some(until),
            partial: end.filter(|end| *end > until),
        })
    }

    /// Review at which the verdict changes first.
    pub fn next(&self) -> Option<Minor> {
        self.conformant.or(self.partial)
    }
}

fn minors(catalog: &Catalog<'_>, implementations: &[ImplementationView<'_>]) -> Vec<Minor> {
    let newest = catalog.newest_reported;
    let by_minor = implementations.iter().flat_map(|one| &one.entry.by_minor);
    let reported = by_minor.map(|(_, minor, _)| *minor);
    let minors: BTreeSet<Minor> = reported
        .filter(|minor| newest.is_some_and(|newest| *minor <= newest))
        .chain(newest)
        .collect();
    let surplus = minors.len().saturating_sub(MAX_MINORS);
    minors.into_iter().skip(surplus).collect()
}
