use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::json;

use super::table::Table;
use super::{Items, Out};
use crate::site::model::{ReportView, SiteModel, left_out, text};
use gwconform_base::text::diagnostic::Severities;
use gwconform_report::certify::ProfileVerdict;
use gwconform_report::certify::catalog::{LeftOut, UnseenTests};
use gwconform_report::document::ReportRef;
use gwconform_report::report::facts::{self, LevelData, Name};

/// All reports, sorted by implementation, release, implementation version, channel and mode.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "Reports"))]
pub struct Reports<'c> {
    /// One entry per report, sorted by implementation, release, implementation version, channel and
    /// mode.
    #[cfg_attr(test, schemars(with = "Vec<Report<'static>>"))]
    pub reports: Items,
    /// Files and documents that no data file includes, with reasons. Empty in parts.
    pub left_out: Vec<&'c LeftOut>,
    /// Paths of the parts, relative to the site root. Present only if the list is split; `reports` is
    /// then empty. Each part is a document of this schema, and the parts contain the entries in
    /// order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, schemars(default))]
    pub parts: Vec<String>,
}

/// A report. Values are copied from the report file and are null if missing.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Report<'c> {
    #[serde(flatten)]
    pub report: ReportRef,
    /// Key of the implementation.
    #[cfg_attr(test, schemars(extend("examples" = ["acme/operator"])))]
    pub implementation: &'c str,
    /// `implementation.organization` of the report.
    pub organization: &'c str,
    /// `implementation.project` of the report.
    pub project: &'c str,
    /// `date` as written in the report, even if invalid.
    pub date: Option<&'c str>,
    /// `date` in UTC; null if it is not valid RFC 3339.
    #[cfg_attr(test, schemars(extend("format" = "date-time")))]
    pub time: Option<String>,
    /// `apiVersion` of the report.
    pub api_version: Option<&'c str>,
    /// `implementation.url` of the report.
    pub url: Option<&'c str>,
    /// `implementation.contact` of the report.
    pub contact: &'c [String],
    /// SHA-256 digest of the file as 64 hexadecimal digits.
    pub sha256: String,
    /// Key of the report that the `changes` data file compares this report with; null if no other
    /// report is comparable.
    pub previous_report: Option<&'c str>,
    /// Results by profile, in report order.
    pub profiles: Vec<ProfileSections<'c>>,
    /// Tests whose results are, or might be, missing from the report; null if all are included.
    pub unseen_tests: Option<UnseenTests>,
    /// Profile tests that passed in the log of the run, from a statement. Null without a statement.
    pub passed_in_log: Option<Vec<&'c str>>,
    /// Provisional tests that passed, from `succeededProvisionalTests` of the report.
    pub succeeded_provisional_tests: Vec<&'c str>,
    /// Numbers of findings in the file, by severity.
    pub finding_counts: Severities,
    /// Reasons why other data files omit parts of this report.
    pub remarks: &'c [&'c str],
}

/// A profile of a report and its results.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ProfileSections<'c> {
    #[serde(flatten)]
    pub result: &'c ProfileVerdict,
    /// Results of the core tests; null if missing.
    pub core: Option<Section<'c>>,
    /// Results of the extended tests, and features; null if missing.
    pub extended: Option<Section<'c>>,
}

/// `core` or `extended` section of a profile.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Section<'c> {
    /// Result that the section states, such as `success`; null if missing.
    pub result: Option<&'c str>,
    /// Number of passed tests in `statistics`.
    pub passed: Option<u64>,
    /// Number of skipped tests in `statistics`.
    pub skipped: Option<u64>,
    /// Number of failed tests in `statistics`.
    pub failed: Option<u64>,
    /// Tests that the section lists in `skippedTests`.
    pub skipped_tests: Vec<&'c str>,
    /// Tests that the section lists in `failedTests`.
    pub failed_tests: Vec<&'c str>,
    /// Features that the section lists in `supportedFeatures`.
    pub supported_features: Vec<&'c str>,
    /// Features that the section lists in `unsupportedFeatures`.
    pub unsupported_features: Vec<&'c str>,
}

pub(super) fn write(model: &SiteModel<'_>, out: &mut Out<'_>) {
    out.list(
        "reports",
        Table::new("reports", COLUMNS),
        model.reports().iter().map(|view| report(view, model)),
        |report, table| {
            let by_status = json!(by_status(&report));
            let profiles = Vec::new();
            table.add(&[&by_status, &json!(Report { profiles, ..report })]);
        },
        |_| None,
        |reports, parts| Reports {
            reports,
            left_out: match parts {
                Some(_) => left_out(model.catalog),
                None => Vec::new(),
            },
            parts: parts.unwrap_or_default(),
        },
    );
}

fn report<'c>(view: &'c ReportView<'c>, model: &'c SiteModel<'c>) -> Report<'c> {
    let facts = view.facts();
    let previous = model.previous(view);
    let profiles = facts.profiles.iter().zip(&view.entry.judged.verdicts);
    Report {
        report: ReportRef::new(view.implementation, view.entry),
        implementation: &view.implementation.slug,
        organization: text(&facts.organization).unwrap_or_default(),
        project: text(&facts.project).unwrap_or_default(),
        date: text(&facts.date),
        time: view.date.map(|date| date.to_string()),
        api_version: facts.api_version.as_deref(),
        url: facts.url(),
        contact: &facts.contact,
        sha256: view.sha256(),
        previous_report: previous.map(|previous| previous.id.as_str()),
        profiles: profiles
            .map(|(facts, verdict)| profile(facts, verdict))
            .collect(),
        unseen_tests: view.unseen,
        passed_in_log: facts.by_log.as_ref().map(|by_log| names(&by_log.passed)),
        succeeded_provisional_tests: names(&facts.succeeded_provisional),
        finding_counts: view.entry.findings,
        remarks: &view.remarks,
    }
}

fn profile<'c>(facts: &'c facts::Profile, verdict: &'c ProfileVerdict) -> ProfileSections<'c> {
    ProfileSections {
        result: verdict,
        core: facts.core.as_ref().map(level),
        extended: facts.extended.as_ref().map(level),
    }
}

fn level(level: &LevelData) -> Section<'_> {
    Section {
        result: level.result.text(),
        passed: level.passed(),
        skipped: level.skipped(),
        failed: level.failed(),
        skipped_tests: names(level.skipped_tests.iter().flatten()),
        failed_tests: names(level.failed_tests.iter().flatten()),
        supported_features: names(level.supported_features.iter().flatten()),
        unsupported_features: names(level.unsupported_features.iter().flatten()),
    }
}

fn names<'c>(names: impl IntoIterator<Item = &'c Name>) -> Vec<&'c str> {
    names.into_iter().map(AsRef::as_ref).collect()
}

const COLUMNS: &str = "\
    report,implementation,organization,project,implementation_version,release,minor,channel,mode,\
    date,time,conformant,partial,failing,unverified,contradictory,unreadable,previous_report,\
    finding_counts.errors,finding_counts.warnings,finding_counts.infos,url,contact,path,document,\
    sha256,remarks";

fn by_status<'c>(report: &Report<'c>) -> BTreeMap<&'static str, Vec<&'c str>> {
    let mut by_status: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for profile in &report.profiles {
        let profiles = by_status.entry(profile.result.status.as_str()).or_default();
        profiles.push(&*profile.result.profile);
    }
    by_status
}
