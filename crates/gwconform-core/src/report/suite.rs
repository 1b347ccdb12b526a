//! What the suite of a release must have reported, recomputed from the release's facts, and where a
//! report differs from it.
//!
//! A test belongs to a profile when all its features are features of the profile. It is then core or
//! extended as the release defines ([`crate::release::ExtendedWhen`]). The suite records every core test, and the extended
//! tests whose features are all core or supported; of provisional tests only those that ran. A profile's
//! supported and unsupported features are together its extended features. A test of no profile is
//! counted nowhere, and `extended` is left out when no extended test was recorded.
//! (Suite: `conformance/utils/suite`, functions `Run`, `Report` and `compileResults`.)
//!
//! A difference is a reason to look, not a proof: suites built from a branch under the version of a
//! release exist, and [`fits`] finds the release whose facts fit instead.

use std::collections::BTreeSet;

use crate::api::{Level, NameKind};
use crate::release::{Profile, Release, Test};

/// What decides, besides release and profile, which tests are recorded.
#[derive(Clone, Debug, Default)]
pub struct Ran<'a> {
    /// The extended features claimed.
    pub supported: BTreeSet<&'a str>,
    /// The provisional tests that ran; names of other tests do no harm.
    pub provisional: BTreeSet<&'a str>,
}

impl Ran<'_> {
    fn records(&self, test: &Test) -> bool {
        !test.provisional || self.provisional.contains(test.name.as_str())
    }

    fn supports(&self, features: &[String]) -> bool {
        features
            .iter()
            .all(|feature| self.supported.contains(feature.as_str()))
    }
}

/// What the suite must have written under one profile name.
#[derive(Clone, Debug)]
pub struct Expected<'r> {
    /// The core tests recorded. A test occurs twice when two profiles are reported by one name.
    pub core: Vec<&'r Test>,
    /// The extended tests recorded; `extended` is left out when there is none.
    pub extended: Vec<&'r Test>,
    /// The features that are supported or unsupported, sorted.
    pub features: &'r [String],
    /// The profiles that ran under the name.
    pub profiles: Vec<&'r Profile>,
}

impl Expected<'_> {
    /// Where a feature is among those of the profile.
    fn position(&self, feature: &str) -> Option<usize> {
        let known = |known: &String| known.as_str().cmp(feature);
        self.features.binary_search_by(known).ok()
    }
}

/// What the suite of a release must have written under a profile's name: nothing for a name that it
/// never writes. There are several possibilities where it reports two profiles by one name (v1.1.x
/// writes MESH-HTTP for MESH-GRPC as well): either of them ran, or both, added up.
pub fn expected<'r>(release: &'r Release, name: &str, ran: &Ran<'_>) -> Vec<Expected<'r>> {
    let recorded = |profiles| recorded(release, name, profiles, ran);
    candidates(release, name).map(recorded).collect()
}

/// The sets of profiles that can have run under a name; none where the release has no profiles.
fn candidates<'r>(release: &'r Release, name: &str) -> impl Iterator<Item = Vec<&'r Profile>> {
    let mut profiles: Vec<_> = release
        .profiles()
        .filter(|profile| profile.report_name == name)
        .collect();
    if release.extended_when().is_none() {
        profiles.clear();
    }
    // The profile that has the name by right comes first.
    profiles.sort_by_key(|profile| profile.name != name);
    // Each non-empty set of them; more than a few profiles of one name would be an error of the facts.
    let sets = 1..1_u32 << profiles.len().min(4);
    sets.map(move |set| {
        let of_set = profiles.iter().enumerate();
        of_set
            .filter(|(at, _)| set & (1 << at) != 0)
            .map(|(_, profile)| *profile)
            .collect()
    })
}

/// What is recorded when `profiles` ran and were all reported as `name`.
pub fn recorded<'r>(
    release: &'r Release,
    name: &str,
    profiles: Vec<&'r Profile>,
    ran: &Ran<'_>,
) -> Expected<'r> {
    let mut core = Vec::new();
    let mut extended = Vec::new();
    for profile in &profiles {
        for member in release.members(profile) {
            let test = member.test.as_ref();
            if !ran.records(test) {
                continue;
            }
            match member.level {
                Level::Core => core.push(test),
                Level::Extended if ran.supports(&member.needs) => extended.push(test),
                Level::Extended => {}
            }
        }
    }
    // The suite looks features up by name, and finds those of the profile that has it by right.
    let by_right = profiles.iter().find(|profile| profile.name == name);
    Expected {
        core,
        extended,
        features: by_right.map_or(&[], |profile| &profile.extended),
        profiles,
    }
}

/// How many core tests the suite of a release records for profiles; `supported` has no part in it.
pub fn core_total<'p>(
    release: &Release,
    profiles: impl IntoIterator<Item = &'p Profile>,
    ran: &Ran<'_>,
) -> u64 {
    let members = profiles
        .into_iter()
        .flat_map(|profile| release.members(profile));
    let core = members.filter(|member| member.level == Level::Core);
    core.filter(|member| ran.records(&member.test)).count() as u64
}

