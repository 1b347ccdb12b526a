//! What a release means for implementations: how their verdicts change at the review after it when
//! nothing is submitted, and what a new run of its suite asks that the last one did not.
//!
//! A run is compared with the last report of a family for the release or an older one; of several
//! for one minor, with the one that its verdict in that minor rests on. What its suite recorded, and
//! what the one of the release will record for the same claims, is recomputed ([`crate::report::suite`]).

pub mod plan;
mod claims;
mod profile;

use std::collections::BTreeSet;
use std::collections::btree_map::{BTreeMap, Entry};

use serde::{Serialize, Serializer};

use crate::api::closed_set;
use crate::api::{Channel, Family, Level, Minor, NameKind, Version};
use crate::certify::catalog::{Catalog, Implementation};
use crate::certify::{Certified, Judged, Scope, Standing, certify, facts};
use crate::release::{Registry, Release};
use crate::report::facts::ReportFacts;

use claims::Claims;
pub use claims::{Flag, FlagName};
use profile::{Compared, Comparison};

/// What a release means for the implementations of a tree.
#[derive(Debug)]
pub struct Outlook<'r> {
    /// The release.
    pub release: &'r Release,
    /// The minor that verdicts are counted from now.
    pub newest: Option<Minor>,
    /// In the order of the catalog.
    pub implementations: Vec<ImplementationOutlook<'r>>,
}

/// What the release means for an implementation.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ImplementationOutlook<'r> {
    /// Its part of addresses.
    pub slug: String,
    /// As in its reports.
    pub organization: String,
    /// As in its reports.
    pub project: String,
    /// The name to show.
    pub name: String,
    /// What it means in each family that it has profiles of.
    pub families: Vec<FamilyOutlook<'r>>,
}

/// What the release means for an implementation in a family.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FamilyOutlook<'r> {
    /// `gateway` or `mesh`.
    pub family: Family,
    /// Its verdict now.
    #[serde(serialize_with = "verdict")]
    #[cfg_attr(test, schemars(with = "Verdict"))]
    pub now: Certified,
    /// Its verdict at the review after the release, when nothing is submitted.
    #[serde(serialize_with = "verdict")]
    #[cfg_attr(test, schemars(with = "Verdict"))]
    pub then: Certified,
    /// What a new run must do; null when all its reports are for newer or unknown releases.
    pub run: Option<NewRun<'r>>,
}

/// A verdict.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Verdict<'c> {
    /// What it is.
    standing: Standing,
    /// Why.
    reason: &'c str,
    /// The verdict is dropped at the review after this minor unless a newer report is submitted.
    falls_out_after: Option<Minor>,
}

fn verdict<S: Serializer>(certified: &Certified, serializer: S) -> Result<S::Ok, S::Error> {
    let verdict = Verdict {
        standing: certified.standing,
        reason: &certified.reason,
        falls_out_after: certified.until,
    };
    verdict.serialize(serializer)
}

/// What a run of the suite of the release must do, compared with the last report.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct NewRun<'r> {
    /// The last report.
    #[serde(flatten)]
    pub last: LastReport<'r>,
    /// The profiles of the last report in the family, in its order.
    pub profiles: Vec<ProfileOutlook<'r>>,
    /// Other profiles of the family that are new in the release.
    pub new_profiles: Vec<&'r str>,
    /// Names in these profiles that changed.
    pub renamed: BTreeSet<Renamed<'r>>,
    /// Features that these profiles list and that the release does not have.
    pub features_gone: BTreeSet<&'r str>,
    /// Extended features that are new to its profiles and that it does not name.
    #[serde(serialize_with = "values")]
    #[cfg_attr(test, schemars(with = "Vec<Undecided<'_>>"))]
    pub features_to_decide: BTreeMap<&'r str, Undecided<'r>>,
    /// The flags of the suite that change, for all families of the last report. Those that are not
    /// here stay as they were.
    pub flags: Vec<Flag<'r>>,
}

fn values<S: Serializer>(
    map: &BTreeMap<&str, Undecided<'_>>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(map.values())
}

