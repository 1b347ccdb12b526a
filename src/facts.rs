//! What is kept of a report when its text is dropped: compact facts, for the rules over a
//! submission or the tree, and for everything after `check`.

mod results;

use std::path::PathBuf;

use sha2::{Digest as _, Sha256};

use crate::diagnostic::Place;
use crate::release::{ReportRelease, lenient_version};
use crate::report::view::{Report, Text};
use crate::rules::report::date::is_rfc3339;
use crate::rules::{self, ReportContext};
use crate::yaml::{Entry, NodeId, Yaml};

pub use results::{Block, LevelFacts, Name, ProfileFacts};

/// The facts of one report.
#[derive(Debug, Clone)]
pub struct ReportFacts {
    /// The path of its file as it is printed.
    pub path: String,
    /// The name of its file.
    pub file_name: String,
    /// Which document of the file it is, from 0.
    pub document: usize,
    /// The path of the submission it stands in, absolute.
    pub submission: PathBuf,
    /// SHA-256 of the file's text.
    pub digest: Digest,
    /// Digest of its profiles and provisional tests as they were read, whatever their spelling;
    /// `None` when it has no profile, or no date that tells its run from others.
    pub results: Option<Digest>,
    /// True when it stands in the folder of the release that it says it is for.
    pub fits_folder: bool,
    /// The release it is for.
    pub release: ReportRelease,
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
    pub profiles: Vec<ProfileFacts>,
    /// `succeededProvisionalTests`.
    pub succeeded_provisional: Vec<Name>,
    /// Where the report contradicts itself or leaves core tests out: no verdict is drawn then.
    pub blocks: Vec<Block>,
    /// False for a document that does not even try to be a ConformanceReport.
    pub is_report: bool,
    /// True when the file could not be read to its end: what is missing was perhaps there.
    pub is_cut: bool,
}

/// A SHA-256 digest: equal for two files with the same text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Digest(pub [u8; 32]);

impl Digest {
    /// The digest of a text's bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }
}

/// The feature of a Gateway whose listeners each see only their own requests.
pub const LISTENER_ISOLATION: &str = "GatewayHTTPListenerIsolation";

/// A field's text and where it stands.
#[derive(Debug, Clone)]
pub struct Fact {
    /// The text.
    pub value: String,
    /// Its place.
    pub place: Place,
}

impl ReportFacts {
    /// The facts of a report.
    pub fn of(cx: &ReportContext<'_>, file_name: &str, document: usize, digest: Digest) -> Self {
        let fact = |text: Option<Text<'_>>| {
            text.map(|text| Fact {
                value: text.value.to_owned(),
                place: cx.value(text.node),
            })
        };
        let report = cx.report;
        Self {
            path: cx.source.path().to_owned(),
            file_name: file_name.to_owned(),
            document,
            submission: cx.submission.path.clone(),
            digest,
            results: results(cx),
            fits_folder: fits_folder(cx),
            release: cx.release.clone(),
            organization: fact(report.implementation.organization),
            project: fact(report.implementation.project),
            version: fact(report.implementation.version),
            channel: fact(report.gateway_api_channel),
            mode: fact(report.mode),
            date: fact(report.date),
            lacks_listener_isolation: lacks(report, LISTENER_ISOLATION),
            api_version: report.api_version.map(|text| text.value.to_owned()),
            url: (report.implementation.url).map(|text| text.value.to_owned()),
            contact: results::texts(report.implementation.contact.as_ref()),
            profiles: ProfileFacts::of(cx),
            succeeded_provisional: results::names(
                cx.registry,
                report.succeeded_provisional_tests.as_ref(),
            ),
            blocks: rules::blocking::blocks(cx),
            is_report: report.is_recognizable(),
            is_cut: cx.is_cut,
        }
    }

    /// What the reports of one run of the suite share: whose it is, when it was, and what it found.
    /// Mode and channel do not tell runs apart, as they are what a copy sold as another run has
    /// changed. Without a date or results, the text of its file.
    pub fn run(&self) -> Run<'_> {
        fn value(fact: &Option<Fact>) -> Option<&str> {
            fact.as_ref().map(|fact| fact.value.as_str())
        }
        match (value(&self.date), self.results) {
            (Some(date), Some(results)) => Run::Results {
                organization: value(&self.organization),
                project: value(&self.project),
                version: value(&self.version),
                date,
                results,
            },
            _ => Run::Text(self.digest),
        }
    }

    /// Organization, project, version, channel, mode and release: what makes a report this one and
    /// no other. `None` when a part that its shape has is missing.
    pub fn identity(&self) -> Option<Identity<'_>> {
        fn value(fact: &Option<Fact>) -> Option<&str> {
            fact.as_ref().map(|fact| fact.value.as_str())
        }
        let is_legacy = self.release.is_legacy();
        Some(Identity {
            organization: value(&self.organization)?,
            project: value(&self.project)?,
            version: value(&self.version)?,
            channel: value(&self.channel).or(is_legacy.then_some(""))?,
            mode: value(&self.mode).or(is_legacy.then_some(""))?,
            release: self.release.version.as_ref().map(ToString::to_string),
        })
    }
}

