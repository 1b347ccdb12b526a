//! Facts of every Gateway API release: its features, profiles and tests. Queries only; the facts are
//! read from `schema/registry/`, whose README documents each file and how to add a release.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::{Arc, LazyLock, OnceLock};

use crate::text::diagnostic::Severity;
use crate::text::source::Digest;
use crate::text::suggest::{self, Similar};

pub mod stated;
mod compare;
mod document;
mod facts;
pub mod import;
mod index;
mod load;
pub mod references;
pub mod served;
pub mod suites;
mod needs;

use crate::api::{Channel, Family, Level, Minor, NameKind, Version};
pub use compare::{FieldChange, NameChange, NameChanges, ReleaseChanges};
pub use facts::{ExtendedWhen, Feature, Member, Profile, Release, Test};
use index::Index;
use load::embedded;
pub use load::{FileError, served_problems};
pub use needs::{
    Condition, End, How, NeedEntry, NeedsTable, Pattern, ReferenceFields, Shape, Step,
    UncoveredField, Where,
};
use references::References;
use served::Served;
use suites::Suite;

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

/// Whether the suite of a release knows the result of a test when it writes the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// The test has ended by then.
    Yes,
    /// It has not: the test shows as passed, whatever its result is.
    No,
    /// Not known.
    NotKnown,
}

/// What begins with a minor and holds until the next such entry.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Since<T> {
    minor: Minor,
    value: T,
}

/// What depends on the minor in our own judgement.
#[derive(Debug, Default)]
struct SinceMinors {
    /// By rule, then by minor.
    severities: BTreeMap<String, Vec<Since<Severity>>>,
    /// By minor.
    most_core_skips: Vec<Since<u32>>,
}

/// All the facts. Those that are embedded are read when they are first asked for, file by file: most
/// commands need few of them.
#[derive(Debug, Default)]
struct Facts {
    /// By version.
    releases: OnceLock<Vec<Release>>,
    index: Index,
    policies: OnceLock<SinceMinors>,
    served: OnceLock<Served>,
    references: OnceLock<References>,
    /// By version.
    suites: OnceLock<Vec<Suite>>,
    /// What manifests show.
    needs: OnceLock<NeedsTable>,
}

/// A file with release facts that does not come with the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddedFile {
    /// Its path as it is printed, or its name.
    pub path: String,
    /// SHA-256 of its text.
    pub digest: Digest,
}

/// The facts of all releases.
#[derive(Debug, Default)]
pub struct Registry {
    facts: Facts,
    /// Files that do not come with the program, by the release they describe.
    added: BTreeMap<Version, AddedFile>,
    shared_names: OnceLock<HashSet<Arc<str>>>,
    /// What each name of a profile can mean; found on first use.
    namesakes: OnceLock<Namesakes>,
}

/// The profiles that a name can mean: the place of the release, and the profile's name there.
type Namesakes = BTreeMap<String, Vec<(usize, String)>>;

/// More renames than any profile has had.
const MAX_RENAMES: usize = 10;

