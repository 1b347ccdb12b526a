//! The site data below `api/v1/`.
//!
//! Later versions only add fields. A change of meaning requires `api/v2/`. Each JSON file has
//! `version: 1` and a JSON Schema below `schema/`.
//!
//! Each table is also available as CSV with one row per item. CSV lists are joined by `; `, and
//! control characters are escaped. A leading `'` prevents spreadsheets from evaluating cells that
//! start with `=`, `+`, `-`, `@`, `'`, a tab or a line end as formulas.
//!
//! Report IDs have the form `<implementation>/<release>/<report>`. Implementation IDs have the form
//! `<organization>/<project>`.
//!
//! A JSON file of more than 5 MB is split: `NAME.json` lists the paths of its parts `NAME/1.json`,
//! `NAME/2.json` and so on. CSV files are never split, because spreadsheets import one file.

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

use std::collections::BTreeMap;

use rayon::prelude::*;
use serde::Serialize;
use serde_json::value::RawValue;

use gwconform_base::release::Registry;
use gwconform_report::document::Document;

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

struct DataFile {
    path: String,
    schema: Option<&'static str>,
    rows: Option<usize>,
    columns: Vec<&'static str>,
}

/// Passes on each data file, and lists it for the index. Large trees have data files of many
/// megabytes, so lists are written item by item.
struct Out<'o> {
    put: &'o (dyn Fn(File) + Sync),
    registry: &'o Registry,
    /// Folder of the tree in its repository.
    tree: &'o str,
    /// Size in bytes from which a JSON file is split.
    max_json: usize,
    files: Vec<DataFile>,
    parts: PartCounts,
}

/// Number of parts of each split file, by name.
pub(super) type PartCounts = BTreeMap<String, usize>;

/// Items of a list as JSON. Only the items of one file are in memory.
type Items = Vec<Box<RawValue>>;

impl Out<'_> {
    fn json(
        &mut self,
        name: &str,
        schema: &'static str,
        document: &impl Serialize,
        rows: Option<usize>,
    ) {
        self.json_file(self.file(name, document), schema, rows);
    }

    fn file(&self, name: &str, content: &impl Serialize) -> File {
        let tree = Some(self.tree.to_owned());
        json(name, &Document::new(self.registry, tree, content))
    }

    fn json_file(&mut self, file: File, schema: &'static str, rows: Option<usize>) {
        self.files.push(DataFile {
            path: file.path.clone(),
            schema: Some(schema),
            rows,
            columns: Vec::new(),
        });
        (self.put)(file);
    }

    fn is_split_into(&mut self, name: &str, parts: usize) {
        if parts > 0 {
            self.parts.insert(name.to_owned(), parts);
        }
    }

    fn csv(&mut self, mut table: Table) {
        (self.put)(table.rest());
        self.files.push(DataFile {
            path: table.path,
            schema: None,
            rows: Some(table.rows),
            columns: table.columns,
        });
    }

    /// Writes a list as a table and as JSON. `add` adds the rows of an item, and `own` names the file
    /// that contains only this item. `document` creates the document of a part (`None`), or of the
    /// whole list with the paths of its parts.
    fn list<T: Serialize, D: Serialize>(
        &mut self,
        name: &'static str,
        mut table: Table,
        all: impl Iterator<Item = T>,
        add: impl Fn(T, &mut Table),
        own: impl Fn(&T) -> Option<String>,
        document: impl Fn(Items, Option<Vec<String>>) -> D,
    ) {
        let (mut items, mut size, mut count) = (Items::new(), 0, 0);
        let mut parts = Vec::new();
        let mut put_part = |out: &mut Self, items: Items| {
            let rows = Some(items.len());
            let part = paths::data_part(name, parts.len() + 1);
            let file = out.file(&part, &document(items, None));
            parts.push(file.path.clone());
            out.json_file(file, name, rows);
        };
        for item in all {
            // Serialization cannot fail: all values are strings and numbers.
            let Ok(json) = serde_json::value::to_raw_value(&item) else {
                continue;
            };
            if let Some(own) = own(&item) {
                self.json(&own, name, &document(vec![json.clone()], None), Some(1));
            }
            add(item, &mut table);
            table.piece().into_iter().for_each(self.put);
            let length = json.get().len() + 1;
            if size + length > self.max_json && !items.is_empty() {
                put_part(self, std::mem::take(&mut items));
                size = 0;
            }
            (size, count) = (size + length, count + 1);
            items.push(json);
        }
        if count > items.len() {
            put_part(self, std::mem::take(&mut items));
        }
        self.csv(table);
        self.is_split_into(name, parts.len());
        self.json(name, name, &document(items, Some(parts)), Some(count));
    }
}

/// Renders the data files. `feeds` contains the feed paths that the index lists.
pub(super) fn make(
    model: &SiteModel<'_>,
    input: &Input<'_>,
    feeds: &[String],
    max_json: usize,
    put: &(dyn Fn(File) + Sync),
) -> PartCounts {
    let empty = || Out {
        put,
        registry: input.registry,
        tree: input.tree,
        max_json,
        files: Vec::new(),
        parts: PartCounts::new(),
    };
    let writers: [&(dyn Fn(&mut Out<'_>) + Sync); 7] = [
        &|out| {
            for view in &model.matrices {
                matrix::write(view, model.registry, out);
            }
        },
        &|out| features::write(model, out),
        &|out| reports::write(model, out),
        &|out| implementations::write(model, out),
        &|out| findings::write(model, input.config, out),
        &|out| changes::write(model, out),
        &|out| support::write(model, out),
    ];
    let written = writers.par_iter().map(|write| {
        let mut out = empty();
        write(&mut out);
        out
    });
    let mut out = written.reduce(empty, |mut out, other| {
        out.files.extend(other.files);
        out.parts.extend(other.parts);
        out
    });
    let index = index::document(model, input, &out.files, feeds);
    out.json("index", "index", &index, None);
    put(openapi::file(&out.files, input));
    for &(name, schema) in gwconform_schema::API_SCHEMAS {
        put(File::new(paths::schema_file(name), schema));
    }
    out.parts
}

fn json(name: &str, document: &impl Serialize) -> File {
    // Serialization cannot fail: all values are strings and numbers.
    let text = gwconform_base::text::json::to_string_for_markup(document);
    debug_assert!(text.is_ok());
    let text = text.unwrap_or_default() + "\n";
    File::new(paths::data_file(&format!("{name}.json")), text)
}
