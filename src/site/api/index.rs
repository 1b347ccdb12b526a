//! `index.json`: what there is, how much of it, and what was left out.

use serde::Serialize;

use super::{DataFile, VERSION};
use crate::api::Family;
use crate::certify::Standing;
use crate::certify::catalog::LeftOut;
use crate::site::Input;
use crate::site::generated_by;
use crate::site::model::{SiteModel, left_out};
use crate::site::paths;

/// The files of the data and the feeds.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "Index of the data"))]
pub struct Index {
    /// Version of this format, and of all the others.
    #[cfg_attr(test, schemars(extend("const" = 1)))]
    pub version: u32,
    /// The program that wrote the site, with its version.
    #[cfg_attr(test, schemars(extend("examples" = ["gwconform 0.1.0"])))]
    pub generated_by: String,
    /// The commit of the reports tree, where it was given: its hexadecimal digits.
    #[cfg_attr(test, schemars(extend("pattern" = "^[0-9a-f]{7,64}$")))]
    pub source_revision: Option<String>,
    /// The address of the site, where it was given.
    #[cfg_attr(test, schemars(extend("format" = "uri")))]
    pub base_url: Option<String>,
    /// The address of the reports tree in its repository, where it was given.
    #[cfg_attr(test, schemars(extend("format" = "uri")))]
    pub source_url: Option<String>,
    /// The minor that verdicts are counted back from; null when the tree has none.
    pub newest_minor: Option<String>,
    /// The day that verdicts are for, which decides about release reviews; null if no report has a date.
    #[cfg_attr(test, schemars(extend("format" = "date")))]
    pub as_of: Option<String>,
    /// For how many minors a conformant report counts.
    pub conformant_minors: u32,
    /// For how many minors a partial report counts.
    pub partially_conformant_minors: u32,
    /// How much there is.
    pub totals: Totals,
    /// The files, relative to the site.
    pub files: Vec<DataEntry>,
    /// The feeds, relative to the site.
    pub feeds: Vec<String>,
    /// Files and documents of the tree that are in none of the files.
    pub left_out: Vec<LeftOut>,
    /// Reports that are in some of the files and have no place in others.
    pub partly_left_out: Vec<LeftOut>,
}

/// How much there is.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Totals {
    /// Reports.
    pub reports: usize,
    /// Files and documents that are not among them.
    pub left_out: usize,
    /// Implementations.
    pub implementations: usize,
    /// What they are as gateways.
    pub gateway: Standings,
    /// What they are as meshes.
    pub mesh: Standings,
}

/// How many implementations have a standing in a family; those without a profile of it have none.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Standings {
    /// Conformant.
    pub conformant: usize,
    /// Partially conformant.
    pub partially_conformant: usize,
    /// Not current.
    pub not_current: usize,
}

/// A file of the data.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DataEntry {
    /// Its path, relative to the site.
    pub path: String,
    /// Its schema, relative to the site; null for CSV.
    pub schema: Option<String>,
    /// How many things are listed in it: of a matrix as JSON features, as CSV cells.
    pub rows: Option<usize>,
    /// The columns of CSV; empty for JSON.
    pub columns: Vec<String>,
}

pub(super) fn document(
    model: &SiteModel<'_>,
    input: &Input<'_>,
    files: &[DataFile],
    feeds: &[String],
) -> Index {
    let catalog = model.catalog;
    let left_out: Vec<LeftOut> = left_out(model.catalog).into_iter().cloned().collect();
    let entry = |file: &DataFile| DataEntry {
        path: file.file.path.clone(),
        schema: file.schema.map(paths::schema_file),
        rows: file.rows,
        columns: file.columns.clone(),
    };
    let is_data = |file: &&DataFile| file.schema.is_some() || !file.columns.is_empty();
    let mut files: Vec<DataEntry> = files.iter().filter(is_data).map(entry).collect();
    files.push(DataEntry {
        path: paths::data_file("index.json"),
        schema: Some(paths::schema_file("index")),
        rows: None,
        columns: Vec::new(),
    });
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Index {
        version: VERSION,
        generated_by: generated_by(),
        source_revision: input.revision.map(|revision| revision.as_str().to_owned()),
        base_url: input.base.map(|base| base.as_str().to_owned()),
        source_url: input.source.map(str::to_owned),
        newest_minor: catalog.minors.newest().map(|minor| minor.to_string()),
        as_of: catalog.day.map(|day| day.to_string()),
        conformant_minors: catalog.windows.conformant,
        partially_conformant_minors: catalog.windows.partial,
        totals: Totals {
            reports: model.reports().len(),
            left_out: left_out.len(),
            implementations: catalog.implementations.len(),
            gateway: standings(model, Family::Gateway),
            mesh: standings(model, Family::Mesh),
        },
        files,
        feeds: feeds.to_vec(),
        left_out,
        partly_left_out: partly_left_out(model),
    }
}

fn standings(model: &SiteModel<'_>, family: Family) -> Standings {
    let count = |standing| {
        let all = model.catalog.implementations.iter();
        let with = all.filter_map(|one| one.family(family));
        with.filter(|certified| certified.standing == standing)
            .count()
    };
    Standings {
        conformant: count(Standing::Conformant),
        partially_conformant: count(Standing::PartiallyConformant),
        not_current: count(Standing::NotCurrent),
    }
}

/// Remarks on reports, profiles in no matrix, and reports in no feed.
fn partly_left_out(model: &SiteModel<'_>) -> Vec<LeftOut> {
    let mut all = model.not_in_matrix.clone();
    for report in model.reports() {
        let facts = report.facts();
        let mut add = |reason: &str| {
            all.push(LeftOut {
                path: facts.path.clone(),
                document: facts.document,
                reason: reason.to_owned(),
            });
        };
        if report.date.is_none() {
            add("in no feed: it has no readable date");
        }
        report.remarks.iter().copied().for_each(add);
    }
    all.sort_by(|a, b| (&a.path, a.document, &a.reason).cmp(&(&b.path, b.document, &b.reason)));
    all
}
