//! Effects of a release on verdicts, and new requirements of its suite. A new run is compared with
//! the last report of a family, or with the report behind the verdict. The tests of both suites are
//! recomputed from the claims ([`gwconform_report::report::suite`]).

pub mod plan;
mod claims;
mod profile;

use std::collections::BTreeSet;
use std::collections::btree_map::{BTreeMap, Entry};

use serde::{Serialize, Serializer};

use gwconform_base::api::{Channel, Family, Level, Minor, NameKind};
use gwconform_base::release::{Registry, Release};
use gwconform_report::certify::catalog::{Catalog, Implementation};
use gwconform_report::certify::{AsOf, Judged, Scope, Standing, certify, facts};
use gwconform_report::document::{ImplementationRef, ReportRef, Verdict};
use gwconform_report::report::facts::ReportFacts;

use claims::Claims;
pub use claims::{Flag, FlagName};
use profile::{Compared, Comparison};

/// Release whose effects are computed.
#[derive(Debug, Clone, Copy)]
pub enum Coming<'r> {
    /// Release with its data.
    Release(&'r Release),
    /// Next minor, if its data is unknown. Only verdicts are computed.
    Minor(Minor),
}

impl<'r> Coming<'r> {
    /// Minor whose release review changes the verdicts.
    pub fn minor(self) -> Minor {
        match self {
            Self::Release(release) => release.version().minor(),
            Self::Minor(minor) => minor,
        }
    }

    /// Release, if its data is known.
    pub fn release(self) -> Option<&'r Release> {
        match self {
            Self::Release(release) => Some(release),
            Self::Minor(_) => None,
        }
    }
}

/// Effects of a release on a reports tree.
#[derive(Debug)]
pub struct Outlook<'r> {
    /// Release whose effects are computed.
    pub coming: Coming<'r>,
    /// Newest minor for current verdicts.
    pub newest: Option<Minor>,
    /// Date of the current verdicts.
    pub as_of: AsOf,
    /// Features that an unreleased version adds to the newest release.
    pub new_features: Vec<String>,
    /// Features of the newest release that an unreleased version removes.
    pub removed_features: Vec<String>,
    /// Implementations in catalog order.
    pub implementations: Vec<ImplementationOutlook<'r>>,
}

/// Effects on one implementation.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ImplementationOutlook<'r> {
    /// The implementation.
    #[serde(flatten)]
    pub implementation: ImplementationRef,
    /// Effects by family of profiles.
    pub families: Vec<FamilyOutlook<'r>>,
}

/// Effects on the verdict for one family.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FamilyOutlook<'r> {
    /// `gateway` or `mesh`.
    pub family: Family,
    /// Current verdict.
    pub before: Verdict,
    /// Verdict after the release review if nothing is submitted.
    pub after: Verdict,
    /// Requirements for a new run. Null if the data of the release is unknown, or if all reports are
    /// for newer or unknown releases.
    pub run: Option<NewRun<'r>>,
}

/// Requirements for a new run.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct NewRun<'r> {
    /// Report that the new run is compared with.
    #[serde(flatten)]
    pub last: LastReport<'r>,
    /// Profiles of the last report in the family, in its order.
    pub profiles: Vec<ProfileOutlook<'r>>,
    /// Profiles of the family that are new in the release.
    pub new_profiles: Vec<&'r str>,
    /// Profiles, tests and features that the release renamed.
    pub renamed: BTreeSet<Renamed<'r>>,
    /// Listed features that the release removed.
    pub removed_features: BTreeSet<&'r str>,
    /// New extended features that the report does not list.
    #[serde(serialize_with = "values")]
    #[cfg_attr(test, schemars(with = "Vec<Undecided<'_>>"))]
    pub features_to_decide: BTreeMap<&'r str, Undecided<'r>>,
    /// Suite flags to change for a new run. The values cover all families of the last report.
    pub flags: Vec<Flag<'r>>,
}

