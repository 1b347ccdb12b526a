//! `matrix/<minor>/<profile>`: features by reports.

use serde::Serialize;

use super::VERSION;
use super::table::{self, Table, cell, joined};
use crate::api::{Family, Level};
use crate::certify::Status;
use crate::certify::catalog::StateKind;
use crate::release::Registry;
use crate::site::model::{MatrixColumn, MatrixRow, MatrixView, StateCounts, affected_tests, text};

/// The states of the features of one profile in the reports of one minor.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "Matrix of features and reports"))]
pub struct Matrix<'c> {
    /// Version of this format.
    #[cfg_attr(test, schemars(extend("const" = 1)))]
    pub version: u32,
    /// The minor.
    #[cfg_attr(test, schemars(extend("examples" = ["v1.5"])))]
    pub minor: String,
    /// The profile, as the reports name it.
    #[cfg_attr(test, schemars(extend("examples" = ["GATEWAY-HTTP"])))]
    pub profile: &'c str,
    /// The family of the profile.
    pub family: Family,
    /// The columns, by implementation, release, implementation version, channel, mode and path.
    pub reports: Vec<Column<'c>>,
    /// The rows: core features, then extended ones, by name.
    pub features: Vec<FeatureRow<'c>>,
    /// All cells together.
    pub totals: StateCounts,
}

/// A profile of a report.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Column<'c> {
    /// The report (its `id`). It occurs twice when the report has the profile twice.
    pub report: &'c str,
    /// The implementation's name in addresses.
    pub implementation: &'c str,
    /// The release that the report is for.
    pub release: Option<String>,
    /// `implementation.version`.
    pub implementation_version: Option<&'c str>,
    /// `gatewayAPIChannel`.
    pub channel: Option<&'c str>,
    /// `mode`.
    pub mode: Option<&'c str>,
    /// The verdict on the profile.
    pub status: Status,
    /// The cells of the column.
    pub totals: StateCounts,
}

/// A feature.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FeatureRow<'c> {
    /// Its name.
    pub feature: &'c str,
    /// Its level in the profile: core when it is core in one release of the minor.
    pub level: Level,
    /// One cell for each column, in their order.
    pub cells: Vec<Cell<'c>>,
    /// The cells of the row.
    pub totals: StateCounts,
}

/// The state of a feature in a report.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Cell<'c> {
    /// Its state.
    pub state: StateKind,
    /// The same in a sentence, with tests by name.
    pub text: String,
    /// The tests that were skipped, that failed, or that exist and were not run; left out when
    /// there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, schemars(default))]
    pub tests: Vec<&'c str>,
}

pub(super) fn document<'c>(view: &'c MatrixView<'c>, registry: &Registry) -> Matrix<'c> {
    Matrix {
        version: VERSION,
        minor: view.minor.to_string(),
        profile: view.profile,
        family: view.family,
        reports: view.columns.iter().map(column).collect(),
        features: view
            .rows
            .iter()
            .map(|row| self::row(view, row, registry))
            .collect(),
        totals: view.counts,
    }
}

fn column<'c>(column: &MatrixColumn<'c>) -> Column<'c> {
    let report = column.report;
    let facts = report.facts();
    Column {
        report: &report.id,
        implementation: &report.implementation.slug,
        release: report.release(),
        implementation_version: text(&facts.version),
        channel: text(&facts.channel),
        mode: text(&facts.mode),
        status: column.status,
        totals: column.counts,
    }
}

fn row<'c>(view: &MatrixView<'c>, row: &MatrixRow<'c>, registry: &Registry) -> FeatureRow<'c> {
    let cells = view.columns.iter().zip(&row.states);
    let cells = cells.map(|(column, state)| Cell {
        state: state.kind(),
        text: column
            .report
            .state_in_words(column.profile, row.feature, registry),
        tests: affected_tests(state).iter().map(AsRef::as_ref).collect(),
    });
    FeatureRow {
        feature: row.feature,
        level: row.level,
        cells: cells.collect(),
        totals: row.counts,
    }
}

/// A cell with its row and its column.
type Place<'m> = (&'m FeatureRow<'m>, &'m Column<'m>, &'m Cell<'m>);

fn columns<'m>() -> [table::Column<Place<'m>>; 11] {
    [
        ("feature", |(row, _, _)| row.feature.to_owned()),
        ("level", |(row, _, _)| row.level.to_string()),
        ("report", |(_, column, _)| column.report.to_owned()),
        ("implementation", |(_, column, _)| {
            column.implementation.to_owned()
        }),
        ("release", |(_, column, _)| cell(column.release.as_ref())),
        ("implementation_version", |(_, column, _)| {
            cell(column.implementation_version)
        }),
        ("channel", |(_, column, _)| cell(column.channel)),
        ("mode", |(_, column, _)| cell(column.mode)),
        ("state", |(_, _, cell)| cell.state.to_string()),
        ("text", |(_, _, cell)| cell.text.clone()),
        ("tests", |(_, _, cell)| joined(&cell.tests)),
    ]
}

impl Matrix<'_> {
    /// One row for each cell.
    pub(super) fn table(&self) -> Table {
        let cells = self.features.iter().flat_map(|row| {
            let cells = self.reports.iter().zip(&row.cells);
            cells.map(move |(column, cell)| (row, column, cell))
        });
        Table::new(&columns(), cells)
    }
}