/// See [`ReportFacts::results`].
fn results(cx: &ReportContext<'_>) -> Option<Digest> {
    // Runs cannot be told apart by what is no date: `-` occurs in accepted reports.
    let date = cx.report.date.filter(|date| is_rfc3339(date.value));
    if date.is_none() || cx.report.profiles.is_empty() {
        return None;
    }
    let mut hasher = Sha256::new();
    for profile in &cx.report.profiles {
        hash(cx.yaml, profile.node, &mut hasher);
    }
    if let Some(list) = &cx.report.succeeded_provisional_tests {
        hash(cx.yaml, list.node, &mut hasher);
    }
    Some(Digest(hasher.finalize().into()))
}

/// Hashes what a node says: not its quotes, its comments or the order of its fields. Each part has
/// a mark or its length before it, so that no two nodes run into the same bytes.
fn hash(yaml: &Yaml<'_>, node: NodeId, hasher: &mut Sha256) {
    if let Some(text) = yaml.text(node) {
        hasher.update(b"=");
        hasher.update((text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
        return;
    }
    hasher.update(b"(");
    for &item in yaml.items(node) {
        hash(yaml, item, hasher);
    }
    let mut entries: Vec<&Entry> = yaml.entries(node).iter().collect();
    entries.sort_by_key(|entry| yaml.text(entry.key));
    for entry in entries {
        hash(yaml, entry.key, hasher);
        hash(yaml, entry.value, hasher);
    }
    hasher.update(b")");
}

/// See [`ReportFacts::fits_folder`].
fn fits_folder(cx: &ReportContext<'_>) -> bool {
    let stated = cx.report.gateway_api_version;
    let stated = stated.and_then(|text| lenient_version(text.value));
    let folder = cx.submission.release.as_ref();
    folder.is_some_and(|folder| stated.is_some_and(|stated| stated.minor() == folder.minor()))
}

/// True when a profile lists the feature as unsupported.
fn lacks(report: &Report<'_>, feature: &str) -> bool {
    let levels = report.profiles.iter().flat_map(|profile| profile.levels());
    let mut features = levels
        .filter_map(|(_, level)| level.unsupported_features.as_ref())
        .flat_map(|list| &list.items);
    features.any(|item| item.value == feature)
}

/// See [`ReportFacts::run`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Run<'f> {
    /// By what the report says.
    Results {
        /// `implementation.organization`.
        organization: Option<&'f str>,
        /// `implementation.project`.
        project: Option<&'f str>,
        /// `implementation.version`.
        version: Option<&'f str>,
        /// `date`.
        date: &'f str,
        /// See [`ReportFacts::results`].
        results: Digest,
    },
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
