//! `reports`: every report, and what it shows.

use schemars::JsonSchema;
use serde::Serialize;

use super::table::{Table, joined};
use super::{LeftOut, VERSION};
use crate::api::Family;
use crate::certify::catalog::{Results, UnseenTests};
use crate::certify::{ProfileVerdict, Status};
use crate::report::facts::{self, LevelData, Name};
use crate::report::schema;
use crate::site::model::{ReportView, SiteModel, left_out, text};

/// Every report of the tree, by implementation, release, implementation version, channel and mode.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "Reports", transform = schema::with_id("api-reports"))]
pub struct Reports<'c> {
    /// Version of this format.
    #[schemars(extend("const" = 1))]
    pub version: u32,
    /// The reports.
    pub reports: Vec<Report<'c>>,
    /// Files and documents that are not among them.
    pub left_out: Vec<LeftOut>,
}

/// A report. Texts are as the report has them, null where it has none.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Report<'c> {
    /// What the report is called in all files.
    #[schemars(extend("examples" = ["acme-operator/v1.5.1/standard-v2-14-0-default"]))]
    pub id: &'c str,
    /// The implementation's name in addresses.
    #[schemars(extend("examples" = ["acme-operator"]))]
    pub implementation: &'c str,
    /// `implementation.organization`.
    pub organization: &'c str,
    /// `implementation.project`.
    pub project: &'c str,
    /// `implementation.version`.
    pub implementation_version: Option<&'c str>,
    /// The release that the report is for; null when neither report nor folder names it.
    #[schemars(extend("examples" = ["v1.5.1"]))]
    pub release: Option<String>,
    /// The minor of that release.
    #[schemars(extend("examples" = ["v1.5"]))]
    pub minor: Option<String>,
    /// `gatewayAPIChannel`; up to v1.0.x there was none.
    pub channel: Option<&'c str>,
    /// `mode`; up to v1.0.x there was none.
    pub mode: Option<&'c str>,
    /// `date`, whatever it looks like.
    pub date: Option<&'c str>,
    /// The same in UTC; null when it is not a date of RFC 3339.
    #[schemars(extend("format" = "date-time"))]
    pub time: Option<String>,
    /// `apiVersion`.
    pub api_version: Option<&'c str>,
    /// `implementation.url`.
    pub url: Option<&'c str>,
    /// `implementation.contact`.
    pub contact: &'c [String],
    /// The file, relative to the reports tree, always with `/`.
    pub path: &'c str,
    /// Which document of the file, from 0.
    pub document: usize,
    /// SHA-256 of the file's text.
    pub sha256: String,
    /// The report before it (its `id`); null when it is the first of its kind.
    pub previous: Option<&'c str>,
    /// What it shows, profile by profile in its order.
    pub profiles: Vec<Profile<'c>>,
    /// Its tests whose results it does not show, or may not; null when it shows all.
    pub unseen_tests: Option<Unseen>,
    /// The tests of its profiles that passed in the log of its run, by a statement; null without one.
    pub passed_in_log: Option<Vec<&'c str>>,
    /// `succeededProvisionalTests`.
    pub succeeded_provisional_tests: Vec<&'c str>,
    /// How many findings `gwconform check` has about its file.
    pub findings: Findings,
    /// What of it has no place in other files, and why.
    pub remarks: &'c [&'c str],
}

/// Numbers of findings.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Findings {
    /// Errors.
    pub errors: usize,
    /// Warnings.
    pub warnings: usize,
    /// Infos.
    pub infos: usize,
}

/// Tests that show as passed whatever their result is, or may.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Unseen {
    /// How many. A test counts once, however many profiles have it.
    pub tests: usize,
    /// Of how many tests that ran.
    pub of: usize,
    /// `not-seen`: the suite wrote the report before they had finished (v1.6.0, v1.6.1).
    /// `not-known`: the report is of a patch that is not known here, so whether it did is not known.
    pub results: Results,
}

impl From<UnseenTests> for Unseen {
    fn from(UnseenTests { tests, of, results }: UnseenTests) -> Self {
        Self { tests, of, results }
    }
}

/// What a report shows of a profile.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Profile<'c> {
    /// The profile's name as the report has it; empty when it has none.
    pub name: &'c str,
    /// Null for a profile that no release has.
    pub family: Option<Family>,
    /// The verdict.
    pub status: Status,
    /// Why, in words.
    pub reason: &'c str,
    /// The findings that leave it without a verdict; only when it is contradictory.
    pub blocks: Vec<Block<'c>>,
    /// Results of core tests.
    pub core: Option<Level<'c>>,
    /// Results of extended tests, and extended features; null when the report has none.
    pub extended: Option<Level<'c>>,
}

/// A finding that leaves a profile without a verdict.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Block<'c> {
    /// Id of the rule.
    pub rule: &'static str,
    /// What is wrong.
    pub message: &'c str,
}

