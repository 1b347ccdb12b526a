//! Facts of every Gateway API release: its features, profiles and tests. Queries only; the facts are
//! read from `schema/registry/`, whose README documents each file and how to add a release.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use crate::diagnostic::Severity;
use crate::suggest::{self, Similar};

mod facts;
mod index;
mod load;
mod version;

pub use crate::model::{Channel, Family, Kind, Level};
pub use facts::{ExtendedWhen, Feature, Member, Profile, Release, Test};
use index::Index;
pub use load::FileError;
pub use version::{Minor, Version};

/// What the registry has for a version.
#[derive(Clone, Copy, Debug)]
pub enum Match<'r> {
    /// That very release.
    Exact(&'r Release),
    /// A patch of the minor that is not known; the nearest lower one is. Outputs must report it.
    NearestLowerPatch(&'r Release),
    /// Newer than every release known here: normal, and never an error.
    NewerThanKnown,
    /// No release of that minor up to that patch is known.
    Unknown,
}

impl<'r> Match<'r> {
    /// The facts to compare with, if there are any.
    pub fn release(self) -> Option<&'r Release> {
        match self {
            Self::Exact(release) | Self::NearestLowerPatch(release) => Some(release),
            Self::NewerThanKnown | Self::Unknown => None,
        }
    }
}

/// What begins with a minor and holds until the next such entry.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Since<T> {
    minor: Minor,
    value: T,
}

/// All the facts, read.
#[derive(Debug, Default)]
struct Facts {
    /// By version.
    releases: Vec<Release>,
    index: Index,
    /// By rule, then by minor.
    severities: BTreeMap<String, Vec<Since<Severity>>>,
    /// By minor.
    most_core_skips: Vec<Since<u32>>,
}

/// The facts of all releases.
#[derive(Debug)]
pub struct Registry {
    facts: OnceLock<Facts>,
    shared_names: OnceLock<BTreeSet<Arc<str>>>,
}

