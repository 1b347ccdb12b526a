//! The data file `index.json`: data files, totals, and omitted inputs.

use std::collections::BTreeSet;

use serde::Serialize;

use super::DataFile;
use crate::site::Input;
use crate::site::model::{SiteModel, left_out};
use crate::site::paths;
use gwconform_base::api::Family;
use gwconform_report::certify::catalog::LeftOut;
use gwconform_report::certify::{AsOf, Standing};
use gwconform_report::rules::conflicts::ConflictingReports;

/// Settings and totals of the site, with lists of its data files and feeds.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "Index of the data"))]
pub struct Index {
    /// Commit of the reports tree as 7 to 64 hexadecimal digits; null if not configured.
    #[cfg_attr(test, schemars(extend("pattern" = "^[0-9a-f]{7,64}$")))]
    pub tree_commit: Option<String>,
    /// URL of the site root; null if not configured.
    #[cfg_attr(test, schemars(extend("format" = "uri")))]
    pub base_url: Option<String>,
    /// URL of the reports tree in its repository; null if not configured.
    #[cfg_attr(test, schemars(extend("format" = "uri")))]
    pub tree_url: Option<String>,
    /// Newest minor that counts toward verdicts; null if no release review is over.
    pub newest_minor: Option<String>,
    /// Date of the verdicts.
    #[serde(flatten)]
    pub as_of: AsOf,
    /// Number of newest minors in which a conformant profile counts.
    pub conformant_minors: u32,
    /// Number of newest minors in which a partially conformant profile counts.
    pub partially_conformant_minors: u32,
    /// Counts over the whole tree.
    pub counts: Counts,
    /// Data files with paths relative to the site root.
    pub files: Vec<DataEntry>,
    /// Paths of all Atom feeds, relative to the site root.
    pub feeds: Vec<String>,
    /// Files and documents that no data file includes, with reasons.
    pub left_out: Vec<LeftOut>,
    /// Reports of different implementations that claim the same run or similar names, sorted. They
    /// affect no verdict.
    pub conflicts: BTreeSet<ConflictingReports>,
    /// Reports that some data files include only in part, with reasons.
    pub partly_left_out: Vec<LeftOut>,
}

/// Counts over the whole tree.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Counts {
    /// Number of reports in the `reports` data file.
    pub reports: usize,
    /// Number of files and documents that no data file includes.
    pub left_out: usize,
    /// Number of implementations.
    pub implementations: usize,
    /// Verdict counts for the gateway family.
    pub gateway: Standings,
    /// Verdict counts for the mesh family.
    pub mesh: Standings,
}

/// Numbers of implementations by verdict in a family. Implementations without a profile of the
/// family are not counted.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Standings {
    /// Number of implementations with the verdict `conformant`.
    pub conformant: usize,
    /// Number of implementations with the verdict `partially-conformant`.
    pub partially_conformant: usize,
    /// Number of implementations without a current verdict.
    pub not_current: usize,
}

/// A JSON or CSV file below `api/v1/`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DataEntry {
    /// Path relative to the site root.
    pub path: String,
    /// Schema path relative to the site root; null for CSV.
    pub schema: Option<String>,
    /// Number of entries; in a matrix, the number of features (JSON) or cells (CSV).
    pub rows: Option<usize>,
    /// CSV columns; empty for JSON.
    pub columns: Vec<&'static str>,
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
        path: file.path.clone(),
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
        tree_commit: input.revision.map(|revision| revision.as_str().to_owned()),
        base_url: input.base.map(|base| base.as_str().to_owned()),
        tree_url: input
            .config
            .source_url
            .as_ref()
            .map(|url| url.get_ref().to_string()),
        newest_minor: catalog.minors.newest().map(|minor| minor.to_string()),
        as_of: catalog.as_of,
        conformant_minors: catalog.windows.conformant,
        partially_conformant_minors: catalog.windows.partial,
        counts: Counts {
            reports: model.reports().len(),
            left_out: left_out.len(),
            implementations: catalog.implementations.len(),
            gateway: standings(model, Family::Gateway),
            mesh: standings(model, Family::Mesh),
        },
        files,
        feeds: feeds.to_vec(),
        left_out,
        conflicts: catalog.conflicts.clone(),
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

fn partly_left_out(model: &SiteModel<'_>) -> Vec<LeftOut> {
    let mut all = model.not_in_matrix.clone();
    for report in model.reports() {
        let facts = report.facts();
        let mut add = |reason: &str| {
            all.push(LeftOut {
                path: facts.path.clone(),
                document: Some(facts.document),
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
