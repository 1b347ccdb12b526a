//! Plans a suite run without a cluster. Profiles and features are resolved to the list that the
//! suite uses (GEP-1709, "Integration"; GEP-2162; `NewConformanceTestSuite`).
//! `schema/registry/suites.json` lists the differences between suites.

mod suite_command;
mod error;
mod published_features;
mod select_features;

use std::collections::BTreeSet;

use serde::Serialize;

use gwconform_base::api::{Channel, Family, Level};
use gwconform_base::release::suites::Suite;
use gwconform_base::release::{Member, Profile, Registry, Release, Test};
use gwconform_base::text::listed;

pub use error::PlanError;
pub use published_features::{Published, PublishedError, published};
pub use select_features::{Choice, Source, SourceKind};
pub use suite_command::command;

/// Run to plan.
#[derive(Clone, Debug)]
pub struct Request<'q> {
    /// Release of the suite.
    pub release: &'q Release,
    /// Requested profiles, without duplicates.
    pub profiles: Vec<&'q Profile>,
    /// Feature options.
    pub choice: Choice,
    /// Value of `--skip-provisional-tests`.
    pub skip_provisional: bool,
    /// Value of `--skip-tests`.
    pub skip_tests: Vec<String>,
}

/// Planned run with its tests.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Plan<'r> {
    /// Release of the suite.
    #[serde(skip)]
    pub release: &'r Release,
    /// Flags and behavior of the suite. If the release is unknown, those of another release.
    #[serde(skip)]
    pub suite: &'r Suite,
    /// Origin of the list of supported features.
    pub feature_source: Source,
    /// Core and extended features that the implementation supports, sorted by name.
    pub supported_features: BTreeSet<String>,
    /// Profiles in the requested order.
    pub profiles: Vec<ProfilePlan<'r>>,
    /// Tests that run, but that no profile of the plan counts.
    pub uncounted_tests: Vec<&'r Test>,
    /// Notes on the plan, one sentence each, without a full stop.
    pub notes: Vec<String>,
    /// If true, provisional tests run but count only if they fail.
    #[serde(skip)]
    pub skip_provisional: bool,
    /// Tests that the suite skips: those that were asked for, and those that no profile counts.
    #[serde(skip)]
    pub skip_tests: BTreeSet<String>,
    /// GatewayClass that provides the features.
    #[serde(skip)]
    pub class: Option<String>,
    /// XMesh that provides the features.
    #[serde(skip)]
    pub mesh: Option<String>,
}

/// Tests and features of one profile in the plan.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ProfilePlan<'r> {
    /// Profile name, such as `GATEWAY-HTTP`.
    pub profile: &'r str,
    /// Name that the suite writes to reports. It differs only because of bugs in the suite.
    pub report_name: &'r str,
    /// Family of the profile.
    pub family: Family,
    /// Core tests that run. The report counts all of these tests.
    pub core_tests: Vec<&'r Test>,
    /// Extended tests that run. The report counts all of these tests. If the list is empty, the report
    /// has no section `extended`.
    pub extended_tests: Vec<&'r Test>,
    /// Tests in `--skip-tests`. The report counts all of these tests as skipped.
    pub excluded_tests: Vec<&'r Test>,
    /// Tests that the report does not count, with reasons.
    pub tests_not_run: Vec<NotRun<'r>>,
    /// Extended features that `supportedFeatures` in the report must list.
    pub supported_features: Vec<&'r str>,
    /// Extended features that `unsupportedFeatures` in the report must list.
    pub unsupported_features: Vec<&'r str>,
}

/// A test that the report does not count.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct NotRun<'r> {
    /// Short test name, as in reports.
    pub test: &'r str,
    /// Required features that are not supported, so the test does not run. Empty for a provisional
    /// test with `--skip-provisional-tests`, which runs but counts only if it fails.
    pub missing_features: Vec<&'r str>,
}

