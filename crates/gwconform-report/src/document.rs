//! Vocabulary of the JSON documents: the commands, the site and the browser modules build their
//! documents from these types. Equal things have equal names.
//!
//! A plural, such as `reports`, names a list whose entries are the key of the thing, or objects that
//! have the key under the singular, `report`. Paths are relative to the repository.

use gwconform_base::api::{Family, Level, Minor, Version};
use gwconform_base::release::{Registry, Release};
use gwconform_base::text::diagnostic::Diagnostic;
use jiff::civil::Date;
use serde::Serialize;

pub use crate::certify::catalog::LeftOut;

use crate::certify::catalog::{Implementation, Report, State, StateKind, TestState};
use crate::certify::{Certified, Standing, Status, day_as_text};
use crate::report::facts::{Name, ReportFacts};
use crate::rules::configuration::Config;

/// Name and version of the program, such as `gwconform 0.1.0`.
pub const GENERATOR: &str = concat!("gwconform ", env!("CARGO_PKG_VERSION"));

/// Start of every document.
#[derive(Debug, Serialize, schemars::JsonSchema)]
pub struct Document<'d, T> {
    /// Format version, always 1.
    #[schemars(extend("const" = 1))]
    version: u32,
    /// Program and version that wrote the document.
    #[schemars(extend("examples" = ["gwconform 0.1.0"]))]
    generator: &'static str,
    /// Release data that the document is based on.
    data: Data<'d>,
    /// Folder of the reports tree in its repository; null if no tree was read. All paths are
    /// relative to the repository.
    #[schemars(extend("examples" = ["conformance/reports"]))]
    tree: Option<String>,
    #[serde(flatten)]
    content: T,
}

/// Release data of gwconform.
#[derive(Debug, Clone, Copy, Serialize, schemars::JsonSchema)]
pub struct Data<'d> {
    /// Newest published release; null if no release is published.
    #[schemars(extend("examples" = ["v1.6.2"]))]
    newest_release: Option<&'d Version>,
    /// Commit of upstream's main branch, if its data is used; otherwise null.
    commit: Option<&'d str>,
    /// Date of `commit`, or else of `newest_release`.
    #[serde(serialize_with = "day_as_text")]
    #[schemars(with = "Option<String>", extend("format" = "date"))]
    date: Option<Date>,
}

impl<'d, T> Document<'d, T> {
    /// `tree` is the printed folder of the reports tree, if one was read.
    pub fn new(registry: &'d Registry, tree: Option<String>, content: T) -> Self {
        Self {
            version: 1,
            generator: GENERATOR,
            data: Data::new(registry),
            tree,
            content,
        }
    }
}

impl<'d> Data<'d> {
    /// Facts that identify the data of a registry.
    pub fn new(registry: &'d Registry) -> Self {
        let newest = registry.newest();
        let commit = registry.upcoming().and_then(Release::commit);
        Self {
            newest_release: newest.map(Release::version),
            commit: commit.map(|commit| commit.id.as_str()),
            date: commit
                .map(|commit| commit.date)
                .or_else(|| newest.and_then(Release::date)),
        }
    }
}

impl std::fmt::Display for Data<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.newest_release {
            Some(newest) => write!(f, "release data up to {newest}")?,
            None => f.write_str("no release data")?,
        }
        if let Some(commit) = self.commit {
            write!(f, " and commit {commit} of upstream's main branch")?;
        }
        match self.date {
            Some(date) => write!(f, " ({date})"),
            None => Ok(()),
        }
    }
}

/// An implementation.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
pub struct ImplementationRef {
    /// Key of the implementation in all documents, and its path in URLs.
    #[schemars(extend("examples" = ["acme/operator"]))]
    pub implementation: String,
    /// Display name.
    pub name: String,
    /// Organization from the configuration, or else the most common spelling in reports.
    pub organization: String,
    /// Project from the configuration, or else the most common spelling in reports.
    pub project: String,
}

impl ImplementationRef {
    /// Names of an implementation in a catalog.
    pub fn new(one: &Implementation<'_>) -> Self {
        Self {
            implementation: one.slug.clone(),
            name: one.name.clone(),
            organization: one.organization.to_owned(),
            project: one.project.to_owned(),
        }
    }
}

/// A report. Values are as written in the report, and null if missing.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
pub struct ReportRef {
    /// Key of the report in all documents.
    #[schemars(extend("examples" = ["acme/operator/v1.5.1/standard-v2-14-0-default"]))]
    pub report: String,
    /// Path of the file.
    pub path: String,
    /// Index of the YAML document in the file, from 0.
    pub document: usize,
    /// `implementation.version` of the report.
    pub implementation_version: Option<String>,
    /// Release of the report; null if neither the report nor its folder names one.
    #[schemars(extend("examples" = ["v1.5.1"]))]
    pub release: Option<Version>,
    /// Minor that `release` belongs to.
    #[schemars(extend("examples" = ["v1.5"]))]
    pub minor: Option<Minor>,
    /// `gatewayAPIChannel` of the report.
    pub channel: Option<String>,
    /// `mode` of the report.
    pub mode: Option<String>,
}

