//! Lists the features in a report by resource. Each column covers one or more profiles.

use std::collections::HashMap;

use super::layout::SiteContext;
use super::mark::Mark;
use crate::site::model::{ReportView, is_claimed, label, rank, resource};
use crate::site::paths;
use gwconform_report::certify::catalog::State;

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
    for (resource, row) in rows(site, columns) {
        if !row.is_supported {
            others.push(row);
            continue;
        }
        match groups.last_mut() {
            Some((last, rows)) if *last == resource => rows.push(row),
            _ => groups.push((resource.to_owned(), vec![row])),
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

/// Rows with their resource, sorted by resource and name.
fn rows<'s>(site: &SiteContext<'s>, columns: &[Column<'_>]) -> Vec<(&'s str, FeatureRow)> {
    let model = site.model;
    let mut rows: Vec<(&str, FeatureRow)> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    for (at, column) in columns.iter().enumerate() {
        for InColumn {
            name,
            is_core,
            state,
            profile,
        } in states(column)
        {
            let place = *places.entry(name).or_insert_with(|| {
                let known = model.feature(name);
                let resource = resource(model.registry, name);
                let page = known.and_then(|known| known.page.clone());
                let row = FeatureRow {
                    label: known.map_or_else(|| label(name, resource), |known| known.label.clone()),
                    id: page.is_some().then(|| paths::feature_row(name)),
                    page,
                    name: name.to_owned(),
                    is_core,
                    cells: vec![None; columns.len()],
                    is_supported: false,
                };
                rows.push((resource, row));
                rows.len() - 1
            });
            let row = &mut rows[place].1;
            row.is_core |= is_core;
            row.is_supported |= is_claimed(state);
            let words = column.report.in_words(profile, name, state, model.registry);
            row.cells[at] = Some(Mark::state(state.kind(), words));
        }
    }
    rows.sort_by(|(a, one), (b, other)| (a, &one.name).cmp(&(b, &other.name)));
    rows
}

struct InColumn<'r> {
    name: &'r str,
    is_core: bool,
    state: &'r State,
    profile: usize,
}

/// Best state of each feature and level in the profiles of the column, sorted by name, core last. A
/// state that is not carried over is preferred.
fn states<'r>(column: &Column<'r>) -> Vec<InColumn<'r>> {
    let features = column.report.features.iter();
    let of_column = features.filter(|features| column.profiles.contains(&features.profile));
    let states = of_column.flat_map(|features| {
        let core = features.core.iter().map(|one| (one, true));
        let extended = features.extended.iter().map(|one| (one, false));
        core.chain(extended)
            .map(|((name, state), is_core)| InColumn {
                name,
                is_core,
                state,
                profile: features.profile,
            })
    });
    let mut states: Vec<InColumn<'_>> = states.collect();
    states.sort_by_cached_key(|one| {
        let is_carried_over = column.report.is_carried_over(one.profile, one.name);
        (one.name, one.is_core, rank(one.state), is_carried_over)
    });
    states.dedup_by(|later, first| (later.name, later.is_core) == (first.name, first.is_core));
    states
}
