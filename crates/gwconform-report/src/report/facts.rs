//! Facts about a report that are kept after its text is dropped.

mod results;

use std::collections::BTreeSet;
use std::path::PathBuf;

use gwconform_base::release::stated::StatedRelease;
use gwconform_base::text::diagnostic::{Anchor, Place, Subject};
pub use gwconform_base::text::source::Digest;
use gwconform_base::text::source::Span;

pub use results::{Block, LevelData, Name, Profile, ProfileLines, names, profiles, texts};

/// Maximum profiles per report. A release has about 12.
pub(crate) const MAX_PROFILES: usize = 40;

/// Maximum names per report. A release has fewer than 300.
pub const MAX_NAMES: usize = 3000;

/// Compact facts about one report.
#[derive(Debug, Clone)]
pub struct ReportFacts {
    /// Display path of the file.
    pub path: String,
    /// File name without folders.
    pub file_name: String,
    /// 0-based index of the document in the file.
    pub document: usize,
    /// Absolute path of the folder or lone report.
    pub submission: PathBuf,
    /// Section on reproducing the reports in the `README.md` of the submission.
    pub reproduce: Option<Span>,
    /// SHA-256 digest of the file.
    pub digest: Digest,
    /// Unix seconds; `None` if the date does not identify a run.
    pub ran_at: Option<i64>,
    /// Whether the folder matches the release in the report.
    pub fits_folder: bool,
    /// Release in `gatewayAPIVersion`.
    pub release: StatedRelease,
    /// Organization, as written.
    pub organization: Option<Fact>,
    /// Project, as written.
    pub project: Option<Fact>,
    /// Implementation version, as written.
    pub version: Option<Fact>,
    /// `gatewayAPIChannel`, as written.
    pub channel: Option<Fact>,
    /// `mode`, as written.
    pub mode: Option<Fact>,
    /// `date` field of the report, as written.
    pub date: Option<Fact>,
    /// Whether the report lists `LISTENER_ISOLATION` as unsupported.
    pub lacks_listener_isolation: bool,
    /// `apiVersion`, as written.
    pub api_version: Option<String>,
    /// Implementation URL, as written.
    pub url: Option<Fact>,
    /// Contacts, as written.
    pub contact: Vec<String>,
    /// Results by profile, in file order.
    pub profiles: Vec<Profile>,
    /// Line numbers for each entry of `profiles`.
    pub lines: Vec<ProfileLines>,
    /// Passed provisional tests.
    pub succeeded_provisional: Vec<Name>,
    /// Findings that prevent a verdict.
    pub blocks: Vec<Block>,
    /// Results that were verified against a log, if any.
    pub by_log: Option<ByLog>,
    /// Whether the document resembles a report.
    pub is_report: bool,
    /// Other project that the report belongs to, if any.
    pub other_project: Option<String>,
    /// The report is truncated, so missing fields are unknown.
    pub is_cut: bool,
    /// Whether `MAX_PROFILES` or [`MAX_NAMES`] is exceeded.
    pub exceeds_bounds: bool,
}

/// Results that were verified against a log.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ByLog {
    /// Names of passed tests.
    pub passed: BTreeSet<Name>,
}

/// Feature of implementations whose listeners handle only their own requests.
pub(crate) const LISTENER_ISOLATION: &str = "GatewayHTTPListenerIsolation";

/// Text of a field with its place.
#[derive(Debug, Clone)]
pub struct Fact {
    /// Text as written.
    pub value: String,
    /// Place of the text in the file.
    pub place: Place,
}

impl Fact {
    /// Anchor for a finding about a field, such as `mode`.
    pub fn about(&self, field: &str) -> Anchor {
        let subject = Subject::new(field).with_value(&self.value);
        Anchor::new(self.place.clone(), subject)
    }
}

impl ReportFacts {
    /// Organization, if present.
    pub fn organization(&self) -> Option<&str> {
        text(&self.organization)
    }

    /// Project, if present.
    pub fn project(&self) -> Option<&str> {
        text(&self.project)
    }

    /// Organization and project, if both are present.
    pub fn name(&self) -> Option<(&str, &str)> {
        self.organization().zip(self.project())
    }

    /// `url` of the implementation, if present.
    pub fn url(&self) -> Option<&str> {
        text(&self.url)
    }

    /// Name of the submission folder, if it is valid UTF-8.
    pub fn folder(&self) -> Option<&str> {
        self.submission.file_name()?.to_str()
    }

    /// Implementation version, if present.
    pub fn version(&self) -> Option<&str> {
        text(&self.version)
    }

    /// `gatewayAPIChannel`, if present.
    pub fn channel(&self) -> Option<&str> {
        text(&self.channel)
    }

    /// `mode`, if present.
    pub fn mode(&self) -> Option<&str> {
        text(&self.mode)
    }

    /// `date`, if present.
    pub fn date(&self) -> Option<&str> {
        text(&self.date)
    }

    /// Time of the run in seconds or, if missing, the file digest. Other fields are ignored,
    /// because copies may change them.
    pub fn run(&self) -> Run {
        self.ran_at.map_or(Run::Text(self.digest), Run::At)
    }

    /// Release that the report states, such as `v1.5.1`; `None` if it is missing or invalid.
    pub fn release_text(&self) -> Option<String> {
        self.release.version.as_ref().map(ToString::to_string)
    }

    /// Fields that identify the report; `None` if a field is missing.
    pub fn identity(&self) -> Option<Identity<'_>> {
        let is_legacy = self.release.is_legacy();
        Some(Identity {
            organization: self.organization()?,
            project: self.project()?,
            version: self.version()?,
            channel: self.channel().or(is_legacy.then_some(""))?,
            mode: self.mode().or(is_legacy.then_some(""))?,
            release: self.release_text(),
        })
    }
}

fn text(fact: &Option<Fact>) -> Option<&str> {
    Some(fact.as_ref()?.value.as_str())
}

/// Identity of a suite run, see [`ReportFacts::run`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Run {
    /// Time of the run in Unix seconds ([`ReportFacts::ran_at`]).
    At(i64),
    /// File digest of a report without a date.
    Text(Digest),
}

/// Fields that identify a report, see [`ReportFacts::identity`].
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Identity<'f> {
    /// Organization, as written.
    pub organization: &'f str,
    /// Project, as written.
    pub project: &'f str,
    /// Implementation version, as written.
    pub version: &'f str,
    /// `gatewayAPIChannel`; empty for legacy reports.
    pub channel: &'f str,
    /// `mode`; empty for legacy reports.
    pub mode: &'f str,
    /// Release in the report; `None` if unknown.
    pub release: Option<String>,
}
