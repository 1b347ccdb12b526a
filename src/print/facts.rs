//! Output of `features`, `profiles` and `tests`: release data.

mod name_list;
mod test_list;

use serde::Serialize;

use gwconform_base::api::{Level, NameKind};
use gwconform_base::release::{Feature, Profile, Registry, Release};
use gwconform_report::certify::catalog::{FeatureSupport, StateKind, state_in_words};
use gwconform_report::report::suite;

pub use name_list::{features_page, profiles_page};
pub use test_list::{Selection, Tests, tests_page};

/// The release and the profile that a list covers.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ReleaseHeader {
    /// Release, such as `v1.5.1`.
    pub release: String,
    /// All releases with the same data, including this release.
    pub same_facts: Vec<String>,
    /// Explains how the requested release was resolved; null for an exact version.
    pub note: Option<String>,
    /// Profile that the list is limited to; null if all profiles are included.
    pub profile: Option<String>,
}

/// Output of `gwconform features --format json`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "Features of a release"))]
pub struct Features {
    #[serde(flatten)]
    shown: ReleaseHeader,
    /// Features of the release, sorted by name.
    features: Vec<FeatureFacts>,
    /// Implementations that support the feature, if `--in` is used; otherwise null.
    implementations: Option<Vec<Support>>,
    /// True if a single feature was requested.
    #[serde(skip)]
    is_one: bool,
}

/// Support for a feature in the newest report of an implementation.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Support {
    /// Path in URLs, such as `acme/operator`.
    slug: String,
    /// Name for display.
    name: String,
    /// Path of the newest report with the feature in a profile.
    path: String,
    /// Index of the document in the file, from 0.
    document: usize,
    /// Release that the report is for, such as `v1.5.1`.
    release: Option<String>,
    /// Profiles that include the feature, best state first.
    profiles: Vec<ProfileSupport>,
    /// `implementation.version` of the report.
    version: Option<String>,
    /// API channel of the report.
    channel: Option<String>,
    /// Mode of the report.
    mode: Option<String>,
    /// Older report that proves the feature, if the newest one does not.
    older: Option<OlderSupport>,
}

/// Older report that proves a feature.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct OlderSupport {
    /// Path of the report.
    path: String,
    /// `implementation.version`.
    version: Option<String>,
    /// Release that the report is for.
    release: Option<String>,
}

/// State of a feature in one profile of a report.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ProfileSupport {
    /// Profile name, such as `GATEWAY-HTTP`.
    profile: String,
    /// Feature state, such as `proved`.
    state: StateKind,
    /// Feature state as an English phrase that includes the affected tests.
    text: String,
}

/// A feature as declared by the release.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct FeatureFacts {
    /// Feature name in reports, such as `HTTPRouteCORS`.
    name: String,
    /// `core` or `extended` for the resource. A profile can include a core feature as extended.
    level: &'static str,
    /// CRD channel that contains the fields of the feature: `standard` or `experimental`.
    channel: &'static str,
    /// Kind that the feature belongs to, such as `HTTPRoute`.
    resource: Option<String>,
    /// Description in one sentence.
    meaning: Option<String>,
    /// First release that has the feature under this name.
    since: Option<String>,
    /// First release whose standard channel has the feature, if it was experimental before.
    standard_since: Option<String>,
    /// Last minor with the feature, or the last patch if a later patch of that minor removed it.
    /// Null if the newest release has the feature.
    until: Option<String>,
    /// Feature name in earlier releases; null if the feature was not renamed.
    renamed_from: Option<String>,
    /// Feature name in later releases; null if the feature was not renamed.
    renamed_to: Option<String>,
    /// Profiles that include the feature, with the level in each profile.
    profiles: Vec<PlaceInProfile>,
    /// Tests that prove the feature. If no test exists, a report can only claim the feature.
    tests: Vec<Proof>,
}

/// Membership of a feature or test in a profile.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct PlaceInProfile {
    /// Profile name, such as `GATEWAY-HTTP`.
    profile: String,
    /// `core` or `extended`. A feature with both levels has two entries.
    level: &'static str,
}

/// A test that requires the feature.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Proof {
    /// Short test name, as in reports.
    name: String,
    /// True if the test is optional and counts only if it ran.
    provisional: bool,
    /// True if the test can finish after the report is written. The report then lists the test as
    /// passed, but the result is not seen.
    parallel: bool,
}

/// Output of `gwconform profiles --format json`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "Profiles of a release"))]
pub struct Profiles {
    #[serde(flatten)]
    shown: ReleaseHeader,
    /// Profiles of the release, sorted by name.
    profiles: Vec<ProfileFacts>,
}

/// A profile as defined by the release.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ProfileFacts {
    /// Profile name, such as `GATEWAY-HTTP`.
    name: String,
    /// Name that the suite writes to reports. The name differs only because of bugs in the suite.
    report_name: String,
    /// `gateway` or `mesh`.
    family: &'static str,
    /// First release that has the profile under this name.
    since: Option<String>,
    /// Profile name in earlier releases; null if the profile was not renamed.
    renamed_from: Option<String>,
    /// Features that an implementation must support.
    core: Vec<String>,
    /// Features that an implementation can support.
    extended: Vec<String>,
    /// Number of core tests, by kind.
    core_tests: TestCounts,
    /// Number of extended tests, by kind.
    extended_tests: TestCounts,
}

/// Numbers of tests by kind.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct TestCounts {
    /// Tests that always count.
    fixed: usize,
    /// Tests that count only if they ran.
    provisional: usize,
    /// Tests that may finish after the report is written, so their results are not seen.
    parallel: usize,
}

