//! `matrix/<minor>/<profile>`: features by reports.

use schemars::JsonSchema;
use serde::Serialize;

use super::VERSION;
use super::table::{Table, joined};
use crate::api::{Family, Level};
use crate::certify::Status;
use crate::certify::catalog::StateKind;
use crate::release::Registry;
use crate::report::schema;
use crate::site::model::{MatrixColumn, MatrixRow, MatrixView, StateCounts, affected_tests, text};

/// The states of the features of one profile in the reports of one minor.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "Matrix of features and reports", transform = schema::with_id("api-matrix"))]
pub struct Matrix<'c> {
    /// Version of this format.
    #[schemars(extend("const" = 1))]
    pub version: u32,
    /// The minor.
    #[schemars(extend("examples" = ["v1.5"]))]
    pub minor: String,
    /// The profile, as the reports name it.
    #[schemars(extend("examples" = ["GATEWAY-HTTP"]))]
    pub profile: &'c str,
    /// The family of the profile.
    pub family: Family,
    /// The columns, by implementation, release, implementation version, channel, mode and path.
    pub reports: Vec<Column<'c>>,
    /// The rows: core features, then extended ones, by name.
    pub features: Vec<Row<'c>>,
    /// All cells together.
    pub totals: Totals,
}

/// A profile of a report.
#[derive(Debug, Serialize, JsonSchema)]
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
    pub totals: Totals,
}

/// A feature.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Row<'c> {
    /// Its name.
    pub feature: &'c str,
    /// Its level in the profile: core when it is core in one release of the minor.
    pub level: Level,
    /// One cell for each column, in their order.
    pub cells: Vec<Cell<'c>>,
    /// The cells of the row.
    pub totals: Totals,
}

/// The state of a feature in a report.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Cell<'c> {
    /// Its state.
    pub state: StateKind,
    /// The same in a sentence, with tests by name.
    pub text: String,
    /// The tests that were skipped, that failed, or that exist and were not run; left out when
    /// there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    pub tests: Vec<&'c str>,
}

/// How many cells there are in each state.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Totals {
    /// All cells.
    pub cells: usize,
    /// Cells with a claimed feature: proved, partly-seen, not-seen, skipped, no-test, claimed,
    /// failed.
    pub supported: usize,
    /// Supported and proved: all tests were seen to pass.
    pub proved: usize,
    /// Supported, some tests had not finished when the report was written.
    pub partly_seen: usize,
    /// Supported, no test had finished when the report was written.
    pub not_seen: usize,
    /// Supported, tests skipped.
    pub skipped: usize,
    /// Claimed, no test ran.
    pub no_test: usize,
    /// Claimed, what tests show is not known.
    pub claimed: usize,
    /// Declared unsupported.
    pub unsupported: usize,
    /// Derived as not claimed.
    pub not_claimed: usize,
    /// Not stated.
    pub not_stated: usize,
    /// Supported, tests failed.
    pub failed: usize,
    /// Not in the release.
    pub not_in_release: usize,
}

impl From<StateCounts> for Totals {
    fn from(counts: StateCounts) -> Self {
        Self {
            cells: counts.cells,
            supported: counts.supported,
            proved: counts.proved,
            partly_seen: counts.partly_seen,
            not_seen: counts.not_seen,
            skipped: counts.skipped,
            no_test: counts.no_test,
            claimed: counts.claimed,
            unsupported: counts.unsupported,
            not_claimed: counts.not_claimed,
            not_stated: counts.not_stated,
            failed: counts.failed,
            not_in_release: counts.not_in_release,
        }
    }
}

pub(super) fn of<'c>(view: &'c MatrixView<'c>, registry: &Registry) -> Matrix<'c> {
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
        totals: view.counts.into(),
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
        totals: column.counts.into(),
    }
}

fn row<'c>(view: &MatrixView<'c>, row: &MatrixRow<'c>, registry: &Registry) -> Row<'c> {
    let cells = view.columns.iter().zip(&row.states);
    let cells = cells.map(|(column, state)| Cell {
        state: state.kind(),
        text: column
            .report
            .state_in_words(column.profile, row.feature, registry),
        tests: affected_tests(state).iter().map(AsRef::as_ref).collect(),
    });
    Row {
        feature: row.feature,
        level: row.level,
        cells: cells.collect(),
        totals: row.counts.into(),
    }
}

/// A row of the table: a cell of the matrix.
#[derive(Default, Serialize)]
struct CellRow<'c> {
    feature: &'c str,
    level: &'c str,
    report: &'c str,
    implementation: &'c str,
    release: Option<&'c str>,
    implementation_version: Option<&'c str>,
    channel: Option<&'c str>,
    mode: Option<&'c str>,
    state: &'c str,
    text: &'c str,
    tests: String,
}

impl Matrix<'_> {
    /// One row for each cell.
    pub(super) fn table(&self) -> Table {
        let mut rows = Vec::new();
        for feature in &self.features {
            for (column, cell) in self.reports.iter().zip(&feature.cells) {
                rows.push(CellRow {
                    feature: feature.feature,
                    level: feature.level.as_str(),
                    report: column.report,
                    implementation: column.implementation,
                    release: column.release.as_deref(),
                    implementation_version: column.implementation_version,
                    channel: column.channel,
                    mode: column.mode,
                    state: cell.state.as_str(),
                    text: &cell.text,
                    tests: joined(&cell.tests),
                });
            }
        }
        Table::of(&rows)
    }
}