fn values<S: Serializer>(
    map: &BTreeMap<&str, Undecided<'_>>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(map.values())
}

/// Report that a new run is compared with.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LastReport<'r> {
    /// Index in the implementation's reports.
    #[serde(skip)]
    pub at: usize,
    /// The report.
    #[serde(flatten)]
    pub report: ReportRef,
    /// Release whose suite is used. Null if unknown, in which case all tests and features are new.
    #[serde(rename = "recomputed_with")]
    #[cfg_attr(test, schemars(with = "Option<gwconform_base::api::Version>"))]
    pub facts: Option<&'r Release>,
}

/// Profile of the last report, compared with the new release.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ProfileOutlook<'r> {
    /// Profile name in the last report.
    pub profile: String,
    /// Profile names in the new release. Several if the old suite reported them together, empty if
    /// the profile was removed.
    pub profiles_in_release: Vec<&'r str>,
    /// Number of core tests recorded for the last report.
    pub core_test_count: usize,
    /// Number of core tests in a new run, without provisional tests that have not run yet.
    pub new_core_test_count: usize,
    /// Core tests that are new in the profile.
    pub new_core_tests: Vec<NewTest<'r>>,
    /// Core tests that were removed, by their names in the last report.
    pub removed_core_tests: Vec<&'r str>,
    /// Extended tests of claimed features that are new in the profile.
    pub new_extended_tests: Vec<NewTest<'r>>,
    /// Tests that failed, by their new names.
    pub failed_tests: BTreeSet<&'r str>,
    /// Tests that were skipped and did not fail, by their new names.
    pub skipped_tests: BTreeSet<&'r str>,
    /// Tests that had not finished when the report was written, by their new names.
    pub not_seen_tests: Vec<&'r str>,
}

/// Test that is new in a profile.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct NewTest<'r> {
    /// Short test name, as in reports.
    pub test: &'r str,
    /// Required features that are not core in the profile.
    pub features: Vec<&'r str>,
    /// True for a provisional test, which is optional and counts only if it ran.
    pub provisional: bool,
    /// Previous level in the profile. Null if the profile did not have the test.
    pub previous_level: Option<Level>,
}

/// Profile, test or feature with a new name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Renamed<'r> {
    /// `profile`, `test` or `feature`.
    pub kind: NameKind,
    /// Name in the last report.
    pub old: String,
    /// Name in the new release.
    pub new: &'r str,
}

/// Feature that the report does not mention.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Undecided<'r> {
    /// Feature name.
    pub feature: &'r str,
    /// Channel whose CRDs contain the feature's fields.
    pub channel: Channel,
    /// Description in one sentence. Null if unknown.
    pub description: Option<&'r str>,
    /// Profiles in which the feature is new.
    pub profiles: Vec<&'r str>,
    /// Tests of these profiles that require the feature.
    pub tests: BTreeSet<&'r str>,
}

impl<'r> Outlook<'r> {
    /// Computes the effects on a catalog. Verdicts are those of the catalog; `registry` serves only to
    /// compare suites.
    pub fn new(catalog: &Catalog<'_>, registry: &'r Registry, coming: Coming<'r>) -> Self {
        let all = catalog.implementations.iter();
        let unreleased = coming.release().filter(|release| !release.is_released());
        let changes = unreleased
            .zip(registry.newest())
            .map(|(release, newest)| registry.compare(newest, release).feature_changes)
            .unwrap_or_default();
        let new = changes.added.into_iter();
        Self {
            new_features: new.map(|change| change.name).collect(),
            removed_features: changes.removed,
            coming,
            newest: catalog.minors.newest(),
            as_of: catalog.as_of,
            implementations: all
                .map(|one| implementation(one, catalog, registry, coming))
                .collect(),
        }
    }

    /// Minor whose release review changes the verdicts.
    pub fn minor(&self) -> Minor {
        self.coming.minor()
    }

