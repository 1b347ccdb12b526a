//! Computes the data of the site once, independently of the output format.

mod adoption;
mod current;
mod events;
mod feature;
mod feature_names;
mod finding;
mod gaps;
mod implementation;
mod matrix;
mod report;
mod report_set;
mod state_counts;
mod support;
mod terms;
mod test;
mod timeline;
mod display_names;

pub use gwconform_base::text::listed;
pub use gwconform_report::certify::catalog::{is_claimed, rank};

pub use adoption::{
    Adoption, ByImplementation, FeatureWord, Share, StateIn, is_experimental, is_proved, tests_in,
};
pub use display_names::{Minors, report_name, submission_name};
pub use events::{FeatureEvent, FeatureEventKind, InProfile, feature_events, gained, lost};
pub use feature::FeatureView;
pub use feature_names::{label, resource};
pub use finding::FindingView;
pub use gaps::{Gap, GapKind, Gaps};
pub use implementation::{
    FamilyVerdict, FeatureCounts, ImplementationView, NEXT_REVIEWS, ProfileStatus, family_name,
};
pub use matrix::{MatrixColumn, MatrixRow, MatrixView};
pub use report::{ReportView, text};
pub use report_set::ReportSet;
pub use state_counts::StateCounts;
pub use support::Support;
pub use terms::{TERMS, Term, term};
pub use test::{TestView, is_same_implementation};
pub use timeline::{Stages, Timeline, TimelineRow};

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use crate::site::badge::BadgeScopes;
use gwconform_base::api::Minor;
use gwconform_base::release::Registry;
use gwconform_base::text::diagnostic::Diagnostic;
use gwconform_report::certify::catalog::{Catalog, Implementation, LeftOut};
use implementation::MAX_MINORS;

pub struct SiteModel<'c> {
    pub catalog: &'c Catalog<'c>,
    pub registry: &'c Registry,
    pub set: &'c ReportSet<'c>,
    pub issued: BadgeScopes,
    /// Sorted by organization and project.
    pub implementations: Vec<ImplementationView<'c>>,
    /// Gaps in each family.
    pub gaps: Vec<Gaps<'c>>,
    /// Sorted by name; only features of known releases.
    pub features: Vec<FeatureView<'c>>,
    /// Sorted by name.
    pub tests: Vec<TestView<'c>>,
    /// Support of each feature that a report names.
    states: BTreeMap<&'c str, ByImplementation<'c>>,
    no_states: ByImplementation<'c>,
    /// Newest minor first.
    pub matrices: Vec<MatrixView<'c>>,
    pub findings: Vec<FindingView<'c>>,
    /// Profiles and features that no matrix includes.
    pub not_in_matrix: Vec<LeftOut>,
    pub parts: Parts<'c>,
}

/// Reports of each `support` data file. Pages load older reports only on request.
pub struct Parts<'c> {
    pub all: Vec<Vec<&'c ReportView<'c>>>,
    /// Number of parts without reports for current minors. These parts are first.
    pub older: usize,
}

impl<'c> Parts<'c> {
    fn new(set: &'c ReportSet<'c>, max_part: usize) -> Self {
        let reports: Vec<_> = set.reports.iter().collect();
        if reports.len() <= max_part {
            return Self {
                all: vec![reports],
                older: 0,
            };
        }
        let current = set.catalog.current_minors();
        let is_current = |report: &&ReportView<'_>| {
            let minor = report.minor();
            minor.is_some_and(|minor| current.contains(&minor))
        };
        let (current, older): (Vec<_>, Vec<_>) = reports.into_iter().partition(is_current);
        let number = older.len().div_ceil(max_part);
        let parts = older.chunks(max_part).chain(current.chunks(max_part));
        Self {
            all: parts.map(<[_]>::to_vec).collect(),
            older: if current.is_empty() { 0 } else { number },
        }
    }
}

