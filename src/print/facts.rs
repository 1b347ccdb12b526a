//! Output of `features`, `profiles` and `tests`: release data.

mod name_list;
mod test_list;

use serde::Serialize;

use gwconform_base::api::{Level, NameKind, Version};
use gwconform_base::release::{Feature, Profile, Registry, Release, Test};
use gwconform_report::certify::catalog::{FeatureSupport, state_in_words};
use gwconform_report::document::{FeatureState, ImplementationRef, ProfileLevel, ReportRef};
use gwconform_report::report::facts::Name;

pub use name_list::{features_page, profiles_page};
pub use test_list::{Selection, Tests, tests_page};

/// The release and the profile that a list covers.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Scope<'r> {
    /// Release, such as `v1.5.1`.
    release: &'r Version,
    /// All releases with the same data, including this release.
    same_facts: Vec<&'r Version>,
    /// Notes on the list, such as how the requested release was resolved.
    notes: Vec<String>,
    /// Profile that the list is limited to; null if all profiles are included.
    profile: Option<&'r str>,
}

/// Releases that declare a name, and its other names.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Lifetime<'r> {
    /// First release that has the feature, profile or test under this name.
    since: &'r Version,
    /// Last minor with the name, or the last patch if a later patch of that minor removed it. Null
    /// if the newest release has the name.
    until: Option<String>,
    /// Name in earlier releases; null if it was not renamed.
    renamed_from: Option<&'r str>,
    /// Name in later releases; null if it was not renamed.
    renamed_to: Option<&'r str>,
}

/// Output of `gwconform features --format json`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "Features of a release"))]
pub struct Features<'r> {
    #[serde(flatten)]
    scope: Scope<'r>,
    /// Features of the release, sorted by name.
    features: Vec<FeatureFacts<'r>>,
    /// Implementations that support the feature, if `--in` is used; otherwise null.
    implementations: Option<Vec<Support>>,
    /// True if a single feature was requested.
    #[serde(skip)]
    is_one: bool,
}

/// Support for a feature in the newest report of an implementation with the feature in a profile.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Support {
    #[serde(flatten)]
    implementation: ImplementationRef,
    #[serde(flatten)]
    report: ReportRef,
    /// Profiles that include the feature, best state first.
    profiles: Vec<ProfileSupport>,
    /// Older report that proves the feature, if the newest one does not.
    older: Option<ReportRef>,
}

/// State of a feature in one profile of a report.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ProfileSupport {
    /// Profile name, such as `GATEWAY-HTTP`.
    profile: Name,
    #[serde(flatten)]
    state: FeatureState,
}

/// A feature as declared by the release.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct FeatureFacts<'r> {
    #[serde(flatten)]
    declared: &'r Feature,
    #[serde(flatten)]
    lifetime: Lifetime<'r>,
    /// First release whose standard channel has the feature, if it was experimental before.
    standard_since: Option<&'r Version>,
    /// Profiles that include the feature. A profile with the feature on both levels has two entries.
    profiles: Vec<ProfileLevel<'r>>,
    /// Tests that prove the feature. If no test exists, a report can only claim the feature.
    tests: Vec<&'r Test>,
}

/// Output of `gwconform profiles --format json`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "Profiles of a release"))]
pub struct Profiles<'r> {
    #[serde(flatten)]
    scope: Scope<'r>,
    /// Profiles of the release, sorted by name.
    profiles: Vec<ProfileFacts<'r>>,
}

/// A profile as defined by the release.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ProfileFacts<'r> {
    #[serde(flatten)]
    declared: &'r Profile,
    #[serde(flatten)]
    lifetime: Lifetime<'r>,
    /// Numbers of core tests.
    core_test_counts: TestCounts,
    /// Numbers of extended tests.
    extended_test_counts: TestCounts,
}

/// Numbers of tests by kind.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct TestCounts {
    /// Tests that always count.
    fixed: usize,
    /// Tests that count only if they ran.
    provisional: usize,
    /// Tests that may finish after the report is written, so their results are not seen.
    parallel: usize,
}

impl<'r> Scope<'r> {
    fn new(
        registry: &'r Registry,
        release: &'r Release,
        profile: Option<&'r Profile>,
        note: Option<String>,
    ) -> Self {
        let same = registry.same_content(release).into_iter();
        Self {
            release: release.version(),
            same_facts: same.map(Release::version).collect(),
            notes: note.into_iter().collect(),
            profile: profile.map(|profile| profile.name.as_str()),
        }
    }
}