    /// Families whose verdict gets worse.
    pub fn drops(&self) -> impl Iterator<Item = (&ImplementationOutlook<'r>, &FamilyOutlook<'r>)> {
        let families = self.families();
        families.filter(|(_, family)| family.after.standing < family.before.standing)
    }

    /// All families with their implementations.
    pub fn families(
        &self,
    ) -> impl Iterator<Item = (&ImplementationOutlook<'r>, &FamilyOutlook<'r>)> {
        let all = self.implementations.iter();
        all.flat_map(|one| one.families.iter().map(move |family| (one, family)))
    }

    /// `None` if no verdict gets worse.
    pub fn lowest_drop(&self) -> Option<Standing> {
        self.drops().map(|(_, family)| family.after.standing).min()
    }
}

impl<'r> NewRun<'r> {
    fn add(&mut self, compared: Compared<'r>) {
        self.profiles.push(compared.outlook);
        self.renamed.extend(compared.renamed);
        for one in compared.undecided {
            match self.features_to_decide.entry(one.feature) {
                Entry::Vacant(entry) => drop(entry.insert(one)),
                Entry::Occupied(mut entry) => {
                    let known = entry.get_mut();
                    known.profiles.extend(one.profiles);
                    known.tests.extend(one.tests);
                }
            }
        }
    }

    /// Core tests that are new in any profile.
    pub fn core_new(&self) -> BTreeSet<&'r str> {
        self.names(|profile| profile.new_core_tests.iter().map(|new| new.test))
    }

    /// Extended tests of claimed features that are new in any profile.
    pub fn extended_new(&self) -> BTreeSet<&'r str> {
        self.names(|profile| profile.new_extended_tests.iter().map(|new| new.test))
    }

    /// Tests that had not finished when a last report was written.
    pub fn not_proved(&self) -> BTreeSet<&'r str> {
        self.names(|profile| profile.not_seen_tests.iter().copied())
    }

    /// Failed or skipped tests, which must pass in a new run.
    pub fn not_passed(&self) -> BTreeSet<&'r str> {
        self.names(|profile| {
            let all = profile.failed_tests.iter().chain(&profile.skipped_tests);
            all.copied()
        })
    }

    fn names<'o, I: Iterator<Item = &'r str>>(
        &'o self,
        of: impl FnMut(&'o ProfileOutlook<'r>) -> I,
    ) -> BTreeSet<&'r str> {
        self.profiles.iter().flat_map(of).collect()
    }
}

fn implementation<'r>(
    one: &Implementation<'_>,
    catalog: &Catalog<'_>,
    registry: &'r Registry,
    coming: Coming<'r>,
) -> ImplementationOutlook<'r> {
    let judged: Vec<Judged<'_>> = one
        .reports
        .iter()
        .map(|report| report.judged.clone())
        .collect();
    let minors = catalog.minors.once_out(coming.minor());
    let families = one.families.iter().filter_map(|(family, now)| {
        let scope = Scope {
            family: *family,
            profile: None,
            minor: None,
        };
        Some(FamilyOutlook {
            family: *family,
            before: Verdict::new(one, *family, now),
            after: Verdict::new(
                one,
                *family,
                &certify(&judged, scope, &minors, catalog.windows)?,
            ),
            run: coming
                .release()
                .and_then(|release| new_run(one, *family, registry, release)),
        })
    });
    ImplementationOutlook {
        implementation: ImplementationRef::new(one),
        families: families.collect(),
    }
}

fn last_report(
    one: &Implementation<'_>,
    family: Family,
    registry: &Registry,
    release: &Release,
) -> Option<usize> {
    let newest_first = one.by_minor.iter().filter(|(of, ..)| *of == family);
    let places: Vec<usize> = newest_first
        .map(|(_, _, certified)| certified.basis.report)
        .filter(|at| {
            let version = one.reports[*at].judged.facts.release.version.as_ref();
            version.is_some_and(|version| version <= release.version())
        })
        .collect();
    let is_known = |at: &&usize| suite_of(one.reports[**at].judged.facts, registry).is_some();
    places.iter().find(is_known).or(places.first()).copied()
}

