//! The `changes` data file: differences between consecutive reports.

use serde::Serialize;

use super::table::Table;
use super::{Items, Out};
use crate::site::model::{ReportView, SiteModel};
use gwconform_report::review::diff::{Change, Diff};

/// Changes in each report since the previous report, newest first. Reports without a date are last.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "Changes"))]
pub struct Changes {
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
    /// Key of the report.
    pub report: &'c str,
    /// Key of the implementation.
    pub implementation: &'c str,
    /// Report date in UTC; null if missing or invalid.
    #[cfg_attr(test, schemars(extend("format" = "date-time")))]
    pub time: Option<String>,
    /// Key of the report that the changes are relative to; null if no other report is comparable.
    pub previous_report: Option<&'c str>,
    #[serde(flatten)]
    pub diff: &'c Diff,
}

pub(super) fn write(model: &SiteModel<'_>, out: &mut Out<'_>) {
    let reports = model.newest_first().into_iter();
    out.list(
        "changes",
        Table::new("changes", COLUMNS),
        reports.map(|report| changed(report, model)),
        add_rows,
        |_| None,
        |changes, parts| Changes {
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
        previous_report: previous.map(|previous| previous.id.as_str()),
        diff: &report.diff,
    }
}

const COLUMNS: &str = "time,implementation,report,previous_report,group,kind,profile,name,old,new";

/// Adds one row per change, and per report without a previous report.
fn add_rows(report: ReportChanges<'_>, table: &mut Table) {
    let time = report.time.as_deref().unwrap_or_default();
    let previous = report.previous_report.unwrap_or_default();
    let of_report = [time, report.implementation, report.report, previous];
    let mut add = |change: [&str; 6]| table.add_cells(of_report.into_iter().chain(change));
    if report.previous_report.is_none() {
        add(["new", "report", "", "", "", ""]);
    }
    let groups = [
        ("regression", &report.diff.regressions),
        ("gain", &report.diff.gains),
        ("metadata", &report.diff.metadata),
    ];
    for (group, changes) in groups {
        for change in changes.iter().map(Change::fields) {
            let [profile, name, old, new] = [change.profile, change.name, change.old, change.new]
                .map(Option::unwrap_or_default);
            add([group, change.kind.as_str(), profile, name, old, new]);
        }
    }
}