impl ReportRef {
    /// Facts that identify a report of an implementation.
    pub fn new(one: &Implementation<'_>, report: &Report<'_>) -> Self {
        let facts: &ReportFacts = report.judged.facts;
        let owned = |text: Option<&str>| text.map(str::to_owned);
        Self {
            report: one.key_of(report),
            path: facts.path.clone(),
            document: facts.document,
            implementation_version: owned(facts.version()),
            release: facts.release.version.clone(),
            minor: report.judged.minor(),
            channel: owned(facts.channel()),
            mode: owned(facts.mode()),
        }
    }
}

/// Verdict on an implementation, or on a part of its reports.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Verdict {
    /// Family that the verdict covers.
    pub family: Family,
    /// Verdict, such as `conformant`.
    pub standing: Standing,
    /// Reason for the verdict as an English phrase.
    pub reason: String,
    /// Last minor for which the verdict is valid without a newer report. Null if the verdict is not
    /// current or covers a single minor.
    pub until: Option<Minor>,
    /// Key of the report behind the verdict. If the verdict is not current, the last report.
    pub report: String,
    /// Path of that report.
    pub path: String,
    /// Index of the YAML document in the file, from 0.
    pub document: usize,
    /// Minor that the report is for.
    pub report_minor: Option<Minor>,
    /// Best status among `profiles`. At most `partial` if any profile of the report is failing,
    /// contradictory or unreadable.
    pub status: Status,
    /// Profiles of the report that the verdict covers, best status first.
    pub profiles: Vec<ProfileStatus>,
}

/// Status of a profile in the report behind a verdict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct ProfileStatus {
    /// Profile name.
    #[schemars(extend("examples" = ["GATEWAY-HTTP"]))]
    pub profile: Name,
    /// Status of the profile, based on its test results.
    pub status: Status,
}

impl Verdict {
    /// Verdict on an implementation in a catalog.
    pub fn new(one: &Implementation<'_>, family: Family, certified: &Certified) -> Self {
        let basis = &certified.basis;
        let report = &one.reports[basis.report];
        let profiles = basis
            .profiles
            .iter()
            .map(|(profile, status)| ProfileStatus {
                profile: profile.clone(),
                status: *status,
            });
        Self {
            family,
            standing: certified.standing,
            reason: certified.reason.clone(),
            until: certified.until,
            report: one.key_of(report),
            path: report.judged.facts.path.clone(),
            document: report.judged.facts.document,
            report_minor: basis.minor,
            status: basis.status,
            profiles: profiles.collect(),
        }
    }
}

/// State of a feature in a report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct FeatureState {
    /// State, such as `proved`.
    pub state: StateKind,
    /// State as an English phrase that includes the affected tests.
    pub text: String,
    /// Tests that were skipped, failed, or exist but did not run.
    pub tests: Vec<Name>,
}

impl FeatureState {
    /// `text` describes the state in words.
    pub fn new(state: &State, text: String) -> Self {
        Self {
            state: state.kind(),
            text,
            tests: state.affected_tests().to_vec(),
        }
    }
}

/// Result of a test in a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct TestResult {
    /// Result of the test.
    pub result: TestState,
    /// Oldest minor since which, in each minor with results, a report of the implementation shows
    /// this result. Null if the history was not requested.
    pub since: Option<Minor>,
}

/// A profile that includes a feature or counts a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct ProfileLevel<'r> {
    /// Profile name.
    #[schemars(extend("examples" = ["GATEWAY-HTTP"]))]
    pub profile: &'r str,
    /// Level of the feature or test in this profile.
    pub level: Level,
}

/// A place in a file. Lines and columns start at 1, and columns count Unicode scalar values.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Place {
    /// Path of the file.
    pub path: String,
    /// Line.
    pub line: u32,
    /// Column.
    pub column: u32,
}

/// A finding of a rule.
#[derive(Debug, Serialize, schemars::JsonSchema)]
pub struct Finding<'f> {
    #[serde(flatten)]
    finding: &'f Diagnostic,
    /// URL of the rule documentation; null if no rule pages are published.
    rule_url: Option<String>,
}

impl<'f> Finding<'f> {
    /// The configuration has the URL of the rule pages.
    pub fn new(finding: &'f Diagnostic, config: &Config) -> Self {
        let rule_url = config.rule_url(finding.rule);
        Self { finding, rule_url }
    }
}
