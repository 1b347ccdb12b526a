//! Computes the results that the suite of a release must have reported.
//!
//! - A test belongs to each profile that lists all its features, as core or extended
//!   ([`gwconform_base::release::ExtendedWhen`]). Tests without a profile are not counted.
//! - The suite records core tests, extended tests whose features are core or supported, and
//!   provisional tests that ran. `extended` is omitted if no extended test was recorded.
//! - The supported and unsupported features of a profile together are its extended features.
//!
//! Source: `Run`, `Report` and `compileResults` in `conformance/utils/suite`.
//!
//! A difference does not prove manipulation, because some suites are built from a branch but report
//! a release.

use std::collections::BTreeSet;

use gwconform_base::api::{Level, NameKind};
use gwconform_base::release::{Profile, Release, Test};

/// Features and provisional tests listed in a report.
#[derive(Clone, Debug, Default)]
pub struct Ran<'a> {
    /// Extended features that the report lists as supported.
    pub supported: BTreeSet<&'a str>,
    /// Listed tests, including the provisional tests that ran. Only provisional tests have an
    /// effect.
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
    /// Recorded core tests. Profiles with the same name repeat shared tests.
    pub core: Vec<&'r Test>,
    /// Recorded extended tests. If empty, the suite omits `extended`.
    pub extended: Vec<&'r Test>,
    /// Extended features, sorted.
    pub features: &'r [String],
    /// Profiles that ran under this name.
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
    // All non-empty subsets. Few profiles share a name, so the limit only matters for invalid data.
    let sets = 1..1_u32 << profiles.len().min(4);
    sets.map(move |set| {
        let of_set = profiles.iter().enumerate();
        of_set
            .filter(|(at, _)| set & (1 << at) != 0)
            .map(|(_, profile)| *profile)
            .collect()
    })
}

/// Expected results if `profiles` were reported as `name`.
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

/// Number of recorded core tests. `ran.supported` has no effect.
pub(crate) fn core_total<'p>(
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

/// Level of a test; `None` if not in the profile.
pub fn level(release: &Release, profile: &Profile, test: &Test) -> Option<Level> {
    release.level(profile, test)
}

fn needs<'r>(profile: &Profile, test: &'r Test, ran: &Ran<'_>) -> Vec<&'r str> {
    let features = test.features.iter().map(String::as_str);
    features
        .filter(|feature| !profile.is_core(feature) && !ran.supported.contains(feature))
        .collect()
}

/// Difference from the expected results.
#[derive(Clone, Debug)]
pub enum SuiteMismatch<'a, 'r> {
    /// The suite never writes this profile name.
    UnknownProfile,
    /// The number of core tests is wrong.
    CoreTotal {
        /// Number in the report.
        reported: u64,
        /// In ascending order. Only v1.1.x allows more than one.
        expected: Vec<u64>,
    },
    /// The number of extended tests is wrong.
    ExtendedTotal {
        /// Number in the report.
        reported: u64,
        /// Number that follows from the supported features.
        expected: u64,
    },
    /// Missing, although another profile supports features whose tests always run in this profile.
    ExtendedAbsent {
        /// Names of those features, sorted.
        features: Vec<&'r str>,
    },
    /// Extended features of the profile are in neither list.
    FeaturesMissing {
        /// Names of the features, sorted.
        features: Vec<&'r str>,
    },
    /// Listed features are not extended in the profile.
    FeaturesUnexpected {
        /// Names of the features, in report order.
        features: Vec<UnexpectedName<'a, 'r>>,
    },
    /// A listed test does not belong to the profile.
    TestNotInProfile {
        /// Name of the test.
        test: UnexpectedName<'a, 'r>,
    },
    /// A test is listed under the wrong level.
    TestWrongLevel {
        /// Name of the test.
        test: &'a str,
        /// Level under which the test is listed.
        reported: Level,
        /// Level of the test in the profile.
        expected: Level,
    },
    /// Listed, but requires features that the report does not list as supported.
    TestNeedsFeatures {
        /// Name of the test.
        test: &'a str,
        /// Names of these features.
        features: Vec<&'r str>,
    },
    /// A test in `succeededProvisionalTests` is not provisional.
    NotProvisional {
        /// Name, with the releases in which the test is provisional.
        test: UnexpectedName<'a, 'r>,
    },
}

impl SuiteMismatch<'_, '_> {
    /// Key for comparing the differences to two releases.
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
    /// Unexpected names and their kind; empty for other differences.
    pub(crate) fn unexpected_names(&self) -> (NameKind, &[UnexpectedName<'a, 'r>]) {
        match self {
            Self::FeaturesUnexpected { features } => (NameKind::Feature, features),
            Self::TestNotInProfile { test } | Self::NotProvisional { test } => {
                (NameKind::Test, std::slice::from_ref(test))
            }
            _ => (NameKind::Test, &[]),
        }
    }
}

/// Name that is not expected in its list.
#[derive(Clone, Debug)]
pub struct UnexpectedName<'a, 'r> {
    /// Feature or test name, as written.
    pub name: &'a str,
    /// Releases that expect the name in this list.
    pub at_home_in: Vec<&'r Release>,
}

/// Difference, with the profile that it concerns.
#[derive(Clone, Debug)]
pub struct Mismatch<'a, 'r> {
    /// Index of the profile; `None` for the report itself.
    pub claim: Option<usize>,
    /// Difference from the expected results.
    pub difference: SuiteMismatch<'a, 'r>,
}

mod mismatches;

pub use mismatches::{differences, fits};
pub(crate) use mismatches::{differences_of, fits_with, fits_without, later_that_fit};
