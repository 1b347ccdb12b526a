//! Lists the features in a report by resource. Each column covers one or more profiles.

use std::collections::BTreeMap;

use super::mark::Mark;
use super::page::SiteContext;
use crate::certify::catalog::State;
use crate::site::model::{ReportView, is_claimed, label, rank, resource};
use crate::site::paths;

pub(super) struct FeatureTable {
    pub(super) heads: Vec<ColumnHead>,
    pub(super) groups: Vec<(String, Vec<FeatureRow>)>,
    pub(super) others: Vec<FeatureRow>,
    /// True if the test results of a feature are unknown.
    pub(super) has_unknown: bool,
}

#[derive(Clone)]
pub(super) struct ColumnHead {
    pub(super) name: String,
    pub(super) note: Option<(String, String)>,
}

pub(super) struct Column<'r> {
    pub(super) head: ColumnHead,
    pub(super) report: &'r ReportView<'r>,
    pub(super) profiles: Vec<usize>,
}

pub(super) struct FeatureRow {
    pub(super) name: String,
    pub(super) label: String,
    pub(super) page: Option<String>,
    /// Element ID. `None` for a feature without a page, whose name can contain arbitrary
    /// characters.
    pub(super) id: Option<String>,
    pub(super) is_core: bool,
    pub(super) cells: Vec<Option<Mark>>,
    pub(super) is_supported: bool,
}

pub(super) fn table(site: &SiteContext<'_>, columns: &[Column<'_>]) -> FeatureTable {
    let mut groups: Vec<(String, Vec<FeatureRow>)> = Vec::new();
    let mut others = Vec::new();
    for ((resource, _), row) in rows(site, columns) {
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
        heads: columns.iter().map(|column| column.head.clone()).collect(),
        groups,
        others,
        has_unknown: columns.iter().any(has_unknown),
    }
}

fn has_unknown(column: &Column<'_>) -> bool {
    let mut states = column.report.states();
    states.any(|(profile, _, state)| {
        column.profiles.contains(&profile) && matches!(state, State::Claimed)
    })
}

fn rows(site: &SiteContext<'_>, columns: &[Column<'_>]) -> BTreeMap<(String, String), FeatureRow> {
    let model = site.model;
    let mut rows: BTreeMap<(String, String), FeatureRow> = BTreeMap::new();
    for (at, column) in columns.iter().enumerate() {
        for ((name, is_core), (state, profile)) in states(column) {
            let resource = resource(model.registry, name);
            let key = (resource, name.to_owned());
            let row = rows
                .entry(key)
                .or_insert_with_key(|(resource, name)| FeatureRow {
                    label: label(name, resource),
                    page: model.set.feature_page(name),
                    id: model
                        .set
                        .feature_page(name)
                        .map(|_| paths::feature_row(name)),
                    name: name.clone(),
                    is_core,
                    cells: vec![None; columns.len()],
                    is_supported: false,
                });
            row.is_core |= is_core;
            row.is_supported |= is_claimed(state);
            let words = column.report.in_words(profile, name, state, model.registry);
            row.cells[at] = Some(Mark::state(state.kind(), words));
        }
    }
    rows
}

type StateIn<'r> = (&'r State, usize);

/// Best state of each feature and level in the profiles of the column. A state that is not carried
/// over is preferred.
fn states<'r>(column: &Column<'r>) -> BTreeMap<(&'r str, bool), StateIn<'r>> {
    let report = column.report;
    let mut best: BTreeMap<(&str, bool), StateIn<'_>> = BTreeMap::new();
    let features = report.features.iter();
    for features in features.filter(|features| column.profiles.contains(&features.profile)) {
        let core = features.core.iter().map(|one| (one, true));
        let extended = features.extended.iter().map(|one| (one, false));
        for ((name, state), is_core) in core.chain(extended) {
            let name = &**name;
            let found = (state, features.profile);
            let cell = best.entry((name, is_core)).or_insert(found);
            let order = |(state, profile): StateIn<'_>| {
                (rank(state), report.is_carried_over(profile, name))
            };
            if order(found) < order(*cell) {
                *cell = found;
            }
        }
    }
    best
}
