//! `reports`: every report, and what it shows.

use serde::Serialize;

use super::VERSION;
use super::table::{Column, Table, cell, joined};
use crate::api::Family;
use crate::certify::catalog::{LeftOut, UnseenTests};
use crate::certify::{ProfileVerdict, Status};
use crate::report::facts::{self, Block, LevelData, Name};
use crate::site::model::{ReportView, SiteModel, left_out, text};
use crate::text::diagnostic::Severities;

/// Every report of the tree, by implementation, release, implementation version, channel and mode.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "Reports"))]
pub struct Reports<'c> {
    /// Version of this format.
    #[cfg_attr(test, schemars(extend("const" = 1)))]
    pub version: u32,
    /// The reports.
    pub reports: Vec<Report<'c>>,
    /// Files and documents that are not among them.
    pub left_out: Vec<&'c LeftOut>,
}

/// A report. Texts are as the report has them, null where it has none.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Report<'c> {
    /// What the report is called in all files.
    #[cfg_attr(test, schemars(extend("examples" = ["acme-operator/v1.5.1/standard-v2-14-0-default"])))]
    pub id: &'c str,
    /// The implementation's name in addresses.
    #[cfg_attr(test, schemars(extend("examples" = ["acme-operator"])))]
    pub implementation: &'c str,
    /// `implementation.organization`.
    pub organization: &'c str,
    /// `implementation.project`.
    pub project: &'c str,
    /// `implementation.version`.
    pub implementation_version: Option<&'c str>,
    /// The release that the report is for; null when neither report nor folder names it.
    #[cfg_attr(test, schemars(extend("examples" = ["v1.5.1"])))]
    pub release: Option<String>,
    /// The minor of that release.
    #[cfg_attr(test, schemars(extend("examples" = ["v1.5"])))]
    pub minor: Option<String>,
    /// `gatewayAPIChannel`; up to v1.0.x there was none.
    pub channel: Option<&'c str>,
    /// `mode`; up to v1.0.x there was none.
    pub mode: Option<&'c str>,
    /// `date`, whatever it looks like.
    pub date: Option<&'c str>,
    /// The same in UTC; null when it is not a date of RFC 3339.
    #[cfg_attr(test, schemars(extend("format" = "date-time")))]
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
    pub unseen_tests: Option<UnseenTests>,
    /// The tests of its profiles that passed in the log of its run, by a statement; null without one.
    pub passed_in_log: Option<Vec<&'c str>>,
    /// `succeededProvisionalTests`.
    pub succeeded_provisional_tests: Vec<&'c str>,
    /// How many findings `gwconform check` has about its file.
    pub findings: Severities,
    /// What of it has no place in other files, and why.
    pub remarks: &'c [&'c str],
}

/// What a report shows of a profile.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
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
    pub blocks: &'c [Block],
    /// Results of core tests.
    pub core: Option<Level<'c>>,
    /// Results of extended tests, and extended features; null when the report has none.
    pub extended: Option<Level<'c>>,
}

/// `core` or `extended` of a profile, as the report has it.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
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

pub(super) fn document<'c>(model: &'c SiteModel<'c>) -> Reports<'c> {
    Reports {
        version: VERSION,
        reports: model
            .reports()
            .iter()
            .map(|view| report(view, model))
            .collect(),
        left_out: left_out(model.catalog),
    }
}

fn report<'c>(view: &'c ReportView<'c>, model: &'c SiteModel<'c>) -> Report<'c> {
    let facts = view.facts();
    let previous = model.previous(view);
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
        unseen_tests: view.unseen,
        passed_in_log: facts.by_log.as_ref().map(|by_log| names(&by_log.passed)),
        succeeded_provisional_tests: names(&facts.succeeded_provisional),
        findings: view.entry.findings,
        remarks: &view.remarks,
    }
}

fn profile<'c>(facts: &'c facts::Profile, verdict: &'c ProfileVerdict) -> Profile<'c> {
    Profile {
        name: &verdict.profile,
        family: verdict.family,
        status: verdict.status,
        reason: &verdict.reason,
        blocks: &verdict.blocks,
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

fn columns<'m>() -> [Column<&'m Report<'m>>; 27] {
    [
        ("id", |one| one.id.to_owned()),
        ("implementation", |one| one.implementation.to_owned()),
        ("organization", |one| one.organization.to_owned()),
        ("project", |one| one.project.to_owned()),
        ("implementation_version", |one| {
            cell(one.implementation_version)
        }),
        ("release", |one| cell(one.release.as_ref())),
        ("minor", |one| cell(one.minor.as_ref())),
        ("channel", |one| cell(one.channel)),
        ("mode", |one| cell(one.mode)),
        ("date", |one| cell(one.date)),
        ("time", |one| cell(one.time.as_ref())),
        ("conformant", |one| one.with(Status::Conformant)),
        ("partial", |one| one.with(Status::Partial)),
        ("failing", |one| one.with(Status::Failing)),
        ("unverified", |one| one.with(Status::Unverified)),
        ("contradictory", |one| one.with(Status::Contradictory)),
        ("unreadable", |one| one.with(Status::Unreadable)),
        ("previous", |one| cell(one.previous)),
        ("errors", |one| one.findings.errors.to_string()),
        ("warnings", |one| one.findings.warnings.to_string()),
        ("infos", |one| one.findings.infos.to_string()),
        ("url", |one| cell(one.url)),
        ("contact", |one| joined(one.contact)),
        ("path", |one| one.path.to_owned()),
        ("document", |one| one.document.to_string()),
        ("sha256", |one| one.sha256.clone()),
        ("remarks", |one| joined(one.remarks)),
    ]
}

impl Reports<'_> {
    pub(super) fn table(&self) -> Table {
        Table::new(&columns(), &self.reports)
    }
}

impl Report<'_> {
    /// The profiles with a verdict.
    fn with(&self, status: Status) -> String {
        let profiles = self.profiles.iter();
        let profiles = profiles.filter(|profile| profile.status == status);
        joined(profiles.map(|profile| profile.name))
    }
}
