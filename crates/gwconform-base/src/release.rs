//! Features, profiles and tests of every Gateway API release, from `schema/registry/`. Its README
//! documents the files.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::{Arc, LazyLock, OnceLock};

use foldhash::fast::FixedState;

use crate::text::diagnostic::Severity;
use crate::text::source::Digest;
use crate::text::suggest::{self, Similar};

pub mod stated;
mod changes;
mod document;
mod content;
pub mod import;
mod index;
mod load;
pub mod references;
pub mod served;
pub mod suites;
pub mod api_fields;
pub mod ingress;
mod need_patterns;
pub mod search_words;

use gwconform_schema::UNRELEASED;

use crate::api::{Channel, Family, Level, Minor, NameKind, Version};
pub use changes::{FieldChange, NameChange, NameChanges, ReleaseChanges};
pub use content::{Commit, ExtendedWhen, Feature, Member, Profile, Release, Test};
use index::Index;
use load::embedded;
pub use load::{FileError, served_problems};
pub use need_patterns::{
    Condition, End, How, NeedEntry, NeedsTable, Pattern, ReferenceFields, Shape, Step,
    UncoveredField, Where,
};
use references::References;
use served::Served;
use suites::Suite;

/// Maximum number of minors after the newest known one. A minor takes months, and gwconform knows
/// each soon after its release.
const PLAUSIBLE_MINORS: u64 = 2;

/// Result of looking up a version.
#[derive(Clone, Copy, Debug)]
pub enum Match<'r> {
    /// Data of the release itself.
    Exact(&'r Release),
    /// Data of the nearest lower patch, because the patch is unknown. Outputs must report this.
    NearestLowerPatch(&'r Release),
    /// At most two minors newer than all known releases; never an error.
    NewerThanKnown,
    /// No release that is known, or can be.
    Unknown,
}

impl<'r> Match<'r> {
    /// Release to compare with, if any.
    pub fn release(self) -> Option<&'r Release> {
        match self {
            Self::Exact(release) | Self::NearestLowerPatch(release) => Some(release),
            Self::NewerThanKnown | Self::Unknown => None,
        }
    }
}

/// Whether the suite knows a test's result when it writes the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// The test has finished.
    Yes,
    /// The test is still running, and the suite reports it as passed.
    No,
    /// The release is unknown or its neighbors differ.
    NotKnown,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Since<T> {
    minor: Minor,
    value: T,
}

/// Policies of the reports project, each with the first minor to which the policy applies.
#[derive(Debug, Default)]
struct SinceMinors {
    severities: BTreeMap<String, Vec<Since<Severity>>>,
    most_core_skips: Vec<Since<u32>>,
}

/// Each file is parsed on first use, because most commands need few files.
#[derive(Debug, Default)]
struct Facts {
    releases: OnceLock<Vec<Release>>,
    index: Index,
    policies: OnceLock<SinceMinors>,
    served: OnceLock<Served>,
    references: OnceLock<References>,
    suites: OnceLock<Vec<Suite>>,
    controllers: OnceLock<ingress::Controllers>,
    fields: OnceLock<api_fields::Fields>,
    ingress: OnceLock<ingress::IngressTable>,
    needs: OnceLock<NeedsTable>,
    words: OnceLock<search_words::Words>,
}

/// User-provided file with release data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddedFile {
    /// Display path or name.
    pub path: String,
    /// SHA-256 digest of the file's text.
    pub digest: Digest,
}

/// Data of all releases.
#[derive(Debug, Default)]
pub struct Registry {
    facts: Facts,
    added: BTreeMap<Version, AddedFile>,
    shared_names: OnceLock<HashSet<Arc<str>, FixedState>>,
    namesakes: OnceLock<Namesakes>,
}

/// Indexes of releases by profile name, with the name that the profile has in each release.
type Namesakes = BTreeMap<String, Vec<(usize, String)>>;