impl<'c> SiteModel<'c> {
    /// `max_part` is the maximum number of reports in a `support` data file.
    pub fn new(set: &'c ReportSet<'c>, findings: &'c [Diagnostic], max_part: usize) -> Self {
        let issued = BadgeScopes::new(set.registry);
        let (matrices, not_in_matrix) = matrix::all(set);
        let implementations = ImplementationView::all(set, &issued);
        Self {
            catalog: set.catalog,
            registry: set.registry,
            gaps: Gaps::all(set, &implementations),
            states: adoption::all(&implementations),
            no_states: ByImplementation::default(),
            implementations,
            features: feature::all(set),
            tests: test::all(set),
            findings: finding::all(set, findings),
            issued,
            matrices,
            not_in_matrix,
            parts: Parts::new(set, max_part),
            set,
        }
    }

    pub fn states(&self, feature: &str) -> &ByImplementation<'c> {
        self.states.get(feature).unwrap_or(&self.no_states)
    }

    pub fn implementation(&self, entry: &Implementation<'_>) -> Option<&ImplementationView<'c>> {
        let name = (entry.organization, entry.project);
        let all = &self.implementations;
        let found =
            all.binary_search_by_key(&name, |one| (one.entry.organization, one.entry.project));
        all.get(found.ok()?)
    }

    /// Feature of a known release.
    pub fn feature(&self, name: &str) -> Option<&FeatureView<'c>> {
        let found = self.features.binary_search_by(|one| one.name.cmp(name));
        self.features.get(found.ok()?)
    }

    /// Support of a feature by each implementation, current or not.
    pub fn support(&self, feature: &str) -> Vec<Support<'_, 'c>> {
        let mut states = self.states(feature).iter().peekable();
        let all = self.implementations.iter().enumerate();
        all.map(|(nth, one)| {
            let own = states.next_if(|(at, _)| *at == nth);
            let own = own.map(|(_, own)| own).unwrap_or_default();
            Support::new(feature, one, own, self.registry)
        })
        .collect()
    }

    /// Minors for which a report supports any feature.
    pub fn minors_with_features(&self) -> BTreeSet<Minor> {
        let all = self.states.values();
        all.flat_map(ByImplementation::minors).collect()
    }

    pub fn adoption(&self, feature: &str) -> Adoption {
        adoption::of_feature(
            feature,
            self.states(feature),
            self.catalog.minors.newest(),
            self.registry,
        )
    }

    /// Matrices of the newest minors, which indexes list.
    pub fn listed_matrices(&self) -> &[MatrixView<'c>] {
        let mut minors = self.matrices.chunk_by(|a, b| a.minor == b.minor);
        let listed = minors.by_ref().take(MAX_MINORS).map(<[_]>::len).sum();
        &self.matrices[..listed]
    }

    pub fn timeline(&self) -> Timeline<'_, 'c> {
        Timeline::new(self.catalog, &self.implementations)
    }

    pub fn reports(&self) -> &'c [ReportView<'c>] {
        &self.set.reports
    }

    pub fn previous(&self, report: &ReportView<'_>) -> Option<&'c ReportView<'c>> {
        self.set.reports.get(report.previous?)
    }

    /// Sorts reports by date, newest first. Reports without a date are last.
    pub fn newest_first(&self) -> Vec<&'c ReportView<'c>> {
        let mut reports: Vec<_> = self.set.reports.iter().collect();
        reports.sort_by(|a, b| (Reverse(a.date), &a.id).cmp(&(Reverse(b.date), &b.id)));
        reports
    }
}

/// Parts of the tree that the reports of the catalog do not include. Omissions within a report are
/// remarks on that report.
pub fn left_out<'c>(catalog: &'c Catalog<'_>) -> Vec<&'c LeftOut> {
    let reports: BTreeSet<_> = catalog
        .reports()
        .map(|(_, report)| {
            let facts = report.judged.facts;
            (facts.path.as_str(), Some(facts.document))
        })
        .collect();
    let is_report =
        |left_out: &&LeftOut| reports.contains(&(left_out.path.as_str(), left_out.document));
    let all = catalog.left_out.iter();
    all.filter(|left_out| !is_report(left_out)).collect()
}