/// The report that a new run is compared with.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LastReport<'r> {
    /// Its place among the implementation's.
    #[serde(skip)]
    pub at: usize,
    /// Path of the last report: relative to the working directory, absolute outside of it, always
    /// with `/`.
    pub path: String,
    /// Which document of that file it is, from 0.
    pub document: usize,
    /// The release that it is for.
    pub release: Option<Version>,
    /// The release whose suite it is recomputed with; null when nothing is known of its suite. All tests
    /// and features are new then.
    #[serde(rename = "recomputed_with")]
    #[cfg_attr(test, schemars(with = "Option<Version>"))]
    pub facts: Option<&'r Release>,
}

/// A profile of the last report.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ProfileOutlook<'r> {
    /// Its name in the last report.
    pub name: String,
    /// Its names in the release: several where a suite reported two profiles by one name, none where
    /// the release does not have it.
    pub names_now: Vec<&'r str>,
    /// How many core tests the suite of the last report recorded.
    pub core_tests: usize,
    /// How many core tests the new run records, without provisional ones that have not run yet.
    pub core_tests_now: usize,
    /// Core tests that are new to it.
    pub core_tests_new: Vec<NewTest<'r>>,
    /// Tests that are core tests of it no longer, by their names in the last report.
    pub core_tests_gone: Vec<&'r str>,
    /// Extended tests of claimed features that are new to it.
    pub extended_tests_new: Vec<NewTest<'r>>,
    /// Tests that failed or were skipped, by their names now.
    pub not_passed: BTreeMap<&'r str, Outcome>,
    /// Tests that ran only after the last report was written, so that their results are unknown, by
    /// their names now.
    pub result_unknown: Vec<&'r str>,
}

/// A test that is new to a profile.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct NewTest<'r> {
    /// Its short name.
    pub name: &'r str,
    /// The features that it needs and that are not core.
    pub needs: Vec<&'r str>,
    /// It may be left out, and counts only when it ran.
    pub provisional: bool,
    /// Its level in the profile before; null for a test that the profile did not have.
    pub level_before: Option<Level>,
}

/// A name that changed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Renamed<'r> {
    /// Of what.
    pub kind: NameKind,
    /// In the last report.
    pub old: String,
    /// In the release.
    pub new: &'r str,
}

/// A feature to decide on.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Undecided<'r> {
    /// Its name.
    pub name: &'r str,
    /// The channel that its fields are in.
    pub channel: Channel,
    /// What it means, in one sentence.
    pub meaning: Option<&'r str>,
    /// The profiles that it is new to.
    pub profiles: Vec<&'r str>,
    /// The tests of these profiles that need it.
    pub tests: BTreeSet<&'r str>,
}

closed_set! {
    // A worse one is smaller.
    /// How a test that has to pass ended.
    pub enum Outcome {
        /// It failed.
        Failed = "failed",
        /// It was skipped.
        Skipped = "skipped",
    }
}

impl<'r> Outlook<'r> {
    /// What `release` means for the implementations of a catalog.
    pub fn new(catalog: &Catalog<'_>, registry: &'r Registry, release: &'r Release) -> Self {
        let all = catalog.implementations.iter();
        Self {
            release,
            newest: catalog.minors.newest(),
            implementations: all
                .map(|one| implementation(one, catalog, registry, release))
                .collect(),
        }
    }

    /// The minor whose review the verdicts then are for.
    pub fn minor(&self) -> Minor {
        self.release.version().minor()
    }

    /// The verdicts that are lower then than now.
    pub fn drops(&self) -> impl Iterator<Item = (&ImplementationOutlook<'r>, &FamilyOutlook<'r>)> {
        let families = self.families();
        families.filter(|(_, family)| family.then.standing < family.now.standing)
    }

    /// Each family of each implementation.
    pub fn families(
        &self,
    ) -> impl Iterator<Item = (&ImplementationOutlook<'r>, &FamilyOutlook<'r>)> {
        let all = self.implementations.iter();
        all.flat_map(|one| one.families.iter().map(move |family| (one, family)))
    }