/// `core` or `extended` of a profile, as the report has it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Level<'c> {
    /// `result`.
    pub result: Option<&'c str>,
    /// Passed tests, as its statistics count them.
    pub passed: Option<u64>,
    /// Skipped tests.
    pub skipped: Option<u64>,
    /// Failed tests.
    pub failed: Option<u64>,
    /// `skippedTests`.
    pub skipped_tests: Vec<&'c str>,
    /// `failedTests`.
    pub failed_tests: Vec<&'c str>,
    /// `supportedFeatures`.
    pub supported_features: Vec<&'c str>,
    /// `unsupportedFeatures`.
    pub unsupported_features: Vec<&'c str>,
}

pub(super) fn of<'c>(model: &'c SiteModel<'c>) -> Reports<'c> {
    Reports {
        version: VERSION,
        reports: model
            .reports()
            .iter()
            .map(|view| report(view, model))
            .collect(),
        left_out: left_out(model.catalog)
            .into_iter()
            .map(LeftOut::from)
            .collect(),
    }
}

fn report<'c>(view: &'c ReportView<'c>, model: &'c SiteModel<'c>) -> Report<'c> {
    let facts = view.facts();
    let previous = model.previous(view);
    let counts = view.entry.findings;
    let profiles = facts.profiles.iter().zip(&view.entry.judged.verdicts);
    Report {
        id: &view.id,
        implementation: &view.implementation.slug,
        organization: text(&facts.organization).unwrap_or_default(),
        project: text(&facts.project).unwrap_or_default(),
        implementation_version: text(&facts.version),
        release: view.release(),
        minor: view.minor().map(|minor| minor.to_string()),
        channel: text(&facts.channel),
        mode: text(&facts.mode),
        date: text(&facts.date),
        time: view.date.map(|date| date.to_string()),
        api_version: facts.api_version.as_deref(),
        url: facts.url.as_deref(),
        contact: &facts.contact,
        path: &facts.path,
        document: facts.document,
        sha256: view.sha256(),
        previous: previous.map(|previous| previous.id.as_str()),
        profiles: profiles
            .map(|(facts, verdict)| profile(facts, verdict))
            .collect(),
        unseen_tests: view.unseen.map(Unseen::from),
        passed_in_log: facts.by_log.as_ref().map(|by_log| names(&by_log.passed)),
        succeeded_provisional_tests: names(&facts.succeeded_provisional),
        findings: Findings {
            errors: counts.errors,
            warnings: counts.warnings,
            infos: counts.infos,
        },
        remarks: &view.remarks,
    }
}

fn profile<'c>(facts: &'c facts::Profile, verdict: &'c ProfileVerdict) -> Profile<'c> {
    let blocks = verdict.blocks.iter().map(|block| Block {
        rule: block.rule,
        message: &block.message,
    });
    Profile {
        name: &verdict.profile,
        family: verdict.family,
        status: verdict.status,
        reason: &verdict.reason,
        blocks: blocks.collect(),
        core: facts.core.as_ref().map(level),
        extended: facts.extended.as_ref().map(level),
    }
}

fn level(level: &LevelData) -> Level<'_> {
    Level {
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

/// A row of the table.
#[derive(Default, Serialize)]
struct ReportRow<'c> {
    id: &'c str,
    implementation: &'c str,
    organization: &'c str,
    project: &'c str,
    implementation_version: Option<&'c str>,
    release: Option<&'c str>,
    minor: Option<&'c str>,
    channel: Option<&'c str>,
    mode: Option<&'c str>,
    date: Option<&'c str>,
    time: Option<&'c str>,
    conformant: String,
    partial: String,
    failing: String,
    unverified: String,
    contradictory: String,
    unreadable: String,
    previous: Option<&'c str>,
    errors: usize,
    warnings: usize,
    infos: usize,
    url: Option<&'c str>,
    contact: String,
    path: &'c str,
    document: usize,
    sha256: &'c str,
    remarks: String,
}

impl Reports<'_> {
    pub(super) fn table(&self) -> Table {
        let rows: Vec<_> = self.reports.iter().map(row).collect();
        Table::of(&rows)
    }
}

fn row<'c>(report: &'c Report<'c>) -> ReportRow<'c> {
    let profiles = |status: Status| {
        let profiles = report
            .profiles
            .iter()
            .filter(|profile| profile.status == status);
        joined(profiles.map(|profile| profile.name))
    };
    ReportRow {
        id: report.id,
        implementation: report.implementation,
        organization: report.organization,
        project: report.project,
        implementation_version: report.implementation_version,
        release: report.release.as_deref(),
        minor: report.minor.as_deref(),
        channel: report.channel,
        mode: report.mode,
        date: report.date,
        time: report.time.as_deref(),
        conformant: profiles(Status::Conformant),
        partial: profiles(Status::Partial),
        failing: profiles(Status::Failing),
        unverified: profiles(Status::Unverified),
        contradictory: profiles(Status::Contradictory),
        unreadable: profiles(Status::Unreadable),
        previous: report.previous,
        errors: report.findings.errors,
        warnings: report.findings.warnings,
        infos: report.findings.infos,
        url: report.url,
        contact: joined(report.contact),
        path: report.path,
        document: report.document,
        sha256: &report.sha256,
        remarks: joined(report.remarks),
    }
}
