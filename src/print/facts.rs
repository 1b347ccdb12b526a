//! Release data for `features`, `profiles` and `tests`. The JSON is as stable as [`super::json`].

mod page;

use serde::Serialize;

use crate::api::{Level, NameKind};
use crate::certify::catalog::{Catalog, FeatureSupport, StateKind, state_in_words};
use crate::release::{Feature, Profile, Registry, Release, Test};
use crate::report::suite;

pub use page::{features_page, profiles_page, tests_page};

/// The selected release.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ReleaseHeader {
    /// Format version.
    #[cfg_attr(test, schemars(extend("const" = 1)))]
    pub version: u32,
    /// Release version.
    pub release: String,
    /// Releases with the same data, including this one.
    pub same_facts: Vec<String>,
    /// How the requested release was resolved, if it was not an exact version.
    pub note: Option<String>,
    /// Profile the list is limited to.
    pub profile: Option<String>,
}

/// Output of `gwconform features --format json`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "Features of a release"))]
pub struct Features {
    #[serde(flatten)]
    shown: ReleaseHeader,
    /// Sorted by name.
    features: Vec<FeatureFacts>,
    /// With `--in`, the support of a single feature by implementation; else null.
    implementations: Option<Vec<Support>>,
    /// True if a single feature was requested.
    #[serde(skip)]
    is_one: bool,
}

/// Support of a feature by an implementation.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Support {
    /// URL slug.
    slug: String,
    /// Display name.
    name: String,
    /// Best report for the newest minor with the feature in a profile.
    path: String,
    /// Index of the document in the file, from 0.
    document: usize,
    /// Release of the report.
    release: Option<String>,
    /// Profiles with the feature, better states first.
    profiles: Vec<ProfileSupport>,
}

/// State of a feature in a profile.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ProfileSupport {
    /// Profile name.
    profile: String,
    /// State of the feature.
    state: StateKind,
    /// State as text.
    text: String,
}

/// A feature.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct FeatureFacts {
    /// Name in reports.
    name: String,
    /// `core` or `extended` for its resource; a profile may include a core feature as extended.
    level: &'static str,
    /// CRD channel with its fields: `standard` or `experimental`.
    channel: &'static str,
    /// Kind the feature belongs to.
    resource: Option<String>,
    /// Description in one sentence.
    meaning: Option<String>,
    /// First release with this name.
    since: Option<String>,
    /// Last minor with the feature, or the last patch if a later patch of that minor removed it;
    /// null if the newest release has it.
    until: Option<String>,
    /// Earlier name.
    renamed_from: Option<String>,
    /// Later name.
    renamed_to: Option<String>,
    /// Profiles with the feature.
    profiles: Vec<PlaceInProfile>,
    /// Tests that prove the feature. If empty, the feature can be claimed but not proved.
    tests: Vec<Proof>,
}

/// Membership in a profile.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct PlaceInProfile {
    /// Profile name.
    profile: String,
    /// `core` or `extended`; features with both levels are listed twice.
    level: &'static str,
}

/// A test of a feature.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Proof {
    /// Short name.
    name: String,
    /// Optional; counts only if it ran.
    provisional: bool,
    /// May finish after the report is written: shown as passed, but its result is not seen.
    parallel: bool,
}

/// Output of `gwconform profiles --format json`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "Profiles of a release"))]
pub struct Profiles {
    #[serde(flatten)]
    shown: ReleaseHeader,
    /// Sorted by name.
    profiles: Vec<ProfileFacts>,
}

/// A profile.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ProfileFacts {
    /// Profile name.
    name: String,
    /// Name the suite writes to reports; differs only because of suite bugs.
    report_name: String,
    /// `gateway` or `mesh`.
    family: &'static str,
    /// First release with this name.
    since: Option<String>,
    /// Earlier name.
    renamed_from: Option<String>,
    /// Required features.
    core: Vec<String>,
    /// Optional features.
    extended: Vec<String>,
    /// Core tests.
    core_tests: TestCounts,
    /// Extended tests.
    extended_tests: TestCounts,
}

/// Numbers of tests.
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

/// Output of `gwconform tests --format json`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "Tests of a release"))]
pub struct Tests {
    #[serde(flatten)]
    shown: ReleaseHeader,
    /// Sorted by name.
    tests: Vec<TestFacts>,
}

/// A test.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct TestFacts {
    /// Short name, as in reports.
    name: String,
    /// Optional; counts only if it ran.
    provisional: bool,
    /// May finish after the report is written: shown as passed, but its result is not seen.
    parallel: bool,
    /// First release with this name.
    since: Option<String>,
    /// Earlier name.
    renamed_from: Option<String>,
    /// Required features.
    features: Vec<String>,
    /// Profiles that count the test; may be empty.
    profiles: Vec<PlaceInProfile>,
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
            version: 1,
            release: release.version().to_string(),
            same_facts: same.map(|release| release.version().to_string()).collect(),
            note,
            profile: profile.map(|profile| profile.name.clone()),
        }
    }
}

fn since(registry: &Registry, kind: NameKind, name: &str) -> Option<String> {
    let release = registry.since(kind, name)?;
    Some(release.version().to_string())
}

impl Features {
    /// Features of a release, optionally limited to a profile.
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

    /// Limits the list to one feature, with its support if a tree is given.
    pub fn of_one(self, name: &str, catalog: Option<&Catalog<'_>>) -> Self {
        let mut features = self.features;
        features.retain(|feature| feature.name == name);
        let support = catalog.map(|catalog| catalog.support(name));
        Self {
            features,
            is_one: true,
            implementations: support.map(|all| all.iter().map(Support::new).collect()),
            ..self
        }
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
        let levels = levels(profile).into_iter();
        levels.map(|level| PlaceInProfile {
            profile: profile.name.clone(),
            level: level.as_str(),
        })
    });
    places.collect()
}

impl Profiles {
    /// Profiles of a release, optionally limited to one.
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

impl Tests {
    /// Tests of a release, optionally limited to a profile.
    pub fn new(
        registry: &Registry,
        release: &Release,
        profile: Option<&Profile>,
        note: Option<String>,
    ) -> Self {
        let is_shown = |test: &&Test| {
            profile.is_none_or(|profile| suite::level(release, profile, test).is_some())
        };
        let tests = release.tests().filter(is_shown).map(|test| TestFacts {
            name: test.name.clone(),
            provisional: test.provisional,
            parallel: test.parallel,
            since: since(registry, NameKind::Test, &test.name),
            renamed_from: test.renamed_from.clone(),
            features: test.features.clone(),
            profiles: places(release, profile, |profile| {
                suite::level(release, profile, test).into_iter().collect()
            }),
        });
        Self {
            shown: ReleaseHeader::new(registry, release, profile, note),
            tests: tests.collect(),
        }
    }
}