/// Plans a run.
///
/// # Errors
/// All contradictory options, and all names that the release does not have.
pub fn plan<'r>(registry: &'r Registry, request: &Request<'r>) -> Result<Plan<'r>, Vec<PlanError>> {
    let release = request.release;
    let Some(suite) = registry.suite_of(release.version()) else {
        return Err(vec![PlanError::NoSuite]);
    };
    let mut notes = Vec::new();
    if suite.version != *release.version() && release.same_as() != Some(&suite.version) {
        notes.push(format!(
            "the flags of the suite of {} are unknown; using those of {}",
            release.version(),
            suite.version
        ));
    }
    let selected = select_features::select(registry, suite, request, &mut notes)?;
    let mut supported = selected.features;
    let core = request.profiles.iter().flat_map(|profile| &profile.core);
    supported.extend(core.cloned());
    let skip_provisional = request.skip_provisional && suite.facts.has("skip-provisional-tests");
    if request.skip_provisional && !skip_provisional {
        notes.push("this suite has no --skip-provisional-tests: provisional tests run".to_owned());
    }
    if skip_provisional {
        let note = "with --skip-provisional-tests the suite still runs provisional tests, and counts only those that fail";
        notes.push(note.to_owned());
    }
    let mut skip_tests = skip_tests(request)?;
    if !skip_tests.is_empty() && !suite.facts.has(SKIP_TESTS) {
        notes.push("this suite has no --skip-tests: the tests run".to_owned());
        skip_tests.clear();
    }
    let counting = Counting {
        release,
        supported: &supported,
        skip_provisional,
        skip_tests: &skip_tests,
    };
    let profiles: Vec<_> = request
        .profiles
        .iter()
        .map(|profile| counting.profile(profile))
        .collect();
    let uncounted = counting.uncounted(&request.profiles);
    // Only tests that the core features of one profile bring in are not counted and yet run.
    // Profiles that run together would bring in more.
    let is_core = |test: &&Test| {
        let mut profiles = request.profiles.iter();
        profiles.any(|one| test.features.iter().all(|feature| one.is_core(feature)))
    };
    let (uncounted, others): (Vec<&Test>, Vec<&Test>) = uncounted.into_iter().partition(is_core);
    if !others.is_empty() {
        let names: Vec<&str> = others.iter().map(|test| test.name.as_str()).collect();
        notes.push(format!(
            "skipped, because no profile of the plan counts them: {}",
            listed(&names)
        ));
    }
    for profile in &request.profiles {
        if profile.report_name != profile.name {
            notes.push(format!(
                "{} is reported as {}; if both run, their tests are added",
                profile.name, profile.report_name
            ));
        }
    }
    let experimental = experimental(release, &profiles);
    if !experimental.is_empty() {
        notes.push(format!(
            "in the experimental channel only: {}; the suite runs their tests with the CRDs of any channel, so \
             install the experimental ones",
            listed(&experimental)
        ));
    }
    let has_none = |profile: &ProfilePlan<'_>| profile.supported_features.is_empty();
    if profiles.iter().all(has_none) {
        notes.push("only core tests count: no extended feature is supported".to_owned());
    }
    if needs_addresses(&supported) && !suite.facts.has(USABLE_ADDRESS) {
        let note = "GatewayStaticAddresses needs a usable and an unusable address; this suite has no flags for them: \
                    set UsableNetworkAddresses and UnusableNetworkAddresses of its options in Go code";
        notes.push(note.to_owned());
    }
    let name = |one: &Option<Published>| one.as_ref().map(|one| one.name.clone());
    let (class, mesh) = (name(&request.choice.class), name(&request.choice.mesh));
    Ok(Plan {
        release,
        suite,
        feature_source: selected.source,
        supported_features: supported,
        profiles,
        uncounted_tests: uncounted,
        notes,
        skip_provisional,
        skip_tests: skip_tests
            .iter()
            .cloned()
            .chain(others.iter().map(|test| test.name.clone()))
            .collect(),
        class,
        mesh,
    })
}

