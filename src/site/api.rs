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
    path: String,
    schema: Option<&'static str>,
    rows: Option<usize>,
    columns: Vec<String>,
}

/// Passes on each data file, and lists it for the index. Large trees have data files of many
/// megabytes, so only one is in memory.
struct Out<'o> {
    put: &'o dyn Fn(File),
    files: Vec<DataFile>,
}

impl Out<'_> {
    fn json(
        &mut self,
        name: &str,
        schema: &'static str,
        document: &impl Serialize,
        rows: Option<usize>,
    ) {
        let file = json(name, document);
        self.files.push(DataFile {
            path: file.path.clone(),
            schema: Some(schema),
            rows,
            columns: Vec::new(),
        });
        (self.put)(file);
    }

    fn csv(&mut self, name: &str, table: Table) {
        let path = paths::data_file(&format!("{name}.csv"));
        self.files.push(DataFile {
            path: path.clone(),
            schema: None,
            rows: Some(table.rows),
            columns: table.columns,
        });
        (self.put)(File::new(path, table.csv));
    }
}

/// Renders the data files. `feeds` contains the feed paths that the index lists.
pub(super) fn make(model: &SiteModel<'_>, input: &Input<'_>, feeds: &[String], put: &dyn Fn(File)) {
    let mut out = Out {
        put,
        files: Vec::new(),
    };
    tables(model, &mut out);
    let parts = support::parts(model);
    for (name, reports) in paths::support_data(parts.len()).iter().zip(parts) {
        let support = support::document(model, reports);
        out.json(name, "support", &support, Some(reports.len()));
    }
    let index = index::document(model, input, &out.files, feeds);
    out.json("index", "index", &index, None);
    put(openapi::file(&out.files, input));
    for &(name, schema) in gwconform_schema::API_SCHEMAS {
        put(File::new(paths::schema_file(name), schema));
    }
}

fn tables(model: &SiteModel<'_>, out: &mut Out<'_>) {
    let reports = reports::document(model);
    out.csv("reports", reports.table());
    out.json("reports", "reports", &reports, Some(reports.reports.len()));
    drop(reports);
    let all = implementations::document(model);
    let count = all.implementations.len();
    out.csv("implementations", all.table());
    out.json("implementations", "implementations", &all, Some(count));
    drop(all);
    let features = features::document(model);
    let count = features.features.len();
    out.csv("features", features.table());
    out.json("features", "features", &features, Some(count));
    drop(features);
    let findings = findings::document(model);
    let count = findings.findings.len();
    out.csv("findings", findings.table());
    out.json("findings", "findings", &findings, Some(count));
    drop(findings);
    let changes = changes::document(model);
    out.csv("changes", changes.table());
    out.json("changes", "changes", &changes, Some(changes.changes.len()));
    drop(changes);
    for view in &model.matrices {
        let matrix = matrix::document(view, model.registry);
        let name = paths::matrix_data(view.minor, view.profile);
        out.csv(&name, matrix.table());
        out.json(&name, "matrix", &matrix, Some(matrix.features.len()));
    }
}

fn json(name: &str, document: &impl Serialize) -> File {
    // Serialization cannot fail: all values are strings and numbers.
    let text = crate::text::json::to_string_for_markup(document);
    debug_assert!(text.is_ok());
    let text = text.unwrap_or_default() + "\n";
    File::new(paths::data_file(&format!("{name}.json")), text)
}
