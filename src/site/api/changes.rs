//! The `changes` data file: differences between consecutive reports.

use serde::Serialize;

use super::table::{Column, Table, cell};
use super::{Items, Out, VERSION};
use crate::review::diff::{ChangeFields, Diff};
use crate::site::model::{ReportView, SiteModel};

/// Changes in each report since the previous report, newest first. Reports without a date are last.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "Changes"))]
pub struct Changes {
    /// Format version, always 1.
    #[cfg_attr(test, schemars(extend("const" = 1)))]
    pub version: u32,
    /// One entry per report, even if the report has no changes.
    #[cfg_attr(test, schemars(with = "Vec<ReportChanges<'static>>"))]
    pub changes: Items,
    /// Paths of the parts, relative to the site root. Present only if the list is split; `changes` is
    /// then empty. Each part is a document of this schema, and the parts contain the entries in
    /// order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, schemars(default))]
    pub parts: Vec<String>,
}

/// Changes in one report since the previous report.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ReportChanges<'c> {
    /// Report `id` in the `reports` data file.
    pub report: &'c str,
    /// Implementation, such as `acme/operator`.
    pub implementation: &'c str,
    /// Report date in UTC; null if missing or invalid.
    #[cfg_attr(test, schemars(extend("format" = "date-time")))]
    pub time: Option<String>,
    /// `id` of the report that the changes are relative to; null if no other report is comparable.
    pub previous: Option<&'c str>,
    #[serde(flatten)]
    pub diff: &'c Diff,
}

pub(super) fn write(model: &SiteModel<'_>, out: &mut Out<'_>) {
    let reports = model.newest_first().into_iter();
    out.list(
        "changes",
        Table::new("changes", &columns()),
        reports.map(|report| changed(report, model)),
        |report, table| rows(report).for_each(|row| table.add(&columns(), &row)),
        |changes, parts| Changes {
            version: VERSION,
            changes,
            parts: parts.unwrap_or_default(),
        },
    );
}

fn changed<'c>(report: &'c ReportView<'c>, model: &'c SiteModel<'c>) -> ReportChanges<'c> {
    let previous = model.previous(report);
    ReportChanges {
        report: &report.id,
        implementation: &report.implementation.slug,
        time: report.date.map(|date| date.to_string()),
        previous: previous.map(|previous| previous.id.as_str()),
        diff: &report.diff,
    }
}

/// Row of the CSV table: report, group (such as `regression`), and change. The change is `None`
/// without a previous report.
type Place<'m> = (
    &'m ReportChanges<'m>,
    &'static str,
    Option<ChangeFields<'m>>,
);

fn columns<'m>() -> [Column<Place<'m>>; 10] {
    [
        ("time", |(report, _, _)| cell(report.time.as_ref())),
        ("implementation", |(report, _, _)| {
            report.implementation.to_owned()
        }),
        ("report", |(report, _, _)| report.report.to_owned()),
        ("previous", |(report, _, _)| cell(report.previous)),
        ("group", |(_, group, _)| (*group).to_owned()),
        ("kind", |(_, _, change)| {
            change
                .as_ref()
                .map_or_else(|| "report".to_owned(), |one| one.kind.to_string())
        }),
        ("profile", |(_, _, change)| {
            cell(change.as_ref().and_then(|one| one.profile))
        }),
        ("name", |(_, _, change)| {
            cell(change.as_ref().and_then(|one| one.name))
        }),
        ("old", |(_, _, change)| {
            cell(change.as_ref().and_then(|one| one.old))
        }),
        ("new", |(_, _, change)| {
            cell(change.as_ref().and_then(|one| one.new))
        }),
    ]
}

/// One row per change, and per report without a previous report.
fn rows<'c>(report: &'c ReportChanges<'c>) -> impl Iterator<Item = Place<'c>> {
    let first = report.previous.is_none().then_some((report, "new", None));
    let groups = [
        ("regression", &report.diff.regressions),
        ("gain", &report.diff.gains),
        ("metadata", &report.diff.metadata),
    ];
    let changes = groups.into_iter().flat_map(move |(group, changes)| {
        changes
            .iter()
            .map(move |change| (report, group, Some(change.fields())))
    });
    first.into_iter().chain(changes)
}