fn skip_tests(request: &Request<'_>) -> Result<BTreeSet<String>, Vec<PlanError>> {
    let release = request.release;
    let (known, unknown): (BTreeSet<&String>, BTreeSet<&String>) =
        (request.skip_tests.iter()).partition(|name| release.test(name).is_some());
    if unknown.is_empty() {
        return Ok(known.into_iter().cloned().collect());
    }
    let error = |name: &String| {
        let names = release.tests().map(|test| test.name.as_str());
        let hint = gwconform_base::text::suggest::nearest(name, names);
        PlanError::UnknownTest {
            test: name.clone(),
            release: release.version().to_string(),
            hint: hint.map_or_else(String::new, |near| format!("; did you mean `{near}`?")),
        }
    };
    Err(unknown.into_iter().map(error).collect())
}

const SKIP_TESTS: &str = "skip-tests";

const USABLE_ADDRESS: &str = "usable-address";
const UNUSABLE_ADDRESS: &str = "unusable-address";

/// If this feature is supported, the suite sets up Gateways, regardless of profiles (`Setup`).
const GATEWAY: &str = "Gateway";

/// True if the run requires addresses. GatewayStaticAddresses fails without a usable and an
/// unusable address (`conformance/tests/gateway-static-addresses.go`).
fn needs_addresses(supported: &BTreeSet<String>) -> bool {
    supported.contains(GATEWAY) && supported.contains("GatewayStaticAddresses")
}

fn experimental(release: &Release, profiles: &[ProfilePlan<'_>]) -> Vec<String> {
    let names = profiles.iter().flat_map(|one| &one.supported_features);
    let experimental = names.filter(|name| {
        let feature = release.feature(name);
        feature.is_some_and(|feature| feature.channel == Channel::Experimental)
    });
    let names: BTreeSet<String> = experimental.map(|name| (*name).to_owned()).collect();
    names.into_iter().collect()
}

struct Counting<'r, 's> {
    release: &'r Release,
    supported: &'s BTreeSet<String>,
    skip_provisional: bool,
    skip_tests: &'s BTreeSet<String>,
}

impl<'r> Counting<'r, '_> {
    fn profile(&self, profile: &'r Profile) -> ProfilePlan<'r> {
        let mut plan = ProfilePlan {
            profile: &profile.name,
            report_name: &profile.report_name,
            family: profile.family,
            core_tests: Vec::new(),
            extended_tests: Vec::new(),
            excluded_tests: Vec::new(),
            tests_not_run: Vec::new(),
            supported_features: Vec::new(),
            unsupported_features: Vec::new(),
        };
        for feature in &profile.extended {
            if self.supported.contains(feature) {
                plan.supported_features.push(feature);
            } else {
                plan.unsupported_features.push(feature);
            }
        }
        for member in self.release.members(profile) {
            let test = member.test.as_ref();
            let missing_features = self.missing(member);
            if !missing_features.is_empty() || self.is_left_out(test) {
                plan.tests_not_run.push(NotRun {
                    test: &test.name,
                    missing_features,
                });
                continue;
            }
            match member.level {
                _ if self.skip_tests.contains(&test.name) => plan.excluded_tests.push(test),
                Level::Core => plan.core_tests.push(test),
                Level::Extended => plan.extended_tests.push(test),
            }
        }
        plan
    }

    fn missing(&self, member: &'r Member) -> Vec<&'r str> {
        let needs = member.needs.iter().map(String::as_str);
        needs
            .filter(|feature| !self.supported.contains(*feature))
            .collect()
    }

    fn is_left_out(&self, test: &Test) -> bool {
        test.provisional && self.skip_provisional
    }

    /// The suite selects tests by feature instead of profile.
    fn uncounted(&self, profiles: &[&Profile]) -> Vec<&'r Test> {
        let is_counted = |test: &Test| {
            profiles
                .iter()
                .any(|profile| self.release.level(profile, test).is_some())
        };
        let runs = |test: &Test| {
            let mut features = test.features.iter();
            features.all(|feature| self.supported.contains(feature))
                && !self.skip_tests.contains(&test.name)
        };
        let tests = self.release.tests();
        tests
            .filter(|test| runs(test) && !is_counted(test))
            .collect()
    }
}
