//! Compact facts that remain after the report text is dropped.

mod results;

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::release::stated::StatedRelease;
use crate::text::diagnostic::{Anchor, Place, Subject};
pub use crate::text::source::Digest;

pub use results::{
    Block, LevelData, Name, Profile, ProfileLines, Rival, RivalKind, names, profiles, texts,
};

/// Maximum profiles per report. A release has about 12.
pub const MAX_PROFILES: usize = 40;

/// Maximum names per report. A release has fewer than 300.
pub const MAX_NAMES: usize = 3000;

/// Facts of one report.
#[derive(Debug, Clone)]
pub struct ReportFacts {
    /// File path as printed.
    pub path: String,
    /// File name.
    pub file_name: String,
    /// Index in the file, from 0.
    pub document: usize,
    /// Absolute path of the submission.
    pub submission: PathBuf,
    /// SHA-256 of the file.
    pub digest: Digest,
    /// When the suite ran, in Unix seconds; `None` if the date identifies no run.
    pub ran_at: Option<i64>,
    /// Digest of the results, independent of order and spelling; `None` without profiles.
    pub results: Option<Digest>,
    /// Whether the folder matches the stated release.
    pub fits_folder: bool,
    /// Stated release.
    pub release: StatedRelease,
    /// `implementation.organization`.
    pub organization: Option<Fact>,
    /// `implementation.project`.
    pub project: Option<Fact>,
    /// `implementation.version`.
    pub version: Option<Fact>,
    /// `gatewayAPIChannel`.
    pub channel: Option<Fact>,
    /// `mode`.
    pub mode: Option<Fact>,
    /// `date`.
    pub date: Option<Fact>,
    /// Whether Listener Isolation is listed as unsupported.
    pub lacks_listener_isolation: bool,
    /// `apiVersion`.
    pub api_version: Option<String>,
    /// `implementation.url`.
    pub url: Option<String>,
    /// `implementation.contact`.
    pub contact: Vec<String>,
    /// `profiles`, in file order.
    pub profiles: Vec<Profile>,
    /// Positions of `profiles`.
    pub lines: Vec<ProfileLines>,
    /// `succeededProvisionalTests`.
    pub succeeded_provisional: Vec<Name>,
    /// Findings that prevent a verdict.
    pub blocks: Vec<Block>,
    /// Implementations with the same name or run, owners first.
    pub rivals: Vec<Rival>,
    /// Results that a log verified.
    pub by_log: Option<ByLog>,
    /// Whether the document resembles a report.
    pub is_report: bool,
    /// Name of another project that owns the report.
    pub other_project: Option<String>,
    /// Whether the file is truncated and absent fields are unknown.
    pub is_cut: bool,
    /// Whether [`MAX_PROFILES`] or [`MAX_NAMES`] is exceeded.
    pub exceeds_bounds: bool,
}

/// Results that a log verified.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ByLog {
    /// Names of passed tests.
    pub passed: BTreeSet<Name>,
}

/// Feature: listeners handle only their own requests.
pub const LISTENER_ISOLATION: &str = "GatewayHTTPListenerIsolation";

/// Text of a field with its position.
#[derive(Debug, Clone)]
pub struct Fact {
    /// Text.
    pub value: String,
    /// Position.
    pub place: Place,
}

impl Fact {
    /// Anchor for a finding about this field.
    pub fn about(&self, field: &str) -> Anchor {
        let subject = Subject::new(field).with_value(&self.value);
        Anchor::new(self.place.clone(), subject)
    }
}

impl ReportFacts {
    /// `implementation.organization`.
    pub fn organization(&self) -> Option<&str> {
        text(&self.organization)
    }

    /// `implementation.project`.
    pub fn project(&self) -> Option<&str> {
        text(&self.project)
    }

    /// `implementation.version`.
    pub fn version(&self) -> Option<&str> {
        text(&self.version)
    }

    /// `gatewayAPIChannel`.
    pub fn channel(&self) -> Option<&str> {
        text(&self.channel)
    }

    /// `mode`.
    pub fn mode(&self) -> Option<&str> {
        text(&self.mode)
    }

    /// `date`.
    pub fn date(&self) -> Option<&str> {
        text(&self.date)
    }

    /// Identity of a suite run: its time in seconds, or the file digest. Copies submitted as
    /// another run may change other fields.
    pub fn run(&self) -> Run {
        self.ran_at.map_or(Run::Text(self.digest), Run::At)
    }

    /// Identifying fields. `None` if one is missing.
    pub fn identity(&self) -> Option<Identity<'_>> {
        let is_legacy = self.release.is_legacy();
        Some(Identity {
            organization: self.organization()?,
            project: self.project()?,
            version: self.version()?,
            channel: self.channel().or(is_legacy.then_some(""))?,
            mode: self.mode().or(is_legacy.then_some(""))?,
            release: self.release.version.as_ref().map(ToString::to_string),
        })
    }
}

fn text(fact: &Option<Fact>) -> Option<&str> {
    Some(fact.as_ref()?.value.as_str())
}

/// See [`ReportFacts::run`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Run {
    /// Reports with a date, see [`ReportFacts::ran_at`].
    At(i64),
    /// Reports without a date.
    Text(Digest),
}

/// See [`ReportFacts::identity`].
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Identity<'f> {
    /// `implementation.organization`.
    pub organization: &'f str,
    /// `implementation.project`.
    pub project: &'f str,
    /// `implementation.version`.
    pub version: &'f str,
    /// `gatewayAPIChannel`; empty for legacy reports.
    pub channel: &'f str,
    /// `mode`; empty for legacy reports.
    pub mode: &'f str,
    /// Release; `None` if unknown.
    pub release: Option<String>,
}