/// The level of a test in a profile; `None` when the test is not one of the profile's, or when the
/// release has no profiles.
pub fn level(release: &Release, profile: &Profile, test: &Test) -> Option<Level> {
    release.level(profile, test)
}

/// The features without which a test of a profile is not run, and which are not claimed.
fn needs<'r>(profile: &Profile, test: &'r Test, ran: &Ran<'_>) -> Vec<&'r str> {
    let features = test.features.iter().map(String::as_str);
    features
        .filter(|feature| !profile.is_core(feature) && !ran.supported.contains(feature))
        .collect()
}

/// One difference between a report and what the suite must have written.
#[derive(Clone, Debug)]
pub enum SuiteMismatch<'a, 'r> {
    /// The suite never writes the profile's name.
    UnknownProfile,
    /// The number of core tests, and the numbers that are right (several only in v1.1.x).
    CoreTotal {
        /// Passed, skipped and failed together.
        reported: u64,
        /// Rising, each once.
        expected: Vec<u64>,
    },
    /// The number of extended tests, given the features that the report claims.
    ExtendedTotal {
        /// Passed, skipped and failed together.
        reported: u64,
        /// What follows from the claimed features.
        expected: u64,
    },
    /// `extended` is missing, although features that another profile of the report claims have tests
    /// here that always run.
    ExtendedAbsent {
        /// Those features, sorted.
        features: Vec<&'r str>,
    },
    /// Features of the profile that the report names in neither list.
    FeaturesMissing {
        /// Their names, sorted.
        features: Vec<&'r str>,
    },
    /// Features named under the profile that are not extended features of it.
    FeaturesUnexpected {
        /// In the report's order.
        features: Vec<UnexpectedName<'a, 'r>>,
    },
    /// A test named under the profile that is not one of its tests.
    TestNotInProfile {
        /// The test.
        test: UnexpectedName<'a, 'r>,
    },
    /// A test named under the other level.
    TestWrongLevel {
        /// Its name.
        test: &'a str,
        /// The level of the list it is in.
        reported: Level,
        /// Its level in the profile.
        expected: Level,
    },
    /// An extended test that cannot have been recorded, since features it needs are not claimed.
    TestNeedsFeatures {
        /// Its name.
        test: &'a str,
        /// The features that are not claimed.
        features: Vec<&'r str>,
    },
    /// A test among the provisional ones that is not provisional in the release.
    NotProvisional {
        /// The test, and the releases in which it is provisional.
        test: UnexpectedName<'a, 'r>,
    },
}

impl SuiteMismatch<'_, '_> {
    /// What differs, by names and numbers: two differences are the same when this is.
    pub fn identity(&self) -> String {
        let names = |features: &[UnexpectedName<'_, '_>]| {
            let names: Vec<&str> = features.iter().map(|feature| feature.name).collect();
            names.join(" ")
        };
        match self {
            Self::UnknownProfile => "profile".to_owned(),
            Self::CoreTotal { reported, .. } => format!("{reported} core tests"),
            Self::ExtendedTotal { reported, expected } => {
                format!("{reported} of {expected} extended tests")
            }
            Self::ExtendedAbsent { features } => format!("no extended {}", features.join(" ")),
            Self::FeaturesMissing { features } => format!("missing {}", features.join(" ")),
            Self::FeaturesUnexpected { features } => format!("unexpected {}", names(features)),
            Self::TestNotInProfile { test } => format!("unexpected {}", test.name),
            Self::TestWrongLevel { test, reported, .. } => format!("{test} in {reported}"),
            Self::TestNeedsFeatures { test, features } => {
                format!("{test} without {}", features.join(" "))
            }
            Self::NotProvisional { test } => format!("{} not provisional", test.name),
        }
    }
}

impl<'a, 'r> SuiteMismatch<'a, 'r> {
    /// The names that do not belong where they are listed, and what they name.
    pub fn unexpected_names(&self) -> (NameKind, &[UnexpectedName<'a, 'r>]) {
        match self {
            Self::FeaturesUnexpected { features } => (NameKind::Feature, features),
            Self::TestNotInProfile { test } | Self::NotProvisional { test } => {
                (NameKind::Test, std::slice::from_ref(test))
            }
            _ => (NameKind::Test, &[]),
        }
    }
}

/// A name that does not belong where it is listed.
#[derive(Clone, Debug)]
pub struct UnexpectedName<'a, 'r> {
    /// The name.
    pub name: &'a str,
    /// The releases in which it would have its place there, by version.
    pub at_home_in: Vec<&'r Release>,
}

/// Differences of one profile of a report, or of the report itself.
#[derive(Clone, Debug)]
pub struct Mismatch<'a, 'r> {
    /// The place of the profile in [`crate::report::model::Report::profiles`]; `None` for the report itself.
    pub claim: Option<usize>,
    /// What differs.
    pub difference: SuiteMismatch<'a, 'r>,
}

mod compare;

pub use compare::{differences, differences_of, fits, fits_claim, fits_without};