fn suite_of<'r>(report: &ReportFacts, registry: &'r Registry) -> Option<&'r Release> {
    facts(report, registry).filter(|release| release.extended_when().is_some())
}

fn new_run<'r>(
    one: &Implementation<'_>,
    family: Family,
    registry: &'r Registry,
    release: &'r Release,
) -> Option<NewRun<'r>> {
    let at = last_report(one, family, registry, release)?;
    let judged = &one.reports[at].judged;
    let report = judged.facts;
    let claims = Claims::new(report, registry, release);
    let last = LastReport {
        at,
        report: ReportRef::new(one, &one.reports[at]),
        facts: suite_of(report, registry),
    };
    let mut run = NewRun {
        profiles: Vec::new(),
        new_profiles: Vec::new(),
        renamed: BTreeSet::new(),
        removed_features: BTreeSet::new(),
        features_to_decide: BTreeMap::new(),
        flags: Vec::new(),
        last,
    };
    let comparison = Comparison {
        registry,
        release,
        base: run.last.facts,
        report,
        claims: &claims,
    };
    let (mut names, mut profiles_in_release) = (BTreeSet::new(), BTreeSet::new());
    let mut undecided = BTreeSet::new();
    for (profile, verdict) in report.profiles.iter().zip(&judged.verdicts) {
        if verdict.family.is_none() || !names.insert(profile.name_or_empty()) {
            continue;
        }
        let compared = comparison.profile(profile);
        // Suite flags apply to the whole run.
        profiles_in_release.extend(compared.outlook.profiles_in_release.iter().copied());
        undecided.extend(compared.undecided.iter().map(|one| one.feature));
        if verdict.family == Some(family) {
            run.renamed.extend(claims.renamed(profile));
            run.removed_features.extend(claims.gone(profile));
            run.add(compared);
        }
    }
    run.new_profiles = new_profiles(&run, family, registry, release);
    if !names.is_superset(&profiles_in_release) {
        run.flags.push(Flag {
            name: FlagName::ConformanceProfiles,
            names: profiles_in_release,
        });
    }
    run.flags.extend(claims.flags(report, &undecided));
    Some(run)
}

fn new_profiles<'r>(
    run: &NewRun<'r>,
    family: Family,
    registry: &Registry,
    release: &'r Release,
) -> Vec<&'r str> {
    let Some(base) = run.last.facts else {
        return Vec::new();
    };
    let known: BTreeSet<&str> = base
        .profiles()
        .filter_map(|profile| name_in(release, registry, NameKind::Profile, &profile.name))
        .collect();
    let profiles = release.profiles().filter(|new| new.family == family);
    profiles
        .map(|profile| profile.name.as_str())
        .filter(|name| !known.contains(name))
        .collect()
}

/// `None` if the release has neither the name nor a replacement.
pub(crate) fn name_in<'r>(
    release: &'r Release,
    registry: &Registry,
    kind: NameKind,
    name: &str,
) -> Option<&'r str> {
    let own = |name: &str| match kind {
        NameKind::Feature => release.feature(name).map(|feature| feature.name.as_str()),
        NameKind::Profile => release.profile(name).map(|profile| profile.name.as_str()),
        NameKind::Test => release.test(name).map(|test| test.name.as_str()),
    };
    let mut seen = BTreeSet::new();
    let mut now = name;
    loop {
        if let Some(found) = own(now) {
            return Some(found);
        }
        let (newer, by) = registry.renamed_to(kind, now)?;
        if !seen.insert(now) || by.version() > release.version() {
            return None;
        }
        now = newer;
    }
}