impl Registry {
    /// The facts that come with the program. Free until the first question, which reads them all
    /// (under a millisecond).
    pub fn embedded() -> &'static Self {
        static EMBEDDED: Registry = Registry {
            facts: OnceLock::new(),
            shared_names: OnceLock::new(),
        };
        &EMBEDDED
    }

    /// The embedded facts with files of `--registry DIR` added to them, or put in the place of those
    /// with the same name. `files` are names and texts; only names that end in `.json` are read.
    ///
    /// # Errors
    /// All that is wrong in the files, by file and line.
    pub fn with_files(files: &[(String, String)]) -> Result<Self, Vec<FileError>> {
        let (facts, errors) = load::read_with(files);
        if errors.is_empty() {
            Ok(Self {
                facts: OnceLock::from(facts),
                shared_names: OnceLock::new(),
            })
        } else {
            Err(errors)
        }
    }

    fn facts(&self) -> &Facts {
        // The embedded files have no errors; a test holds that.
        self.facts.get_or_init(|| load::read_with(&[]).0)
    }

    /// All releases, by version.
    pub fn releases(&self) -> &[Release] {
        &self.facts().releases
    }

    /// The newest release; `None` only for a registry without releases.
    pub fn newest(&self) -> Option<&Release> {
        self.releases().last()
    }

    /// What is known for a version.
    pub fn release(&self, version: &Version) -> Match<'_> {
        let releases = self.releases();
        let after = releases.partition_point(|release| release.version <= *version);
        let below = after.checked_sub(1).and_then(|at| releases.get(at));
        match below {
            Some(release) if release.version == *version => Match::Exact(release),
            Some(release) if release.version.minor() == version.minor() => {
                Match::NearestLowerPatch(release)
            }
            Some(_) if after == releases.len() => Match::NewerThanKnown,
            _ => Match::Unknown,
        }
    }

    /// The newest patch of a minor.
    pub fn newest_patch_of(&self, minor: Minor) -> Option<&Release> {
        let mut newest_first = self.releases().iter().rev();
        newest_first.find(|release| release.version.minor() == minor)
    }

    /// The releases with the same facts as `release`, itself among them, by version: a message that
    /// names one names all of them.
    pub fn same_content(&self, release: &Release) -> Vec<&Release> {
        let releases = self.releases().iter();
        releases
            .filter(|other| other.content == release.content)
            .collect()
    }

    /// The releases that know a name, by version; empty when none does.
    pub fn known_in(&self, kind: Kind, name: &str) -> Vec<&Release> {
        let releases = self.releases().iter();
        releases.filter(|release| release.has(kind, name)).collect()
    }

    /// The first release, by version, that knows a name.
    pub fn since(&self, kind: Kind, name: &str) -> Option<&Release> {
        let at = self.facts().index.since(kind, name)?;
        self.releases().get(at)
    }

    /// A feature as the newest release that has it declares it.
    pub fn feature(&self, name: &str) -> Option<&Feature> {
        let mut newest_first = self.releases().iter().rev();
        newest_first.find_map(|release| release.feature(name))
    }

    /// A profile as the newest release that has it declares it: for its family above all.
    pub fn profile(&self, name: &str) -> Option<&Profile> {
        let mut newest_first = self.releases().iter().rev();
        newest_first.find_map(|release| release.profile(name))
    }

    /// The name before `name`, and the release that renamed it.
    pub fn renamed_from(&self, kind: Kind, name: &str) -> Option<(&str, &Release)> {
        let mut releases = self.releases().iter();
        releases.find_map(|release| Some((release.renamed_from(kind, name)?, release)))
    }

    /// The name after `name`, and the release that renamed it.
    pub fn renamed_to(&self, kind: Kind, name: &str) -> Option<(&str, &Release)> {
        let (newer, at) = self.facts().index.renamed_to(kind, name)?;
        Some((newer, self.releases().get(at)?))
    }

    /// All names of a kind, of all releases.
    pub fn names(&self, kind: Kind) -> BTreeSet<&str> {
        let releases = self.releases().iter();
        releases.flat_map(|release| release.names(kind)).collect()
    }

    /// A name to keep: known ones share their text, so that many reports that name the same features
    /// and tests hold each name once.
    pub fn shared_name(&self, name: &str) -> Arc<str> {
        let shared = self.shared_names.get_or_init(|| {
            let kinds = [Kind::Feature, Kind::Profile, Kind::Test].into_iter();
            let names = kinds.flat_map(|kind| self.names(kind));
            names.map(Arc::from).collect()
        });
        shared.get(name).cloned().unwrap_or_else(|| Arc::from(name))
    }

    /// The known name that is nearest to an unknown one, if one is near.
    pub fn similar(&self, kind: Kind, name: &str) -> Option<Similar<'_>> {
        suggest::similar(name, self.names(kind))
    }

    /// The severity that a rule has for reports of a minor, where that depends on the release; `None`
    /// where the rule's own default holds.
    pub fn severity(&self, rule: &str, minor: Minor) -> Option<Severity> {
        in_force(self.facts().severities.get(rule)?, minor)
    }

    /// From which minors on a rule has which severity, where that depends on the release.
    pub fn severities(&self, rule: &str) -> impl Iterator<Item = (Minor, Severity)> {
        let entries = self.facts().severities.get(rule);
        entries
            .into_iter()
            .flatten()
            .map(|entry| (entry.minor, entry.value))
    }

    /// The rules whose severity depends on the release, by id.
    pub fn rules_with_policies(&self) -> impl Iterator<Item = &str> {
        self.facts().severities.keys().map(String::as_str)
    }

    /// The most core tests that a partial result may skip in reports of a minor and still be
    /// conformant; `None` without a bound.
    pub fn most_core_skips(&self, minor: Minor) -> Option<u32> {
        in_force(&self.facts().most_core_skips, minor)
    }
}

fn in_force<T: Copy>(entries: &[Since<T>], minor: Minor) -> Option<T> {
    let begun = entries.iter().rev().find(|entry| entry.minor <= minor);
    begun.map(|entry| entry.value)
}