impl Registry {
    /// Embedded data, parsed on first use.
    pub fn embedded() -> &'static Self {
        static EMBEDDED: LazyLock<Registry> = LazyLock::new(Registry::default);
        &EMBEDDED
    }

    /// Creates a registry with additional files (name and text), which replace embedded files of
    /// the same name.
    ///
    /// # Errors
    /// All errors in the files, with file and line.
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

    /// Creates a registry like [`Registry::with_files`] that also has the built-in data of upstream's
    /// main branch, unless its minor is already published.
    ///
    /// # Errors
    /// All errors in the files, with file and line.
    pub fn with_unreleased(files: &[(String, String)]) -> Result<Self, Vec<FileError>> {
        let known = Self::with_files(files)?;
        let newest = known.newest().map(|release| release.version().minor());
        let Some(version) = import::release_of(UNRELEASED) else {
            return Ok(known);
        };
        let name = format!("{version}.json");
        let is_added = files.iter().any(|(added, _)| *added == name);
        if is_added || Some(version.minor()) <= newest {
            return Ok(known);
        }
        let main = (name, UNRELEASED.to_owned());
        Self::with_files(&[files, &[main]].concat())
    }

    /// Prefixes the display paths of added files with `folder`.
    #[must_use]
    pub fn of_folder(mut self, folder: &str) -> Self {
        for file in self.added.values_mut() {
            file.path = format!("{}/{}", folder.trim_end_matches('/'), file.path);
        }
        self
    }

    /// User-provided file that defines a release, if any.
    pub fn added(&self, release: &Version) -> Option<&AddedFile> {
        self.added.get(release)
    }

    /// True if an embedded file has this name.
    pub fn is_built_in(name: &str) -> bool {
        embedded::has(name, None)
    }

    /// Known releases, sorted by version.
    pub fn releases(&self) -> &[Release] {
        self.facts.releases.get_or_init(embedded::releases)
    }

    fn index(&self, kind: NameKind) -> &index::Names {
        self.facts.index.of(kind, self.releases())
    }

    fn policies(&self) -> &SinceMinors {
        self.facts.policies.get_or_init(embedded::policies)
    }

    /// Links to documentation and test sources.
    pub fn references(&self) -> &References {
        (self.facts.references).get_or_init(embedded::references)
    }

    /// API versions and fields in the CRDs of each release.
    pub fn served(&self) -> &Served {
        self.facts.served.get_or_init(embedded::served)
    }

    /// Suite of a version or, if unknown, the newest of its minor, the nearest older one, or the
    /// oldest.
    pub fn suite_of(&self, version: &Version) -> Option<&Suite> {
        let suites = self.facts.suites.get_or_init(embedded::suites);
        let newest_first = || suites.iter().rev();
        let exact = newest_first().find(|suite| suite.version == *version);
        let minor = || newest_first().find(|suite| suite.version.minor() == version.minor());
        let older = || newest_first().find(|suite| suite.version < *version);
        exact.or_else(minor).or_else(older).or(suites.first())
    }

    /// Published releases, sorted by version ([`Release::is_released`]).
    pub fn released(&self) -> impl DoubleEndedIterator<Item = &Release> + Clone {
        let releases = self.releases().iter();
        releases.filter(|release| release.is_released())
    }

    /// Newest published release.
    pub fn newest(&self) -> Option<&Release> {
        self.released().next_back()
    }

    /// Newest known release, if its minor is newer than all published minors.
    pub fn upcoming(&self) -> Option<&Release> {
        let last = self.releases().last()?;
        let newest = self.newest().map(|release| release.version().minor());
        (Some(last.version().minor()) > newest).then_some(last)
    }

    /// First published release of a minor.
    pub fn first_patch_of(&self, minor: Minor) -> Option<&Release> {
        let mut releases = self.released();
        releases.find(|release| release.version().minor() == minor)
    }

    /// Unpublished releases never substitute another version, because their data may still change.
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
            Some(release) if self.is_of_next_minors(release, version) => Match::NewerThanKnown,
            _ => Match::Unknown,
        }
    }

    fn is_of_next_minors(&self, below: &Release, version: &Version) -> bool {
        let (newest, minor) = (below.version.minor(), version.minor());
        Some(&below.version) == self.newest().map(Release::version)
            && newest.major == minor.major
            && minor.minor - newest.minor <= PLAUSIBLE_MINORS
    }

    /// Whether the suite knows a test's result when it writes the report.
    ///
    /// Requires that all known patches of the minor agree, because an unknown patch may differ, as
    /// v1.6.2 did.
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

    fn patches_of(&self, minor: Minor) -> &[Release] {
        let releases = self.releases();
        let begin = releases.partition_point(|release| release.version.minor() < minor);
        let end = releases.partition_point(|release| release.version.minor() <= minor);
        &releases[begin..end]
    }

    /// Newest known patch of a minor, including unpublished patches.
    pub fn newest_patch_of(&self, minor: Minor) -> Option<&Release> {
        let mut newest_first = self.releases().iter().rev();
        newest_first.find(|release| release.version.minor() == minor)
    }

    /// Releases with equal data, including `release`, sorted by version.
    pub fn same_content(&self, release: &Release) -> Vec<&Release> {
        self.releases()
            .iter()
            .filter(|other| other.content == release.content)
            .collect()
    }

    /// Published releases with the name, or else unpublished ones.
    pub fn known_in(&self, kind: NameKind, name: &str) -> Vec<&Release> {
        self.released_first(|release| release.has(kind, name))
    }

    /// Published releases with the property, or else unpublished ones.
    pub fn released_first(&self, has: impl Fn(&Release) -> bool) -> Vec<&Release> {
        let found: Vec<_> = self.released().filter(|release| has(release)).collect();
        if !found.is_empty() {
            return found;
        }
        let others = self.releases().iter();
        let others = others.filter(|release| !release.is_released());
        others.filter(|release| has(release)).collect()
    }

    fn newest_with(&self, kind: NameKind, name: &str) -> Option<&Release> {
        let lifetime = self.index(kind).lifetime(name)?;
        let newest = lifetime.last_released.unwrap_or(lifetime.last);
        self.releases().get(newest)
    }

    /// Profiles that a reported name can denote, sorted by version. Includes names before and after
    /// renames, and report names.
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
            let mut names = BTreeSet::from([name.as_str()]);
            for other_name in [Self::renamed_from, Self::renamed_to] {
                let next = |name| Some(other_name(self, NameKind::Profile, name)?.0);
                let mut other = next(name);
                // Invalid data can contain cycles.
                while let Some(new) = other.filter(|other| names.insert(other)) {
                    other = next(new);
                }
            }
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

    /// First release that declares a name.
    pub fn since(&self, kind: NameKind, name: &str) -> Option<&Release> {
        let lifetime = self.index(kind).lifetime(name)?;
        self.releases().get(lifetime.first)
    }

    /// First release whose standard channel has a feature that was experimental before. `None` for
    /// features that never changed their channel.
    pub fn standard_since(&self, feature: &str) -> Option<&Release> {
        let with = |release: &&Release| release.feature(feature).is_some();
        let is_standard = |release: &&Release| {
            let found = release.feature(feature);
            found.is_some_and(|found| found.channel == Channel::Standard)
        };
        let first = self.releases().iter().find(with)?;
        let standard = self.releases().iter().find(is_standard)?;
        (standard.version > first.version).then_some(standard)
    }

    /// First release of a feature, such as `v1.4.0`, or `v1.4.0, standard since v1.5.0`.
    pub(crate) fn feature_since(&self, feature: &str) -> Option<String> {
        let first = &self.since(NameKind::Feature, feature)?.version;
        Some(match self.standard_since(feature) {
            Some(standard) => format!("{first}, standard since {}", standard.version),
            None => first.to_string(),
        })
    }

    /// Last published release with the name, if the newest release lacks it.
    pub fn until(&self, kind: NameKind, name: &str) -> Option<&Release> {
        let lifetime = self.index(kind).lifetime(name)?;
        let last = self.releases().get(lifetime.last_released?)?;
        let newest = self.newest()?;
        (last.version < newest.version).then_some(last)
    }

    /// Release that removed a name, as a minor (`v1.7`) if it is the minor's first. `None` if the
    /// name still exists or was renamed.
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

    /// Releases with the name, such as `since v1.5.0`, or `v1.5 to v1.6, removed in v1.7`. `None`
    /// if no release declares it.
    pub fn lifetime(&self, kind: NameKind, name: &str) -> Option<String> {
        let first = self.since(kind, name)?;
        let Some(last) = self.until_in_short(kind, name) else {
            let since = match kind {
                NameKind::Feature => self.feature_since(name)?,
                _ => first.version.to_string(),
            };
            return Some(format!("since {since}"));
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

    /// Last release with a removed or renamed name: `v1.6`, or `v1.6.1` if a later patch lacks the
    /// name.
    pub fn until_in_short(&self, kind: NameKind, name: &str) -> Option<String> {
        Some(self.last_in_short(self.until(kind, name)?))
    }

    /// Minor for its first release, otherwise the version.
    pub fn first_in_short(&self, first: &Release) -> String {
        let minor = first.version.minor();
        let begins = self.patches_of(minor).first();
        if begins.is_some_and(|begins| begins.version == first.version) {
            minor.to_string()
        } else {
            first.version.to_string()
        }
    }

    /// Minor for its last published release, otherwise the version.
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

    /// Whether any release declares a name.
    pub fn is_known(&self, kind: NameKind, name: &str) -> bool {
        self.index(kind).lifetime(name).is_some()
    }

    /// Newest data of a feature, preferably from a published release.
    pub fn feature(&self, name: &str) -> Option<&Feature> {
        self.newest_with(NameKind::Feature, name)?.feature(name)
    }

    /// Newest data of a profile, preferably from a published release.
    pub fn profile(&self, name: &str) -> Option<&Profile> {
        self.newest_with(NameKind::Profile, name)?.profile(name)
    }

    /// Whether the newest release has a profile of this family with the Route kind as a core
    /// feature.
    pub fn has_profile_of(&self, route: &str, family: Family) -> bool {
        let mut profiles = self.newest().into_iter().flat_map(Release::profiles);
        profiles.any(|profile| profile.family == family && profile.is_core(route))
    }

    /// Previous name, and the release that renamed it.
    pub fn renamed_from(&self, kind: NameKind, name: &str) -> Option<(&str, &Release)> {
        let (older, at) = self.index(kind).renamed_from(name)?;
        Some((older, self.releases().get(at)?))
    }

    /// Next name, and the release that renamed it.
    pub fn renamed_to(&self, kind: NameKind, name: &str) -> Option<(&str, &Release)> {
        let (newer, at) = self.index(kind).renamed_to(name)?;
        Some((newer, self.releases().get(at)?))
    }

    /// Names that any release declares.
    pub fn names(&self, kind: NameKind) -> BTreeSet<&str> {
        let releases = self.releases().iter();
        releases.flat_map(|release| release.names(kind)).collect()
    }

    /// Names that published releases declare.
    pub fn released_names(&self, kind: NameKind) -> BTreeSet<&str> {
        self.released()
            .flat_map(|release| release.names(kind))
            .collect()
    }

    /// Shared copy of a known name, because thousands of reports repeat names.
    pub fn shared_name(&self, name: &str) -> Arc<str> {
        let shared = self.shared_names.get_or_init(|| {
            let mut shared = HashSet::default();
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

    /// Finds the most similar known name.
    pub fn similar(&self, kind: NameKind, name: &str) -> Option<Similar<'_>> {
        suggest::similar(name, self.names(kind))
    }

    /// Severity of a rule for reports of a minor; `None` if the rule's default applies.
    pub fn severity(&self, rule: &str, minor: Minor) -> Option<Severity> {
        in_force(self.policies().severities.get(rule)?, minor)
    }

    /// Severities of a rule, each with its first minor.
    pub fn severities(&self, rule: &str) -> impl Iterator<Item = (Minor, Severity)> {
        let entries = self.policies().severities.get(rule);
        entries
            .into_iter()
            .flatten()
            .map(|entry| (entry.minor, entry.value))
    }

    /// Rules whose severity depends on the minor.
    pub fn rules_with_policies(&self) -> impl Iterator<Item = &str> {
        self.policies().severities.keys().map(String::as_str)
    }

    /// Fields of the API in any release.
    pub fn fields(&self) -> &api_fields::Fields {
        self.facts.fields.get_or_init(embedded::fields)
    }

    /// Equivalents of the annotations of ingress-nginx.
    pub fn ingress(&self) -> &ingress::IngressTable {
        self.facts.ingress.get_or_init(embedded::ingress)
    }

    /// Controllers of Ingresses, and tools with annotations of their own.
    pub fn controllers(&self) -> &ingress::Controllers {
        self.facts.controllers.get_or_init(embedded::controllers)
    }

    /// Patterns that detect the features a manifest requires.
    pub fn needs(&self) -> &NeedsTable {
        self.facts.needs.get_or_init(embedded::needs)
    }

    /// Words that readers use for features, implementations and proposals.
    pub fn words(&self) -> &search_words::Words {
        self.facts.words.get_or_init(embedded::words)
    }

    /// Maximum number of skipped core tests in a conformant partial result; `None` for no limit.
    pub fn most_core_skips(&self, minor: Minor) -> Option<u32> {
        in_force(&self.policies().most_core_skips, minor)
    }
}

fn in_force<T: Copy>(entries: &[Since<T>], minor: Minor) -> Option<T> {
    let begun = entries.iter().rev().find(|entry| entry.minor <= minor);
    begun.map(|entry| entry.value)
}
