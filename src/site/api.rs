//! The data of the site: `api/v1/`.
//!
//! A stable contract. Fields are only ever added; a field that changes its meaning makes an
//! `api/v2/`. Each JSON file has `version: 1` and a schema, which lies beside it under `schema/`.
//! Each table is also there as CSV (`index.json` names the columns): one row for each thing, lists
//! joined by `; `, control characters as escapes (`\n`). Cells that begin with `=`, `+`, `-`, `@`, a
//! tab, a line end or `'` have one more `'` in front, so that no spreadsheet runs them as a formula.
//!
//! A report is called `<implementation>/<release>/<report>` in all files, an implementation by its
//! part of addresses.

mod changes;
mod features;
mod implementations;
mod index;
mod matrix;
mod reports;
pub(super) mod support;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::table::Table;
use super::{BaseUrl, File, View, paths};
use crate::catalog;
use crate::report::schema::of_output;

pub use changes::Changes;
pub use features::{Feature, Features};
pub use implementations::Implementations;
pub use index::Index;
pub use matrix::{Column, Matrix, Totals};
pub use reports::Reports;
pub use support::Support;

/// Version of all formats.
const VERSION: u32 = 1;

/// The schema of each kind of JSON file, by its name.
pub fn schemas() -> [(&'static str, Value); 7] {
    [
        ("changes", of_output::<Changes<'_>>()),
        ("features", of_output::<Features<'_>>()),
        ("implementations", of_output::<Implementations<'_>>()),
        ("index", of_output::<Index>()),
        ("matrix", of_output::<Matrix<'_>>()),
        ("reports", of_output::<Reports<'_>>()),
        ("support", of_output::<Support<'_>>()),
    ]
}

/// Something that has no place, and why.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct LeftOut {
    /// The file, relative to the reports tree, always with `/`.
    pub path: String,
    /// Which document of the file, from 0; 0 also when the file as a whole is meant.
    pub document: usize,
    /// Why, and what of it.
    pub reason: String,
}

impl From<&catalog::LeftOut> for LeftOut {
    fn from(left_out: &catalog::LeftOut) -> Self {
        Self {
            path: left_out.path.clone(),
            document: left_out.document,
            reason: left_out.reason.clone(),
        }
    }
}

/// A file of the data, on its way to `index.json`.
struct Made {
    file: File,
    schema: Option<&'static str>,
    rows: Option<usize>,
    columns: &'static [&'static str],
}

/// The larger parts of the data, which pages show too.
pub(super) struct Data<'c> {
    pub(super) features: Features<'c>,
    /// The newest minor first.
    pub(super) matrices: Vec<Matrix<'c>>,
    not_in_matrix: Vec<LeftOut>,
}

impl<'c> Data<'c> {
    pub(super) fn of(view: &'c View<'c>) -> Self {
        let (matrices, not_in_matrix) = matrix::of(view);
        Self {
            features: features::of(view),
            matrices,
            not_in_matrix,
        }
    }
}

/// All files of the data. `feeds` are the paths of the feeds, for the index.
pub(super) fn files(
    view: &View<'_>,
    data: &Data<'_>,
    base: Option<&BaseUrl>,
    feeds: &[String],
) -> Vec<File> {
    let mut made = Vec::new();
    let reports = reports::of(view);
    made.extend(both(
        "reports",
        "reports",
        &reports,
        reports.reports.len(),
        reports.table(),
    ));
    let implementations = implementations::of(view);
    let count = implementations.implementations.len();
    let table = implementations.table();
    made.extend(both(
        "implementations",
        "implementations",
        &implementations,
        count,
        table,
    ));
    let features = &data.features;
    let count = features.features.len();
    made.extend(both(
        "features",
        "features",
        features,
        count,
        features.table(),
    ));
    let changes = changes::of(view);
    let count = changes.changes.len();
    made.extend(both("changes", "changes", &changes, count, changes.table()));
    for matrix in &data.matrices {
        let name = paths::matrix_data(&matrix.minor, matrix.profile);
        let count = matrix.features.len();
        made.extend(both(&name, "matrix", matrix, count, matrix.table()));
    }
    let support = support::of(view);
    made.push(Made {
        file: json(paths::data_file("support.json"), &support),
        schema: Some("support"),
        rows: Some(support.reports.len()),
        columns: &[],
    });
    for (name, schema) in schemas() {
        made.push(Made {
            file: File::new(paths::schema_file(name), format!("{schema:#}\n")),
            schema: None,
            rows: None,
            columns: &[],
        });
    }
    let index = index::of(view, base, &made, feeds, &data.not_in_matrix);
    made.push(Made {
        file: json(paths::data_file("index.json"), &index),
        schema: Some("index"),
        rows: None,
        columns: &[],
    });
    made.into_iter().map(|made| made.file).collect()
}

/// A table in its two forms.
fn both(
    name: &str,
    schema: &'static str,
    document: &impl Serialize,
    count: usize,
    table: Table,
) -> [Made; 2] {
    let csv = Made {
        file: File::new(paths::data_file(&format!("{name}.csv")), table.to_csv()),
        schema: None,
        rows: Some(table.rows.len()),
        columns: table.columns,
    };
    let json = Made {
        file: json(paths::data_file(&format!("{name}.json")), document),
        schema: Some(schema),
        rows: Some(count),
        columns: &[],
    };
    [csv, json]
}

/// A document on one line. What would end a script or begin a tag if someone puts the text into a
/// page stands as an escape, which JSON allows inside of strings, and there alone these occur.
fn json(path: String, document: &impl Serialize) -> File {
    // Structs of strings and numbers: there is nothing that JSON could not say.
    let text = crate::json::to_string(document);
    debug_assert!(text.is_ok());
    let mut escaped = String::new();
    for c in text.unwrap_or_default().chars() {
        match c {
            '<' | '>' | '&' | '\u{7F}'..='\u{9F}' | '\u{2028}' | '\u{2029}' => {
                escaped.push_str(&format!("\\u{:04x}", u32::from(c)));
            }
            c => escaped.push(c),
        }
    }
    escaped.push('\n');
    File::new(path, escaped)
}
