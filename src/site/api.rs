//! The site data below `api/v1/`.
//!
//! Later versions only add fields. A change of meaning requires `api/v2/`. Each JSON file has
//! `version: 1` and a JSON Schema below `schema/`.
//!
//! Each table is also available as CSV with one row per item. CSV lists are joined by `; `, and
//! control characters are escaped. A leading `'` prevents spreadsheets from evaluating cells that
//! start with `=`, `+`, `-`, `@`, `'`, a tab or a line end as formulas.
//!
//! Report IDs have the form `<implementation>/<release>/<report>`. Implementation IDs are URL
//! slugs.

mod changes;
mod features;
mod findings;
mod implementations;
mod index;
mod matrix;
mod openapi;
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
pub(super) use openapi::{NAME as OPENAPI, described};
pub use reports::Reports;
pub use support::Support;

const VERSION: u32 = 1;

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

/// Renders the data files. `feeds` contains the feed paths that the index lists.
pub(super) fn files(model: &SiteModel<'_>, input: &Input<'_>, feeds: &[String]) -> Vec<File> {
    let mut files = tables(model);
    let parts = support::parts(model);
    for (name, support) in paths::support_data(parts.len()).iter().zip(&parts) {
        let count = support.reports.len();
        files.push(DataFile::json(name, "support", support).with_rows(count));
    }
    let index = index::document(model, input, &files, feeds);
    files.push(DataFile::json("index", "index", &index));
    let openapi = openapi::file(&files, input);
    let schemas = gwconform_schema::API_SCHEMAS
        .iter()
        .map(|&(name, schema)| File::new(paths::schema_file(name), schema));
    files
        .into_iter()
        .map(|data| data.file)
        .chain(schemas)
        .chain([openapi])
        .collect()
}

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

fn json(name: &str, document: &impl Serialize) -> File {
    // Serialization cannot fail: all values are strings and numbers.
    let text = crate::text::json::to_string_for_markup(document);
    debug_assert!(text.is_ok());
    let text = text.unwrap_or_default() + "\n";
    File::new(paths::data_file(&format!("{name}.json")), text)
}
