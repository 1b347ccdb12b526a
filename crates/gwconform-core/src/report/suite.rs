//! Computes what the suite of a release must have reported.
//!
//! - A test belongs to each profile that has all its features, as core or extended
//!   ([`crate::release::ExtendedWhen`]). Tests without a profile are not counted.
//! - The suite records core tests, extended tests whose features are core or supported, and
//!   provisional tests that ran. `extended` is omitted if no extended test was recorded.
//! - A profile's supported and unsupported features are together its extended features.
//!
//! Source: `Run`, `Report` and `compileResults` in `conformance/utils/suite`.
//!
//! A difference does not prove manipulation: some suites are built from a branch but state a
//! release. [`fits`] finds the releases that match.

use std::collections::BTreeSet;

use crate::api::{Level, NameKind};
use crate::release::{Profile, Release, Test};

/// Features and provisional tests of a run.
#[derive(Clone, Debug, Default)]
pub struct Ran<'a> {
    /// Claimed extended features.
    pub supported: BTreeSet<&'a str>,
    /// Provisional tests that ran; other names have no effect.
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

/// Expected results for one profile name.
#[derive(Clone, Debug)]
pub struct Expected<'r> {
    /// Recorded core tests, repeated for profiles with one name.
    pub core: Vec<&'r Test>,
    /// Recorded extended tests; if empty, `extended` is omitted.
    pub extended: Vec<&'r Test>,
    /// All extended features, sorted.
    pub features: &'r [String],
    /// Profiles that ran under the name.
    pub profiles: Vec<&'r Profile>,
}

impl Expected<'_> {
    fn position(&self, feature: &str) -> Option<usize> {
        let known = |known: &String| known.as_str().cmp(feature);
        self.features.binary_search_by(known).ok()
    }
}

/// Possible results for a profile name. v1.1.x reports MESH-GRPC as MESH-HTTP, so either or both
/// may have run.
pub fn expected<'r>(release: &'r Release, name: &str, ran: &Ran<'_>) -> Vec<Expected<'r>> {
    let recorded = |profiles| recorded(release, name, profiles, ran);
    candidates(release, name).map(recorded).collect()
}

fn candidates<'r>(release: &'r Release, name: &str) -> impl Iterator<Item = Vec<&'r Profile>> {
    let mut profiles: Vec<_> = release
        .profiles()
        .filter(|profile| profile.report_name == name)
        .collect();
    if release.extended_when().is_none() {
        profiles.clear();
    }
    profiles.sort_by_key(|profile| profile.name != name);
    // All non-empty subsets. More than a few profiles with one name would be an error.
    let sets = 1..1_u32 << profiles.len().min(4);
    sets.map(move |set| {
        let of_set = profiles.iter().enumerate();
        of_set
            .filter(|(at, _)| set & (1 << at) != 0)
            .map(|(_, profile)| *profile)
            .collect()
    })
}

/// Expected results if `profiles` ran as `name`.
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
    // The suite looks up features by the reported name.
    let by_right = profiles.iter().find(|profile| profile.name == name);
    Expected {
        core,
        extended,
        features: by_right.map_or(&[], |profile| &profile.extended),
        profiles,
    }
}

/// Number of recorded core tests; `ran.supported` has no effect.
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

/// Level of a test in a profile, if any.
pub fn level(release: &Release, profile: &Profile, test: &Test) -> Option<Level> {
    release.level(profile, test)
}

fn needs<'r>(profile: &Profile, test: &'r Test, ran: &Ran<'_>) -> Vec<&'r str> {
    let features = test.features.iter().map(String::as_str);
    features
        .filter(|feature| !profile.is_core(feature) && !ran.supported.contains(feature))
        .collect()
}

/// One difference from the expected results.
#[derive(Clone, Debug)]
pub enum SuiteMismatch<'a, 'r> {
    /// The suite never writes this profile name.
    UnknownProfile,
    /// Wrong number of core tests.
    CoreTotal {
        /// Reported number.
        reported: u64,
        /// Possible numbers, ascending; several only in v1.1.x.
        expected: Vec<u64>,
    },
    /// Wrong number of extended tests.
    ExtendedTotal {
        /// Reported number.
        reported: u64,
        /// Number for the claimed features.
        expected: u64,
    },
    /// Missing `extended`, although tests for features of another profile always run here.
    ExtendedAbsent {
        /// Those features, sorted.
        features: Vec<&'r str>,
    },
    /// Features in neither list.
    FeaturesMissing {
        /// Names, sorted.
        features: Vec<&'r str>,
    },
    /// Features that are not extended in the profile.
    FeaturesUnexpected {
        /// In report order.
        features: Vec<UnexpectedName<'a, 'r>>,
    },
    /// Test outside the profile.
    TestNotInProfile {
        /// Test.
        test: UnexpectedName<'a, 'r>,
    },
    /// Test under the wrong level.
    TestWrongLevel {
        /// Name.
        test: &'a str,
        /// Level of the list.
        reported: Level,
        /// Level in the profile.
        expected: Level,
    },
    /// Extended test with unclaimed features.
    TestNeedsFeatures {
        /// Name.
        test: &'a str,
        /// Unclaimed features.
        features: Vec<&'r str>,
    },
    /// Test that is not provisional.
    NotProvisional {
        /// Test, with releases where it is provisional.
        test: UnexpectedName<'a, 'r>,
    },
}

impl SuiteMismatch<'_, '_> {
    /// Key for comparing differences.
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
    /// Misplaced names and their kind.
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

/// Misplaced name.
#[derive(Clone, Debug)]
pub struct UnexpectedName<'a, 'r> {
    /// Name.
    pub name: &'a str,
    /// Releases in which the name belongs there.
    pub at_home_in: Vec<&'r Release>,
}

/// Difference in a profile or the report.
#[derive(Clone, Debug)]
pub struct Mismatch<'a, 'r> {
    /// Profile index; `None` for the report itself.
    pub claim: Option<usize>,
    /// Difference.
    pub difference: SuiteMismatch<'a, 'r>,
}

mod compare;

pub use compare::{differences, differences_of, fits, fits_claim, fits_without};
