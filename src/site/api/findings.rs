//! `findings`: what the rules found in the tree.

use serde::Serialize;

use super::VERSION;
use super::table::{Column, Table, cell};
use crate::site::model::{FindingView, SiteModel};

/// All findings of the tree: by severity, rule and place.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "Findings"))]
pub struct Findings<'c> {
    /// Version of this format.
    #[cfg_attr(test, schemars(extend("const" = 1)))]
    pub version: u32,
    /// One entry for each finding.
    pub findings: Vec<Finding<'c>>,
}

/// A finding.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Finding<'c> {
    /// `error`, `warning` or `info`.
    pub severity: &'static str,
    /// The rule's id.
    pub rule: &'static str,
    /// The file or folder, relative to the reports tree, always with `/`.
    pub path: &'c str,
    /// The line, from 1; null for a file or folder as a whole.
    pub line: Option<u32>,
    /// The column in characters, from 1.
    pub column: Option<u32>,
    /// What is wrong, and what was expected.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
    /// The implementation's name in addresses; null for what is in no submission with a report.
    pub implementation: Option<&'c str>,
    /// The report (its `id`), the first one of its file.
    pub report: Option<&'c str>,
}

pub(super) fn document<'c>(model: &'c SiteModel<'c>) -> Findings<'c> {
    Findings {
        version: VERSION,
        findings: model.findings.iter().map(finding).collect(),
    }
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

fn columns<'m>() -> [Column<&'m Finding<'m>>; 9] {
    [
        ("severity", |one| one.severity.to_owned()),
        ("rule", |one| one.rule.to_owned()),
        ("path", |one| one.path.to_owned()),
        ("line", |one| cell(one.line)),
        ("column", |one| cell(one.column)),
        ("message", |one| one.message.clone()),
        ("help", |one| cell(one.help.as_ref())),
        ("implementation", |one| cell(one.implementation)),
        ("report", |one| cell(one.report)),
    ]
}

impl Findings<'_> {
    /// One row for each finding.
    pub(super) fn table(&self) -> Table {
        Table::new(&columns(), &self.findings)
    }
}
