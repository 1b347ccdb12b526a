//! The features of a report as a table: grouped by resource, one column for each profile.

use std::collections::BTreeMap;

use super::mark::Mark;
use super::page::SiteContext;
use crate::site::model::{ReportView, is_claimed, label, resource};

/// Features of some profiles of a report: a row for each, a column for each profile.
pub(super) struct FeatureTable {
    /// The profiles' names.
    pub(super) profiles: Vec<String>,
    /// By resource: those that a profile supports.
    pub(super) groups: Vec<(String, Vec<FeatureRow>)>,
    /// Those that none supports.
    pub(super) others: Vec<FeatureRow>,
}

/// A feature in each profile.
pub(super) struct FeatureRow {
    pub(super) name: String,
    pub(super) label: String,
    pub(super) page: Option<String>,
    pub(super) is_core: bool,
    pub(super) cells: Vec<Option<Mark>>,
    pub(super) is_supported: bool,
}

/// The features of profiles of a report, given by name and place.
pub(super) fn table(
    site: &SiteContext<'_>,
    report: &ReportView<'_>,
    profiles: &[(String, usize)],
) -> FeatureTable {
    let mut groups: Vec<(String, Vec<FeatureRow>)> = Vec::new();
    let mut others = Vec::new();
    for ((resource, _), row) in rows(site, report, profiles) {
        if !row.is_supported {
            others.push(row);
            continue;
        }
        match groups.last_mut() {
            Some((last, rows)) if *last == resource => rows.push(row),
            _ => groups.push((resource, vec![row])),
        }
    }
    FeatureTable {
        profiles: profiles.iter().map(|(name, _)| name.clone()).collect(),
        groups,
        others,
    }
}

/// The rows by resource and name.
fn rows(
    site: &SiteContext<'_>,
    report: &ReportView<'_>,
    profiles: &[(String, usize)],
) -> BTreeMap<(String, String), FeatureRow> {
    let model = site.model;
    let mut rows: BTreeMap<(String, String), FeatureRow> = BTreeMap::new();
    for (column, (_, profile)) in profiles.iter().enumerate() {
        let mut features = report.features.iter();
        let Some(features) = features.find(|features| features.profile == *profile) else {
            continue;
        };
        let core = features.core.iter().map(|(name, _)| (name, true));
        let extended = features.extended.iter().map(|(name, _)| (name, false));
        for (name, is_core) in core.chain(extended) {
            let resource = resource(model.registry, name);
            let state = report.state(*profile, name, model.registry);
            let key = (resource, name.to_string());
            let row = rows
                .entry(key)
                .or_insert_with_key(|(resource, name)| FeatureRow {
                    label: label(name, resource),
                    page: model.set.feature_page(name),
                    name: name.clone(),
                    is_core,
                    cells: vec![None; profiles.len()],
                    is_supported: false,
                });
            row.is_supported |= is_claimed(state);
            row.cells[column] = Some(Mark::state(state));
        }
    }
    rows
}
