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
mod findings;
mod implementations;
mod index;
mod matrix;
mod reports;
mod support;
mod table;

use serde::Serialize;

use super::model::SiteModel;
use super::paths;
use super::{File, Input};
use table::Table;

pub use changes::Changes;
pub use features::{Feature, Features};
pub use findings::Findings;
pub use implementations::Implementations;
pub use index::Index;
pub use matrix::{Column, Matrix};
pub use reports::Reports;
pub use support::Support;

/// Version of all formats.
const VERSION: u32 = 1;

/// A file of the data, and what `index.json` has about it.
struct DataFile {
    file: File,
    schema: Option<&'static str>,
    rows: Option<usize>,
    columns: Vec<String>,
}

impl DataFile {
    fn json(name: &str, schema: &'static str, document: &impl Serialize) -> Self {
        Self {
            file: json(name, document),
            schema: Some(schema),
            rows: None,
            columns: Vec::new(),
        }
    }

    fn csv(name: &str, table: Table) -> Self {
        Self {
            file: File::new(paths::data_file(&format!("{name}.csv")), table.csv),
            schema: None,
            rows: Some(table.rows),
            columns: table.columns,
        }
    }

    fn with_rows(self, rows: usize) -> Self {
        Self {
            rows: Some(rows),
            ..self
        }
    }
}

/// All files of the data. `feeds` are the paths of the feeds, for the index.
pub(super) fn files(model: &SiteModel<'_>, input: &Input<'_>, feeds: &[String]) -> Vec<File> {
    let mut files = tables(model);
    let parts = support::parts(model);
    for (name, support) in paths::support_data(parts.len()).iter().zip(&parts) {
        let count = support.reports.len();
        files.push(DataFile::json(name, "support", support).with_rows(count));
    }
    let index = index::document(model, input, &files, feeds);
    files.push(DataFile::json("index", "index", &index));
    let schemas = gwconform_schema::API_SCHEMAS
        .iter()
        .map(|&(name, schema)| File::new(paths::schema_file(name), schema));
    files
        .into_iter()
        .map(|data| data.file)
        .chain(schemas)
        .collect()
}

/// The documents that are tables too, in both forms.
fn tables(model: &SiteModel<'_>) -> Vec<DataFile> {
    let reports = reports::document(model);
    let implementations = implementations::document(model);
    let features = features::document(model);
    let changes = changes::document(model);
    let findings = findings::document(model);
    let mut files = vec![
        DataFile::csv("reports", reports.table()),
        DataFile::json("reports", "reports", &reports).with_rows(reports.reports.len()),
        DataFile::csv("implementations", implementations.table()),
        DataFile::json("implementations", "implementations", &implementations)
            .with_rows(implementations.implementations.len()),
        DataFile::csv("features", features.table()),
        DataFile::json("features", "features", &features).with_rows(features.features.len()),
        DataFile::csv("findings", findings.table()),
        DataFile::json("findings", "findings", &findings).with_rows(findings.findings.len()),
        DataFile::csv("changes", changes.table()),
        DataFile::json("changes", "changes", &changes).with_rows(changes.changes.len()),
    ];
    for view in &model.matrices {
        let matrix = matrix::document(view, model.registry);
        let name = paths::matrix_data(view.minor, view.profile);
        files.push(DataFile::csv(&name, matrix.table()));
        files.push(DataFile::json(&name, "matrix", &matrix).with_rows(matrix.features.len()));
    }
    files
}

/// A document on one line, which can be put into a page.
fn json(name: &str, document: &impl Serialize) -> File {
    // Structs of strings and numbers: there is nothing that JSON could not say.
    let text = crate::text::json::to_string_for_markup(document);
    debug_assert!(text.is_ok());
    let text = text.unwrap_or_default() + "\n";
    File::new(paths::data_file(&format!("{name}.json")), text)
}