impl Registry {
    /// The facts that come with the program. Free until the first question (under a millisecond).
    pub fn embedded() -> &'static Self {
        static EMBEDDED: LazyLock<Registry> = LazyLock::new(Registry::default);
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
                facts,
                added: load::added(files),
                ..Self::default()
            })
        } else {
            Err(errors)
        }
    }

    /// The same with files of a folder: its name is part of their printed paths.
    #[must_use]
    pub fn of_folder(mut self, folder: &str) -> Self {
        for file in self.added.values_mut() {
            file.path = format!("{}/{}", folder.trim_end_matches('/'), file.path);
        }
        self
    }

    /// The file with the facts of a release, if they do not come with the program.
    pub fn added(&self, release: &Version) -> Option<&AddedFile> {
        self.added.get(release)
    }

    /// True for the name of a file of facts that comes with the program.
    pub fn is_built_in(name: &str) -> bool {
        embedded::has(name, None)
    }

    /// All releases, by version.
    pub fn releases(&self) -> &[Release] {
        self.facts.releases.get_or_init(embedded::releases)
    }

    fn index(&self, kind: NameKind) -> &index::Names {
        self.facts.index.of(kind, self.releases())
    }

    fn policies(&self) -> &SinceMinors {
        self.facts.policies.get_or_init(embedded::policies)
    }

    /// Where features and tests can be looked up.
    pub fn references(&self) -> &References {
        (self.facts.references).get_or_init(embedded::references)
    }

    /// What the CRDs of releases serve.
    pub fn served(&self) -> &Served {
        self.facts.served.get_or_init(embedded::served)
    }

    /// How the suite of a version is run: of that version, else of the newest patch of its minor, else
    /// of the nearest older release, else of the oldest. `None` only where nothing is known of any.
    pub fn suite_of(&self, version: &Version) -> Option<&Suite> {
        let suites = self.facts.suites.get_or_init(embedded::suites);
        let newest_first = || suites.iter().rev();
        let exact = newest_first().find(|suite| suite.version == *version);
        let minor = || newest_first().find(|suite| suite.version.minor() == version.minor());
        let older = || newest_first().find(|suite| suite.version < *version);
        exact.or_else(minor).or_else(older).or(suites.first())
    }

    /// The releases that are out, by version ([`Release::is_released`]).
    pub fn released(&self) -> impl DoubleEndedIterator<Item = &Release> + Clone {
        let releases = self.releases().iter();
        releases.filter(|release| release.is_released())
    }

    /// The newest release that is out; `None` only for a registry without any.
    pub fn newest(&self) -> Option<&Release> {
        self.released().next_back()
    }

    /// The facts of the newest minor of which no release is out, newer than those that are; `None`
    /// without such facts.
    pub fn upcoming(&self) -> Option<&Release> {
        let last = self.releases().last()?;
        let newest = self.newest().map(|release| release.version().minor());
        (Some(last.version().minor()) > newest).then_some(last)
    }

    /// True for a minor of which facts are known and no release is out.
    pub fn is_upcoming(&self, minor: Minor) -> bool {
        let mut releases = self.released();
        self.newest_patch_of(minor).is_some()
            && !releases.any(|release| release.version().minor() == minor)
    }

    /// What is known for a version. What is not out stands in for no other version: its facts may
    /// still change.
    pub fn release(&self, version: &Version) -> Match<'_> {
        let releases = self.releases();
        if let Ok(at) = releases.binary_search_by(|release| release.version.cmp(version)) {
            return Match::Exact(&releases[at]);
        }
        let mut newest_first = self.released().rev();
        let below = newest_first.find(|release| release.version < *version);
        match below {
            Some(release) if release.version.minor() == version.minor() => {
                Match::NearestLowerPatch(release)
            }
            Some(release) if Some(release.version()) == self.newest().map(Release::version) => {
                Match::NewerThanKnown
            }
            _ => Match::Unknown,
        }
    }

    /// Whether reports of a version show the result of a test, by what is known for that version.
    ///
    /// A patch that is not known has the tests of its neighbour, but may write its reports at
    /// another time: v1.6.2 did. So where known patches of its minor do not show the result of the
    /// test, it is not known whether this one does. Where all of them show it, so does this one.
    pub fn seen(&self, found: Match<'_>, test: &Test) -> Seen {
        match found {
            Match::Exact(_) if test.parallel => Seen::No,
            Match::Exact(_) => Seen::Yes,
            Match::NearestLowerPatch(neighbour) => {
                let mut patches = self.patches_of(neighbour.version.minor()).iter();
                let hides = |release: &Release| {
                    let known = release.test(&test.name);
                    known.is_some_and(|known| known.parallel)
                };
                if patches.any(hides) {
                    Seen::NotKnown
                } else {
                    Seen::Yes
                }
            }
            Match::NewerThanKnown | Match::Unknown => Seen::NotKnown,
        }
    }

    /// The known patches of a minor, by version.
    fn patches_of(&self, minor: Minor) -> &[Release] {
        let releases = self.releases();
        let begin = releases.partition_point(|release| release.version.minor() < minor);
        let end = releases.partition_point(|release| release.version.minor() <= minor);
        &releases[begin..end]
    }

    /// The newest patch of a minor, whether it is out or not.
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

    /// The releases that know a name, by version: those that are out, else the others; empty when
    /// none does.
    pub fn known_in(&self, kind: NameKind, name: &str) -> Vec<&Release> {
        self.released_first(|release| release.has(kind, name))
    }

    /// The releases with a property, by version: those that are out, else the others.
    pub fn released_first(&self, has: impl Fn(&Release) -> bool) -> Vec<&Release> {
        let found: Vec<_> = self.released().filter(|release| has(release)).collect();
        if !found.is_empty() {
            return found;
        }
        let others = self.releases().iter();
        let others = others.filter(|release| !release.is_released());
        others.filter(|release| has(release)).collect()
    }

    /// The releases with the newest that is out first; those that are not out come last.
    fn newest_first(&self) -> impl Iterator<Item = &Release> {
        let others = self.releases().iter().rev();
        let others = others.filter(|release| !release.is_released());
        self.released().rev().chain(others)
    }

    /// What a profile's name can mean in a report: the profiles of all releases that are called so or
    /// were, and those that the suite of a release reports so. By version.
    pub fn profiles_called(&self, name: &str) -> impl Iterator<Item = (&Release, &Profile)> {
        let found = self.namesakes.get_or_init(|| self.namesakes());
        let found = found.get(name).into_iter().flatten();
        found.filter_map(|(at, name)| {
            let release = self.releases().get(*at)?;
            Some((release, release.profile(name)?))
        })
    }

    fn namesakes(&self) -> Namesakes {
        let profiles = || {
            let releases = self.releases().iter().enumerate();
            releases.flat_map(|(at, release)| release.profiles().map(move |profile| (at, profile)))
        };
        let names = profiles().flat_map(|(_, profile)| [&profile.name, &profile.report_name]);
        let names: BTreeSet<&String> = names.collect();
        let meant = names.into_iter().map(|name| {
            let older = std::iter::successors(Some(name.as_str()), |name| {
                Some(self.renamed_from(NameKind::Profile, name)?.0)
            });
            let newer = std::iter::successors(Some(name.as_str()), |name| {
                Some(self.renamed_to(NameKind::Profile, name)?.0)
            });
            // Facts that rename in a circle are wrong, and no reason to go round it.
            let names = older.take(MAX_RENAMES).chain(newer.take(MAX_RENAMES));
            let names: BTreeSet<&str> = names.collect();
            let is_meant = |profile: &Profile| {
                names.contains(profile.name.as_str())
                    || names.contains(profile.report_name.as_str())
            };
            let found = profiles().filter(|(_, profile)| is_meant(profile));
            let found = found.map(|(at, profile)| (at, profile.name.clone()));
            (name.clone(), found.collect())
        });
        meant.collect()
    }

    /// The first release, by version, that knows a name.
    pub fn since(&self, kind: NameKind, name: &str) -> Option<&Release> {
        let at = self.index(kind).since(name)?;
        self.releases().get(at)
    }

    /// The last release that is out, by version, that knows a name which a later one does not; `None`
    /// for a name that the newest release knows, or none.
    pub fn until(&self, kind: NameKind, name: &str) -> Option<&Release> {
        let last = self.released().rfind(|release| release.has(kind, name))?;
        let newest = self.newest()?;
        (last.version < newest.version).then_some(last)
    }

    /// The release that removed something, as its minor where it begins that: `v1.7`. `None` for a name
    /// that the newest release knows, and for one that was renamed.
    pub fn removed_in(&self, kind: NameKind, name: &str) -> Option<String> {
        let last = self.until(kind, name)?;
        if self.renamed_to(kind, name).is_some() {
            return None;
        }
        let mut later = self
            .released()
            .filter(|release| release.version > last.version);
        later.next().map(|release| self.first_in_short(release))
    }

    /// Which releases have a name: `since v1.5.0`, or `v1.5 to v1.6` where later ones do not, with the
    /// one that removed it. A patch is named where its minor has others that differ. `None` when no
    /// release has the name.
    pub fn lifetime(&self, kind: NameKind, name: &str) -> Option<String> {
        let first = self.since(kind, name)?;
        let Some(last) = self.until_in_short(kind, name) else {
            return Some(format!("since {}", first.version));
        };
        let first = match Minor::parse(&last) {
            Some(_) => self.first_in_short(first),
            None => first.version.to_string(),
        };
        let releases = if first == last {
            format!("{last} only")
        } else {
            format!("{first} to {last}")
        };
        Some(match self.removed_in(kind, name) {
            Some(removed) => format!("{releases}, removed in {removed}"),
            None => releases,
        })
    }

    /// The last release that knows a name which later ones do not: `v1.6`, or `v1.6.1` where a later
    /// patch of the minor does not know it either.
    pub fn until_in_short(&self, kind: NameKind, name: &str) -> Option<String> {
        Some(self.last_in_short(self.until(kind, name)?))
    }

    /// The first release with something: its minor, where it begins that.
    pub fn first_in_short(&self, first: &Release) -> String {
        let minor = first.version.minor();
        let begins = self.patches_of(minor).first();
        match begins.is_some_and(|begins| begins.version == first.version) {
            true => minor.to_string(),
            false => first.version.to_string(),
        }
    }

    /// The last release with something: its minor, where no later patch of that is known.
    pub fn last_in_short(&self, last: &Release) -> String {
        let minor = last.version.minor();
        let mut patches = self.released();
        let newest = patches.rfind(|release| release.version.minor() == minor);
        let newest = newest.map(Release::version);
        if newest == Some(&last.version) {
            minor.to_string()
        } else {
            last.version.to_string()
        }
    }

    /// A feature as the newest release that has it declares it; one that is out comes first.
    pub fn feature(&self, name: &str) -> Option<&Feature> {
        self.newest_first()
            .find_map(|release| release.feature(name))
    }

    /// A profile as the newest release that has it declares it: for its family above all.
    pub fn profile(&self, name: &str) -> Option<&Profile> {
        self.newest_first()
            .find_map(|release| release.profile(name))
    }

    /// True where a profile of the newest release is about a kind of Routes, with parents of a family.
    pub fn has_profile_of(&self, route: &str, family: Family) -> bool {
        let mut profiles = self.newest().into_iter().flat_map(Release::profiles);
        profiles.any(|profile| profile.family == family && profile.is_core(route))
    }

    /// The name before `name`, and the release that renamed it.
    pub fn renamed_from(&self, kind: NameKind, name: &str) -> Option<(&str, &Release)> {
        let (older, at) = self.index(kind).renamed_from(name)?;
        Some((older, self.releases().get(at)?))
    }

    /// The name after `name`, and the release that renamed it.
    pub fn renamed_to(&self, kind: NameKind, name: &str) -> Option<(&str, &Release)> {
        let (newer, at) = self.index(kind).renamed_to(name)?;
        Some((newer, self.releases().get(at)?))
    }

    /// All names of a kind, of all releases.
    pub fn names(&self, kind: NameKind) -> BTreeSet<&str> {
        let releases = self.releases().iter();
        releases.flat_map(|release| release.names(kind)).collect()
    }

    /// All names of a kind, of all releases that are out.
    pub fn released_names(&self, kind: NameKind) -> BTreeSet<&str> {
        self.released()
            .flat_map(|release| release.names(kind))
            .collect()
    }

    /// A name to keep: known ones share their text, so that many reports that name the same features
    /// and tests hold each name once.
    pub fn shared_name(&self, name: &str) -> Arc<str> {
        let shared = self.shared_names.get_or_init(|| {
            let mut shared = HashSet::new();
            // Others repeat the names of an earlier release.
            let changed = self.releases().iter().filter(|one| one.same_as().is_none());
            for release in changed {
                for kind in [NameKind::Feature, NameKind::Profile, NameKind::Test] {
                    for name in release.names(kind) {
                        if !shared.contains(name) {
                            shared.insert(Arc::from(name));
                        }
                    }
                }
            }
            shared
        });
        shared.get(name).cloned().unwrap_or_else(|| Arc::from(name))
    }

    /// The known name that is nearest to an unknown one, if one is near.
    pub fn similar(&self, kind: NameKind, name: &str) -> Option<Similar<'_>> {
        suggest::similar(name, self.names(kind))
    }

    /// The severity that a rule has for reports of a minor, where that depends on the release; `None`
    /// where the rule's own default holds.
    pub fn severity(&self, rule: &str, minor: Minor) -> Option<Severity> {
        in_force(self.policies().severities.get(rule)?, minor)
    }

    /// From which minors on a rule has which severity, where that depends on the release.
    pub fn severities(&self, rule: &str) -> impl Iterator<Item = (Minor, Severity)> {
        let entries = self.policies().severities.get(rule);
        entries
            .into_iter()
            .flatten()
            .map(|entry| (entry.minor, entry.value))
    }

    /// The rules whose severity depends on the release, by id.
    pub fn rules_with_policies(&self) -> impl Iterator<Item = &str> {
        self.policies().severities.keys().map(String::as_str)
    }

    /// What a manifest shows of the features it needs.
    pub fn needs(&self) -> &NeedsTable {
        self.facts.needs.get_or_init(embedded::needs)
    }

    /// The most core tests that a partial result may skip in reports of a minor and still be
    /// conformant; `None` without a bound.
    pub fn most_core_skips(&self, minor: Minor) -> Option<u32> {
        in_force(&self.policies().most_core_skips, minor)
    }
}

fn in_force<T: Copy>(entries: &[Since<T>], minor: Minor) -> Option<T> {
    let begun = entries.iter().rev().find(|entry| entry.minor <= minor);
    begun.map(|entry| entry.value)
}
