//! The facts of a release for people and programs. As in [`super::json`], fields are only ever
//! added, and `version` changes when one changes its meaning.

mod page;

use serde::Serialize;

use crate::api::{Level, NameKind};
use crate::certify::catalog::{Catalog, FeatureSupport, StateKind, state_in_words};
use crate::release::{Feature, Profile, Registry, Release, Test};
use crate::report::suite;

pub use page::{features_page, profiles_page, tests_page};

/// Which release is shown.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ReleaseHeader {
    /// Version of this format.
    #[cfg_attr(test, schemars(extend("const" = 1)))]
    pub version: u32,
    /// The release.
    pub release: String,
    /// The releases with the same facts, itself among them.
    pub same_facts: Vec<String>,
    /// How the release that was asked for was read, when it was not exactly one.
    pub note: Option<String>,
    /// The profile that the list is limited to.
    pub profile: Option<String>,
}

/// What `gwconform features --format json` prints.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "Features of a release"))]
pub struct Features {
    #[serde(flatten)]
    shown: ReleaseHeader,
    /// By name.
    features: Vec<FeatureFacts>,
    /// With `--in`, what each implementation of the tree reports of the one feature; else null.
    implementations: Option<Vec<Support>>,
    /// True where one feature was asked for.
    #[serde(skip)]
    is_one: bool,
}

/// What an implementation reports of a feature.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Support {
    /// Its part of addresses.
    slug: String,
    /// The name to show.
    name: String,
    /// Of its reports for the newest minor with a profile that has the feature, the one that shows most.
    path: String,
    /// Which document of that file it is, from 0.
    document: usize,
    /// The release that the report is for.
    release: Option<String>,
    /// The profiles of the report that have the feature, better states first.
    profiles: Vec<ProfileSupport>,
}

/// The state of a feature in a profile.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ProfileSupport {
    /// The profile.
    profile: String,
    /// What is known of it.
    state: StateKind,
    /// The same in words.
    text: String,
}

/// A feature.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct FeatureFacts {
    /// Its name in reports.
    name: String,
    /// `core` or `extended`, of its resource; a profile can have a core feature as an extended one.
    level: &'static str,
    /// The channel of the CRDs that its fields are in: `standard` or `experimental`.
    channel: &'static str,
    /// The kind it belongs to.
    resource: Option<String>,
    /// What it means, in one sentence.
    meaning: Option<String>,
    /// The first release that knows the name.
    since: Option<String>,
    /// The last minor that has it, or the last patch where a later one of that minor does not; null
    /// when the newest release has it.
    until: Option<String>,
    /// The name it had before.
    renamed_from: Option<String>,
    /// The name that a later release gave it.
    renamed_to: Option<String>,
    /// The profiles that it is in.
    profiles: Vec<PlaceInProfile>,
    /// The tests that prove it. None: it can be claimed, and is proved by nothing.
    tests: Vec<Proof>,
}

/// The place of something in a profile.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct PlaceInProfile {
    /// The profile.
    profile: String,
    /// `core` or `extended`; a feature that is both stands here twice.
    level: &'static str,
}

/// A test of a feature.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Proof {
    /// Its short name.
    name: String,
    /// It may be left out, and counts only when it ran.
    provisional: bool,
    /// The report is written before it has finished: it shows as passed, and its result is not seen.
    parallel: bool,
}

/// What `gwconform profiles --format json` prints.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "Profiles of a release"))]
pub struct Profiles {
    #[serde(flatten)]
    shown: ReleaseHeader,
    /// By name.
    profiles: Vec<ProfileFacts>,
}

/// A profile.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ProfileFacts {
    /// Its name.
    name: String,
    /// The name that the suite writes into reports; another one only where the suite errs.
    report_name: String,
    /// `gateway` or `mesh`.
    family: &'static str,
    /// The first release that knows the name.
    since: Option<String>,
    /// The name it had before.
    renamed_from: Option<String>,
    /// Features that it needs.
    core: Vec<String>,
    /// Features that it knows besides.
    extended: Vec<String>,
    /// Its core tests.
    core_tests: TestCounts,
    /// Its extended tests.
    extended_tests: TestCounts,
}

/// How many tests there are.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct TestCounts {
    /// Those that always count.
    fixed: usize,
    /// Those that count when they ran.
    provisional: usize,
    /// How many of all show as passed before they have finished: their results are not seen.
    parallel: usize,
}

/// What `gwconform tests --format json` prints.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "Tests of a release"))]
pub struct Tests {
    #[serde(flatten)]
    shown: ReleaseHeader,
    /// By name.
    tests: Vec<TestFacts>,
}

/// A test.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct TestFacts {
    /// Its short name, as reports have it.
    name: String,
    /// It may be left out, and counts only when it ran.
    provisional: bool,
    /// The report is written before it has finished: it shows as passed, and its result is not seen.
    parallel: bool,
    /// The first release that knows the name.
    since: Option<String>,
    /// The name it had before.
    renamed_from: Option<String>,
    /// All the features that it needs.
    features: Vec<String>,
    /// The profiles that count it. None: it is counted nowhere.
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
    /// The features of a release, or of one of its profiles.
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

    /// The same with one feature only, and who supports it where a tree is known.
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

/// The profiles in which something has levels; only `profile`, when one is given.
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
    /// The profiles of a release, or one of them.
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
    /// The tests of a release, or those that a profile counts.
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
