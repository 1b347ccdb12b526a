//! The `matrix/<minor>/<profile>` data files: feature states by report.

use std::ops::Range;

use serde::Serialize;

use super::Out;
use super::table::Table;
use crate::site::model::{MatrixRow, MatrixView, StateCounts};
use crate::site::paths;
use gwconform_base::api::{Family, Level};
use gwconform_base::release::Registry;
use gwconform_report::certify::Status;
use gwconform_report::document::{FeatureState, ReportRef};

/// Feature states of one profile in the reports of one minor.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "Matrix of features and reports"))]
pub struct Matrix<'c> {
    /// Minor of the reports.
    #[cfg_attr(test, schemars(extend("examples" = ["v1.5"])))]
    pub minor: String,
    /// Profile name as in reports.
    #[cfg_attr(test, schemars(extend("examples" = ["GATEWAY-HTTP"])))]
    pub profile: &'c str,
    /// Family that the profile belongs to.
    pub family: Family,
    /// Columns, sorted by implementation, release, implementation version, channel, mode and path.
    pub reports: &'c [Column<'c>],
    /// Rows, sorted by level (core first) and name.
    pub features: Vec<FeatureRow<'c>>,
    /// State counts over all cells of the matrix, or of the part.
    pub totals: StateCounts,
    /// Paths of the parts, relative to the site root. Present only if the matrix is split; `reports`
    /// and `cells` are then empty. Each part is a document of this schema with some of the columns,
    /// in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, schemars(default))]
    pub parts: Vec<String>,
}

/// A column of the matrix: one profile of one report.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Column<'c> {
    /// The report, which occurs twice if it lists the profile twice.
    #[serde(flatten)]
    pub report: ReportRef,
    /// Key of the implementation.
    pub implementation: &'c str,
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
    pub cells: &'c [FeatureState],
    /// State counts over the cells of this row, in all parts or in this part.
    pub totals: StateCounts,
}

/// Least size of a cell as JSON, without its text.
const MIN_CELL: usize = 40;

pub(super) fn write(view: &MatrixView<'_>, registry: &Registry, out: &mut Out<'_>) {
    let whole = Whole {
        view,
        columns: (0..view.columns.len()).map(|at| column(view, at)).collect(),
        cells: view
            .rows
            .iter()
            .map(|row| cells(view, row, registry))
            .collect(),
    };
    let name = paths::matrix_data(view.minor, view.profile);
    whole.write_table(Table::new(&name, COLUMNS), out);
    let rows = Some(view.rows.len());
    let all = 0..view.columns.len();
    let cells = whole.cells.iter().flatten();
    let mut size = cells.map(|cell| MIN_CELL + cell.text.len()).sum();
    // A matrix that is certainly too large is not rendered as a whole.
    if size <= out.max_json {
        let file = out.file(&name, &whole.document(all.clone(), Vec::new()));
        size = file.bytes.len();
        if size <= out.max_json {
            return out.json_file(file, "matrix", rows);
        }
    }
    let mut parts = Vec::new();
    whole.write_parts(&name, all, size, &mut parts, out);
    out.is_split_into(&name, parts.len());
    out.json(&name, "matrix", &whole.document(0..0, parts), rows);
}

/// Columns and cells of a matrix, which its documents and its table share.
struct Whole<'v, 'c> {
    view: &'v MatrixView<'c>,
    columns: Vec<Column<'c>>,
    /// Cells of each row.
    cells: Vec<Vec<FeatureState>>,
}

impl<'c> Whole<'_, 'c> {
    /// Document with a range of columns, or the index of the parts with the totals of all columns.
    fn document(&self, range: Range<usize>, parts: Vec<String>) -> Matrix<'_> {
        let mut totals = StateCounts::default();
        let features = self.view.rows.iter().zip(&self.cells).map(|(row, cells)| {
            let mut counts = StateCounts::default();
            for state in &row.states[range.clone()] {
                counts.add(state);
                totals.add(state);
            }
            FeatureRow {
                feature: row.feature,
                level: row.level,
                cells: &cells[range.clone()],
                totals: if parts.is_empty() { counts } else { row.counts },
            }
        });
        Matrix {
            minor: self.view.minor.to_string(),
            profile: self.view.profile,
            family: self.view.family,
            features: features.collect(),
            reports: &self.columns[range.clone()],
            totals: if parts.is_empty() {
                totals
            } else {
                self.view.counts
            },
            parts,
        }
    }

    /// Writes a range of columns, whose document has at least `size` bytes, in parts of similar size.
    fn write_parts(
        &self,
        name: &str,
        range: Range<usize>,
        size: usize,
        parts: &mut Vec<String>,
        out: &mut Out<'_>,
    ) {
        let count = size
            .div_ceil(out.max_json.max(1))
            .clamp(2, range.len().max(2));
        let step = range.len().div_ceil(count).max(1);
        for start in range.clone().step_by(step) {
            let own = start..range.end.min(start + step);
            let part = paths::data_part(name, parts.len() + 1);
            let file = out.file(&part, &self.document(own.clone(), Vec::new()));
            let size = file.bytes.len();
            if size > out.max_json && own.len() > 1 {
                self.write_parts(name, own, size, parts, out);
                continue;
            }
            parts.push(file.path.clone());
            out.json_file(file, "matrix", Some(self.view.rows.len()));
        }
    }

    fn write_table(&self, mut table: Table, out: &mut Out<'_>) {
        let columns = self.view.columns.iter().map(|column| column.report);
        let columns = columns.map(|report| (report, report.release().unwrap_or_default()));
        let columns: Vec<_> = columns.collect();
        for (row, cells) in self.view.rows.iter().zip(&self.cells) {
            for ((report, release), cell) in columns.iter().zip(cells) {
                let facts = report.facts();
                table.add_cells([
                    row.feature,
                    row.level.as_str(),
                    &report.id,
                    &report.implementation.slug,
                    release,
                    facts.version().unwrap_or_default(),
                    facts.channel().unwrap_or_default(),
                    facts.mode().unwrap_or_default(),
                    cell.state.as_str(),
                    &cell.text,
                    &cell.tests.join("; "),
                ]);
            }
            table.piece().into_iter().for_each(out.put);
        }
        out.csv(table);
    }
}

fn column<'c>(view: &MatrixView<'c>, at: usize) -> Column<'c> {
    let column = &view.columns[at];
    let report = column.report;
    Column {
        report: ReportRef::new(report.implementation, report.entry),
        implementation: &report.implementation.slug,
        status: column.status,
        totals: view.counts_of(at),
    }
}

fn cells(view: &MatrixView<'_>, row: &MatrixRow<'_>, registry: &Registry) -> Vec<FeatureState> {
    let cells = view.columns.iter().zip(&row.states);
    let cells = cells.map(|(column, state)| {
        let (report, profile) = (column.report, column.profile);
        FeatureState::new(
            state,
            report.in_words(profile, row.feature, state, registry),
        )
    });
    cells.collect()
}

const COLUMNS: &str = "\
    feature,level,report,implementation,release,implementation_version,channel,mode,state,\
    text,tests";
