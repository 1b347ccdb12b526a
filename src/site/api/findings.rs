use serde::Serialize;
use serde_json::json;

use super::table::Table;
use super::{Items, Out};
use crate::site::model::{FindingView, SiteModel};
use gwconform_report::document::Finding;
use gwconform_report::rules::configuration::Config;

/// All findings, sorted by severity, rule and location.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "Findings"))]
pub struct Findings {
    /// One entry per finding, sorted by severity, rule and location.
    #[cfg_attr(test, schemars(with = "Vec<FindingEntry<'static>>"))]
    pub findings: Items,
    /// Paths of the parts, relative to the site root. Present only if the list is split; `findings` is
    /// then empty. Each part is a document of this schema, and the parts contain the entries in
    /// order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, schemars(default))]
    pub parts: Vec<String>,
}

/// A finding, and what it concerns.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FindingEntry<'c> {
    #[serde(flatten)]
    finding: Finding<'c>,
    /// Key of the implementation; null if the path is not in a submission that contains a report.
    implementation: Option<&'c str>,
    /// Key of the first report in the file; null if the file has no report.
    report: Option<&'c str>,
}

pub(super) fn write(model: &SiteModel<'_>, config: &Config, out: &mut Out<'_>) {
    out.list(
        "findings",
        Table::new("findings", COLUMNS),
        model.findings.iter().map(|view| finding(view, config)),
        |finding, table| table.add(&[&json!(finding)]),
        |_| None,
        |findings, parts| Findings {
            findings,
            parts: parts.unwrap_or_default(),
        },
    );
}

fn finding<'c>(view: &'c FindingView<'c>, config: &Config) -> FindingEntry<'c> {
    FindingEntry {
        finding: Finding::new(view.finding, config),
        implementation: view.implementation.map(|one| one.slug.as_str()),
        report: view.report.map(|report| report.id.as_str()),
    }
}

const COLUMNS: &str = "severity,rule,path,line,column,message,help,implementation,report";
