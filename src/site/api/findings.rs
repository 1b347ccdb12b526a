use serde::Serialize;
use serde_json::json;

use super::table::Table;
use super::{Items, Out};
use crate::site::model::{FindingView, SiteModel};

/// All findings, sorted by severity, rule and location.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "Findings"))]
pub struct Findings {
    /// One entry per finding, sorted by severity, rule and location.
    #[cfg_attr(test, schemars(with = "Vec<Finding<'static>>"))]
    pub findings: Items,
    /// Paths of the parts, relative to the site root. Present only if the list is split; `findings` is
    /// then empty. Each part is a document of this schema, and the parts contain the entries in
    /// order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, schemars(default))]
    pub parts: Vec<String>,
}

/// A finding of `gwconform check`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Finding<'c> {
    /// `error`, `warning` or `info`.
    pub severity: &'static str,
    /// Rule ID, such as `report/date`.
    pub rule: &'static str,
    /// File or folder relative to the reports tree, with `/` separators.
    pub path: &'c str,
    /// Line, from 1; null if the finding covers the whole file or folder.
    pub line: Option<u32>,
    /// Column in characters, from 1; null if the finding covers the whole file or folder.
    pub column: Option<u32>,
    /// Description of the problem and the expected value.
    pub message: String,
    /// Suggested correction; null if the rule suggests none.
    pub help: Option<String>,
    /// Implementation, such as `acme/operator`; null if the path is not in a submission that contains a report.
    pub implementation: Option<&'c str>,
    /// `id` of the first report in the file; null if the file has no report.
    pub report: Option<&'c str>,
}

pub(super) fn write(model: &SiteModel<'_>, out: &mut Out<'_>) {
    out.list(
        "findings",
        Table::new("findings", COLUMNS),
        model.findings.iter().map(finding),
        |finding, table| table.add(&[&json!(finding)]),
        |findings, parts| Findings {
            findings,
            parts: parts.unwrap_or_default(),
        },
    );
}

fn finding<'c>(view: &'c FindingView<'c>) -> Finding<'c> {
    let finding = view.finding;
    let start = finding.place.region.as_ref().map(|region| region.start);
    Finding {
        severity: finding.severity.as_str(),
        rule: finding.rule,
        path: &finding.place.path,
        line: start.map(|start| start.line),
        column: start.map(|start| start.column),
        message: finding.message.to_string(),
        help: finding.help.as_ref().map(ToString::to_string),
        implementation: view.implementation.map(|one| one.slug.as_str()),
        report: view.report.map(|report| report.id.as_str()),
    }
}

const COLUMNS: &str = "severity,rule,path,line,column,message,help,implementation,report";
