//! The part of a report that stays when its text is dropped: compact facts, for the rules over a
//! submission or the tree, and for everything after `check`.

mod results;

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::release::stated::StatedRelease;
use crate::text::diagnostic::{Anchor, Place, Subject};
pub use crate::text::source::Digest;

pub use results::{
    Block, LevelData, Name, Profile, ProfileLines, Rival, RivalKind, names, profiles, texts,
};

/// Most profiles of a report that are kept, and compared with the suite's: a release has a dozen.
pub const MAX_PROFILES: usize = 40;

/// Most features and tests of a report's profiles that are kept, all lists together: a release has
/// fewer than 300 names.
pub const MAX_NAMES: usize = 3000;

/// The facts of one report.
#[derive(Debug, Clone)]
pub struct ReportFacts {
    /// The path of its file as it is printed.
    pub path: String,
    /// The name of its file.
    pub file_name: String,
    /// Which document of the file it is, from 0.
    pub document: usize,
    /// The path of its submission, absolute.
    pub submission: PathBuf,
    /// SHA-256 of the file's text.
    pub digest: Digest,
    /// When the suite ran, in seconds of Unix time, by its date; `None` without a date that tells
    /// its run from others.
    pub ran_at: Option<i64>,
    /// Digest of what its profiles and provisional tests state, whatever their order and spelling;
    /// `None` without a profile.
    pub results: Option<Digest>,
    /// True when it is in the folder of the release that it names.
    pub fits_folder: bool,
    /// The release that it states.
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
    /// A profile lists Listener Isolation as unsupported.
    pub lacks_listener_isolation: bool,
    /// `apiVersion`.
    pub api_version: Option<String>,
    /// `implementation.url`.
    pub url: Option<String>,
    /// `implementation.contact`.
    pub contact: Vec<String>,
    /// `profiles`, in the order of the file.
    pub profiles: Vec<Profile>,
    /// Where the profiles are in the file, in the same order.
    pub lines: Vec<ProfileLines>,
    /// `succeededProvisionalTests`.
    pub succeeded_provisional: Vec<Name>,
    /// Where the report contradicts itself or leaves core tests out: no verdict is drawn then.
    pub blocks: Vec<Block>,
    /// Other implementations that claim its name or its run, with the owners first.
    pub rivals: Vec<Rival>,
    /// What the log of its run has proved, by a statement about this very file.
    pub by_log: Option<ByLog>,
    /// False for a document that does not even try to be a ConformanceReport of Gateway API.
    pub is_report: bool,
    /// The project that the report is of, in words, when that is another than Gateway API.
    pub other_project: Option<String>,
    /// True when the file could not be read to its end, so that absent fields are unknown.
    pub is_cut: bool,
    /// True when it has more than [`MAX_PROFILES`] or [`MAX_NAMES`]: the rest is not kept.
    pub exceeds_bounds: bool,
}

/// What the log of a run has proved about its report.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ByLog {
    /// The tests that passed, by name.
    pub passed: BTreeSet<Name>,
}

/// The feature of a Gateway whose listeners each see only their own requests.
pub const LISTENER_ISOLATION: &str = "GatewayHTTPListenerIsolation";

/// The text of a field and its place.
#[derive(Debug, Clone)]
pub struct Fact {
    /// The text.
    pub value: String,
    /// Its place.
    pub place: Place,
}

impl Fact {
    /// Its place, and its field (`/implementation/version`) with the value as the subject.
    pub fn about(&self, field: &str) -> Anchor {
        let subject = Subject::new(field).with_value(&self.value);
        Anchor::new(self.place.clone(), subject)
    }
}

impl ReportFacts {
    /// The text of `implementation.organization`.
    pub fn organization(&self) -> Option<&str> {
        text(&self.organization)
    }

    /// The text of `implementation.project`.
    pub fn project(&self) -> Option<&str> {
        text(&self.project)
    }

    /// The text of `implementation.version`.
    pub fn version(&self) -> Option<&str> {
        text(&self.version)
    }

    /// The text of `gatewayAPIChannel`.
    pub fn channel(&self) -> Option<&str> {
        text(&self.channel)
    }

    /// The text of `mode`.
    pub fn mode(&self) -> Option<&str> {
        text(&self.mode)
    }

    /// The text of `date`.
    pub fn date(&self) -> Option<&str> {
        text(&self.date)
    }

    /// What the reports of one run of the suite share: when it was, to the second. All else is what a
    /// copy sold as another run has changed. Without a date, the text of its file.
    pub fn run(&self) -> Run {
        self.ran_at.map_or(Run::Text(self.digest), Run::At)
    }

    /// Organization, project, version, channel, mode and release: what makes a report this one and
    /// no other. `None` when a part that its shape has is missing.
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
    /// By its date, see [`ReportFacts::ran_at`].
    At(i64),
    /// By the text of its file.
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
    /// `gatewayAPIChannel`; empty up to v1.0.x.
    pub channel: &'f str,
    /// `mode`; empty up to v1.0.x.
    pub mode: &'f str,
    /// The release; `None` when it is unknown.
    pub release: Option<String>,
}