    /// The worst standing that a verdict drops to; `None` when none drops.
    pub fn lowest_drop(&self) -> Option<Standing> {
        self.drops().map(|(_, family)| family.then.standing).min()
    }
}

impl<'r> NewRun<'r> {
    fn add(&mut self, compared: Compared<'r>) {
        self.profiles.push(compared.outlook);
        self.renamed.extend(compared.renamed);
        for one in compared.undecided {
            match self.features_to_decide.entry(one.name) {
                Entry::Vacant(entry) => drop(entry.insert(one)),
                Entry::Occupied(mut entry) => {
                    let known = entry.get_mut();
                    known.profiles.extend(one.profiles);
                    known.tests.extend(one.tests);
                }
            }
        }
    }

    /// The core tests that are new to a profile, each once.
    pub fn core_new(&self) -> BTreeSet<&'r str> {
        self.names(|profile| profile.core_tests_new.iter().map(|new| new.name))
    }

    /// The extended tests of claimed features that are new to a profile, each once.
    pub fn extended_new(&self) -> BTreeSet<&'r str> {
        self.names(|profile| profile.extended_tests_new.iter().map(|new| new.name))
    }

    /// The tests that ran only after the last report was written, each once.
    pub fn not_proved(&self) -> BTreeSet<&'r str> {
        self.names(|profile| profile.result_unknown.iter().copied())
    }

    /// The tests that failed or were skipped and still have to pass, each once.
    pub fn not_passed(&self) -> BTreeSet<&'r str> {
        self.names(|profile| profile.not_passed.keys().copied())
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
    release: &'r Release,
) -> ImplementationOutlook<'r> {
    let judged: Vec<Judged<'_>> = one
        .reports
        .iter()
        .map(|report| report.judged.clone())
        .collect();
    let minors = catalog.minors.once_out(release.version().minor());
    let families = one.families.iter().filter_map(|(family, now)| {
        let scope = Scope {
            family: *family,
            profile: None,
            minor: None,
        };
        Some(FamilyOutlook {
            family: *family,
            now: now.clone(),
            then: certify(&judged, scope, &minors, catalog.windows)?,
            run: new_run(one, *family, registry, release),
        })
    });
    ImplementationOutlook {
        slug: one.slug.clone(),
        organization: one.organization.to_owned(),
        project: one.project.to_owned(),
        name: one.name.clone(),
        families: families.collect(),
    }
}

/// The last report of a family for a release or an older one, by its place: the newest one whose
/// suite is known, else the newest.
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

/// The release whose suite wrote a report, where something is known of it.
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
        path: report.path.clone(),
        document: report.document,
        release: report.release.version.clone(),
        facts: suite_of(report, registry),
    };
    let mut run = NewRun {
        profiles: Vec::new(),
        new_profiles: Vec::new(),
        renamed: BTreeSet::new(),
        features_gone: BTreeSet::new(),
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
    let (mut names, mut names_now) = (BTreeSet::new(), BTreeSet::new());
    let mut undecided = BTreeSet::new();
    for (profile, verdict) in report.profiles.iter().zip(&judged.verdicts) {
        // Of two profiles with one name neither counts, and one is enough to compare.
        if verdict.family.is_none() || !names.insert(profile.name_or_empty()) {
            continue;
        }
        let compared = comparison.profile(profile);
        // The flags are those of the whole run.
        names_now.extend(compared.outlook.names_now.iter().copied());
        undecided.extend(compared.undecided.iter().map(|one| one.name));
        if verdict.family == Some(family) {
            run.renamed.extend(claims.renamed(profile));
            run.features_gone.extend(claims.gone(profile));
            run.add(compared);
        }
    }
    run.new_profiles = new_profiles(&run, family, registry, release);
    if !names.is_superset(&names_now) {
        run.flags.push(Flag {
            name: FlagName::ConformanceProfiles,
            names: names_now,
        });
    }
    run.flags.extend(claims.flags(report, &undecided));
    Some(run)
}

/// The profiles of a family that the suite of the last report did not have under any name.
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

/// The name that something has in a release: its own, else the one it was renamed to up to there;
/// `None` for what the release does not have.
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