impl<'r> Lifetime<'r> {
    fn new(registry: &'r Registry, release: &'r Release, kind: NameKind, name: &str) -> Self {
        let other = |other: Option<(&'r str, _)>| other.map(|(name, _): (_, &Release)| name);
        Self {
            since: registry.since(kind, name).unwrap_or(release).version(),
            until: registry.until_in_short(kind, name),
            renamed_from: other(registry.renamed_from(kind, name)),
            renamed_to: other(registry.renamed_to(kind, name)),
        }
    }
}

impl FeatureFacts<'_> {
    /// First release, such as `v1.4.0`, or `v1.4.0, standard since v1.5.0`.
    fn since_in_words(&self) -> String {
        let since = self.lifetime.since;
        match self.standard_since {
            Some(standard) => format!("{since}, standard since {standard}"),
            None => since.to_string(),
        }
    }
}

impl<'r> Features<'r> {
    /// Lists the features of a release, or only those of `profile`.
    pub fn new(
        registry: &'r Registry,
        release: &'r Release,
        profile: Option<&'r Profile>,
        note: Option<String>,
    ) -> Self {
        let is_shown =
            |feature: &&Feature| profile.is_none_or(|profile| profile.has(&feature.name));
        let features = release.features().filter(is_shown).map(|feature| {
            let name = feature.name.as_str();
            let is_counted =
                |test: &&Test| profile.is_none_or(|profile| release.level(profile, test).is_some());
            FeatureFacts {
                declared: feature,
                lifetime: Lifetime::new(registry, release, NameKind::Feature, name),
                standard_since: registry.standard_since(name).map(Release::version),
                profiles: places(release, profile, |profile| {
                    let core = profile.is_core(name).then_some(Level::Core);
                    core.into_iter()
                        .chain(profile.is_extended(name).then_some(Level::Extended))
                }),
                tests: release.tests_of(name).filter(is_counted).collect(),
            }
        });
        Self {
            scope: Scope::new(registry, release, profile, note),
            features: features.collect(),
            implementations: None,
            is_one: false,
        }
    }

    /// Limits the list to one feature, with its support by implementations.
    pub fn of_one(self, name: &str, support: Option<&[FeatureSupport<'_, '_>]>) -> Self {
        Self {
            is_one: true,
            implementations: support.map(|all| all.iter().map(Support::new).collect()),
            ..self.of(&[name])
        }
    }

    /// Limits the list to some features.
    pub fn of(mut self, names: &[&str]) -> Self {
        let is_named = |one: &FeatureFacts<'_>| names.contains(&one.declared.name.as_str());
        self.features.retain(is_named);
        self
    }
}

impl Support {
    fn new(support: &FeatureSupport<'_, '_>) -> Self {
        let report = |report| ReportRef::new(support.implementation, report);
        let profiles = support.profiles.iter();
        Self {
            implementation: ImplementationRef::new(support.implementation),
            report: report(support.report),
            older: support.older.map(report),
            profiles: profiles
                .map(|(profile, state)| ProfileSupport {
                    profile: profile.clone(),
                    state: FeatureState::new(state, state_in_words(state)),
                })
                .collect(),
        }
    }
}

fn places<'r, L: IntoIterator<Item = Level>>(
    release: &'r Release,
    profile: Option<&Profile>,
    levels: impl Fn(&'r Profile) -> L,
) -> Vec<ProfileLevel<'r>> {
    let profiles = release.profiles();
    let shown = profiles.filter(|one| profile.is_none_or(|profile| profile.name == one.name));
    let places = shown.flat_map(|profile| {
        let levels = levels(profile).into_iter();
        levels.map(|level| ProfileLevel {
            profile: &profile.name,
            level,
        })
    });
    places.collect()
}

impl<'r> Profiles<'r> {
    /// Lists the profiles of a release, or only `profile`.
    pub fn new(
        registry: &'r Registry,
        release: &'r Release,
        profile: Option<&'r Profile>,
        note: Option<String>,
    ) -> Self {
        let profiles = release
            .profiles()
            .filter(|one| profile.is_none_or(|profile| profile.name == one.name))
            .map(|profile| ProfileFacts {
                declared: profile,
                lifetime: Lifetime::new(registry, release, NameKind::Profile, &profile.name),
                core_test_counts: TestCounts::new(release, profile, Level::Core),
                extended_test_counts: TestCounts::new(release, profile, Level::Extended),
            });
        Self {
            scope: Scope::new(registry, release, profile, note),
            profiles: profiles.collect(),
        }
    }
}

impl TestCounts {
    fn new(release: &Release, profile: &Profile, level: Level) -> Self {
        let count = |is: fn(&Test) -> bool| {
            let members = release.members(profile).iter();
            let counted = members.filter(|one| one.level == level && is(&one.test));
            counted.count()
        };
        Self {
            fixed: count(|test| !test.provisional),
            provisional: count(|test| test.provisional),
            parallel: count(|test| test.parallel),
        }
    }
}
