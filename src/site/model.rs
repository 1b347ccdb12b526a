//! The data of the site, computed once from the catalog: typed views of implementations, reports,
//! features and matrices. Pages, data and feeds are made from these, each without the others.
//!
//! Nothing here is HTML, JSON or XML; texts are those that more than one of them has.

mod current;
mod events;
mod feature;
mod feature_names;
mod finding;
mod implementation;
mod matrix;
mod report;
mod report_set;
mod support;
mod timeline;
mod words;

pub use crate::certify::catalog::{is_claimed, rank};
pub use crate::text::listed;

pub use current::Setting;
pub use events::{FeatureEvent, FeatureEventKind, InProfile, feature_events, gained, lost};
pub use feature::{FeatureSupport, FeatureView};
pub use feature_names::{label, resource};
pub use finding::FindingView;
pub use implementation::{
    FamilyVerdict, FeatureCounts, ImplementationView, NEXT_REVIEWS, ProfileStatus, family_name,
};
pub use matrix::{MatrixColumn, MatrixRow, MatrixView};
pub use report::{ReportView, text};
pub use report_set::ReportSet;
pub use support::{StateCounts, affected_tests};
pub use timeline::{Timeline, TimelineRow};
pub use words::{report_name, submission_name};

use std::cmp::Reverse;
use std::collections::BTreeSet;

use crate::api::Family;
use crate::certify::catalog::{Catalog, LeftOut};
use crate::release::Registry;
use crate::site::badge::BadgeScopes;
use crate::text::diagnostic::Diagnostic;

/// Most reports in a part of the data that pages load: with all features, a part is half a megabyte.
const MAX_PART: usize = 500;

/// Everything that the site shows.
pub struct SiteModel<'c> {
    pub catalog: &'c Catalog<'c>,
    pub registry: &'c Registry,
    /// The reports, and what pages and files there are.
    pub set: &'c ReportSet<'c>,
    /// What there are badges for.
    pub issued: BadgeScopes,
    /// The implementations, in the catalog's order.
    pub implementations: Vec<ImplementationView<'c>>,
    /// Every feature that a release has or a report names, by name.
    pub features: Vec<FeatureView<'c>>,
    /// The newest minor first.
    pub matrices: Vec<MatrixView<'c>>,
    /// By severity, rule and place.
    pub findings: Vec<FindingView<'c>>,
    /// Profiles and features of reports that have no place in a matrix.
    pub not_in_matrix: Vec<LeftOut>,
}

impl<'c> SiteModel<'c> {
    pub fn new(set: &'c ReportSet<'c>, findings: &'c [Diagnostic]) -> Self {
        let issued = BadgeScopes::new(set.catalog);
        let (matrices, not_in_matrix) = matrix::all(set);
        Self {
            catalog: set.catalog,
            registry: set.registry,
            implementations: ImplementationView::all(set, &issued),
            features: feature::all(set),
            findings: finding::all(set, findings),
            issued,
            matrices,
            not_in_matrix,
            set,
        }
    }

    /// The verdicts of a family over the releases.
    pub fn timeline(&self, family: Family) -> Timeline<'_, 'c> {
        Timeline::new(self.catalog, &self.implementations, family)
    }

    /// All reports, implementation by implementation.
    pub fn reports(&self) -> &'c [ReportView<'c>] {
        &self.set.reports
    }

    /// The reports in parts that a page can load one by one.
    pub fn parts(&self) -> std::slice::Chunks<'c, ReportView<'c>> {
        self.reports().chunks(MAX_PART)
    }

    /// The report before another one.
    pub fn previous(&self, report: &ReportView<'_>) -> Option<&'c ReportView<'c>> {
        self.set.reports.get(report.previous?)
    }

    /// All reports, the newest first; those without a date last.
    pub fn newest_first(&self) -> Vec<&'c ReportView<'c>> {
        let mut reports: Vec<_> = self.set.reports.iter().collect();
        reports.sort_by(|a, b| (Reverse(a.date), &a.id).cmp(&(Reverse(b.date), &b.id)));
        reports
    }
}

/// What of a tree is not among its reports at all, and why. What a catalog leaves out of a report
/// that is there is a remark on it.
pub fn left_out<'c>(catalog: &'c Catalog<'_>) -> Vec<&'c LeftOut> {
    let reports: BTreeSet<_> = catalog
        .reports()
        .map(|(_, report)| {
            let facts = report.judged.facts;
            (facts.path.as_str(), facts.document)
        })
        .collect();
    let is_report =
        |left_out: &&LeftOut| reports.contains(&(left_out.path.as_str(), left_out.document));
    let all = catalog.left_out.iter();
    all.filter(|left_out| !is_report(left_out)).collect()
}