impl ReleaseHeader {
    fn new(
        registry: &Registry,
        release: &Release,
        profile: Option<&Profile>,
        note: Option<String>,
    ) -> Self {
        let same = registry.same_content(release).into_iter();
        Self {
            release: release.version().to_string(),
            same_facts: same.map(|release| release.version().to_string()).collect(),
            note,
            profile: profile.map(|profile| profile.name.clone()),
        }
    }
}

impl FeatureFacts {
    /// First release, such as `v1.4.0`, or `v1.4.0, standard since v1.5.0`.
    fn since_in_words(&self) -> String {
        let since = self.since.as_deref().unwrap_or_default();
        match &self.standard_since {
            Some(standard) => format!("{since}, standard since {standard}"),
            None => since.to_owned(),
        }
    }
}

fn since(registry: &Registry, kind: NameKind, name: &str) -> Option<String> {
    let release = registry.since(kind, name)?;
    Some(release.version().to_string())
}

impl Features {
    /// Lists the features of a release, or only those of `profile`.
    pub fn new(
        registry: &Registry,
        release: &Release,
        profile: Option<&Profile>,
        note: Option<String>,
    ) -> Self {
        let is_shown =
            |feature: &&Feature| profile.is_none_or(|profile| profile.has(&feature.name));
        let features = release.features().filter(is_shown).map(|feature| {
            let tests = release.tests_of(&feature.name).filter(|test| {
                profile.is_none_or(|profile| suite::level(release, profile, test).is_some())
            });
            FeatureFacts {
                name: feature.name.clone(),
                level: feature.level.as_str(),
                channel: feature.channel.as_str(),
                resource: feature.resource.clone(),
                meaning: feature.meaning.clone(),
                since: since(registry, NameKind::Feature, &feature.name),
                standard_since: registry
                    .standard_since(&feature.name)
                    .map(|release| release.version().to_string()),
                until: registry.until_in_short(NameKind::Feature, &feature.name),
                renamed_from: feature.renamed_from.clone(),
                renamed_to: registry
                    .renamed_to(NameKind::Feature, &feature.name)
                    .map(|(name, _)| name.to_owned()),
                profiles: places(release, profile, |profile| {
                    let core = profile.is_core(&feature.name).then_some(Level::Core);
                    let extended = profile
                        .is_extended(&feature.name)
                        .then_some(Level::Extended);
                    core.into_iter().chain(extended).collect()
                }),
                tests: tests
                    .map(|test| Proof {
                        name: test.name.clone(),
                        provisional: test.provisional,
                        parallel: test.parallel,
                    })
                    .collect(),
            }
        });
        Self {
            shown: ReleaseHeader::new(registry, release, profile, note),
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
        let is_named = |feature: &FeatureFacts| names.contains(&feature.name.as_str());
        self.features.retain(is_named);
        self
    }
}

impl Support {
    fn new(support: &FeatureSupport<'_, '_>) -> Self {
        let facts = support.report.judged.facts;
        let release = facts.release.version.as_ref();
        let profiles = support.profiles.iter();
        Self {
            slug: support.implementation.slug.clone(),
            name: support.implementation.name.clone(),
            path: facts.path.clone(),
            document: facts.document,
            release: release.map(ToString::to_string),
            version: facts.version().map(str::to_owned),
            channel: facts.channel().map(str::to_owned),
            mode: facts.mode().map(str::to_owned),
            older: support.older.map(|report| {
                let facts = report.judged.facts;
                OlderSupport {
                    path: facts.path.clone(),
                    version: facts.version().map(str::to_owned),
                    release: facts.release.version.as_ref().map(ToString::to_string),
                }
            }),
            profiles: profiles
                .map(|(profile, state)| ProfileSupport {
                    profile: profile.to_string(),
                    state: state.kind(),
                    text: state_in_words(state),
                })
                .collect(),
        }
    }
}

fn places(
    release: &Release,
    profile: Option<&Profile>,
    levels: impl Fn(&Profile) -> Vec<Level>,
) -> Vec<PlaceInProfile> {
    let profiles = release.profiles();
    let shown = profiles.filter(|one| profile.is_none_or(|profile| profile.name == one.name));
    let places = shown.flat_map(|profile| {
        levels(profile).into_iter().map(|level| PlaceInProfile {
            profile: profile.name.clone(),
            level: level.as_str(),
        })
    });
    places.collect()
}

impl Profiles {
    /// Lists the profiles of a release, or only `profile`.
    pub fn new(
        registry: &Registry,
        release: &Release,
        profile: Option<&Profile>,
        note: Option<String>,
    ) -> Self {
        let profiles = release
            .profiles()
            .filter(|one| profile.is_none_or(|profile| profile.name == one.name))
            .map(|profile| {
                let count = |level: Level| {
                    let mut counts = TestCounts::default();
                    for test in release.tests() {
                        if suite::level(release, profile, test) != Some(level) {
                            continue;
                        }
                        if test.provisional {
                            counts.provisional += 1;
                        } else {
                            counts.fixed += 1;
                        }
                        counts.parallel += usize::from(test.parallel);
                    }
                    counts
                };
                ProfileFacts {
                    name: profile.name.clone(),
                    report_name: profile.report_name.clone(),
                    family: profile.family.as_str(),
                    since: since(registry, NameKind::Profile, &profile.name),
                    renamed_from: profile.renamed_from.clone(),
                    core: profile.core.clone(),
                    extended: profile.extended.clone(),
                    core_tests: count(Level::Core),
                    extended_tests: count(Level::Extended),
                }
            });
        Self {
            shown: ReleaseHeader::new(registry, release, profile, note),
            profiles: profiles.collect(),
        }
    }
}
