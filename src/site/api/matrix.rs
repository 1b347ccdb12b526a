//! The `matrix/<minor>/<profile>` data files: feature states by report.

use serde::Serialize;

use super::VERSION;
use super::table::{self, Table, cell, joined};
use crate::api::{Family, Level};
use crate::certify::Status;
use crate::certify::catalog::StateKind;
use crate::release::Registry;
use crate::site::model::{MatrixColumn, MatrixRow, MatrixView, StateCounts, affected_tests, text};

/// Feature states of one profile in the reports of one minor.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "Matrix of features and reports"))]
pub struct Matrix<'c> {
    /// Format version, always 1.
    #[cfg_attr(test, schemars(extend("const" = 1)))]
    pub version: u32,
    /// Minor of the reports.
    #[cfg_attr(test, schemars(extend("examples" = ["v1.5"])))]
    pub minor: String,
    /// Profile name as in reports.
    #[cfg_attr(test, schemars(extend("examples" = ["GATEWAY-HTTP"])))]
    pub profile: &'c str,
    /// Family that the profile belongs to.
    pub family: Family,
    /// Columns, sorted by implementation, release, implementation version, channel, mode and path.
    pub reports: Vec<Column<'c>>,
    /// Rows, sorted by level (core first) and name.
    pub features: Vec<FeatureRow<'c>>,
    /// State counts over all cells of the matrix.
    pub totals: StateCounts,
}

/// A column of the matrix: one profile of one report.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Column<'c> {
    /// Report `id`. The `id` occurs twice if the report lists the profile twice.
    pub report: &'c str,
    /// Implementation slug.
    pub implementation: &'c str,
    /// Release of the report, such as `v1.5.1`.
    pub release: Option<String>,
    /// `implementation.version` of the report; null if missing.
    pub implementation_version: Option<&'c str>,
    /// `gatewayAPIChannel` of the report; null if missing.
    pub channel: Option<&'c str>,
    /// `mode` of the report; null if missing.
    pub mode: Option<&'c str>,
    /// Status of the profile in this report.
    pub status: Status,
    /// State counts over the cells of this column.
    pub totals: StateCounts,
}

/// A row of the matrix: one feature.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FeatureRow<'c> {
    /// Feature name as in reports.
    pub feature: &'c str,
    /// Level in the profile; core if any release of the minor includes the feature as core.
    pub level: Level,
    /// One cell per column, in the order of `reports`.
    pub cells: Vec<Cell<'c>>,
    /// State counts over the cells of this row.
    pub totals: StateCounts,
}

/// State of a feature in a report.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Cell<'c> {
    /// Feature state in the report, such as `proved`.
    pub state: StateKind,
    /// Feature state as an English phrase that includes the affected tests.
    pub text: String,
    /// Tests that were skipped, failed, or exist but did not run; omitted if empty.
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
    pub(super) fn table(&self) -> Table {
        let cells = self.features.iter().flat_map(|row| {
            let cells = self.reports.iter().zip(&row.cells);
            cells.map(move |(column, cell)| (row, column, cell))
        });
        Table::new(&columns(), cells)
    }
}
