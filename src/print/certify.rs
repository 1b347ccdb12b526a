//! The verdict table, for people and programs. As in [`super::json`], fields are only ever added,
//! and `version` changes when one changes its meaning.

mod list;
mod verdicts;

use std::collections::BTreeSet;

use serde::Serialize;

use crate::api::{Family, Minor, Version};
use crate::certify::catalog::{Catalog, Implementation, LeftOut, OtherName, Report, UnseenTests};
use crate::certify::{Certified, ProfileVerdict, Standing, Status};
use crate::report::facts::{Name, ReportFacts, Rival};
use crate::rules::configuration::Config;
use crate::text::diagnostic::Severities;

pub use list::{Addresses, list};
pub use verdicts::page;

/// Which implementations are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Listing {
    /// Those that are current.
    Current,
    /// All.
    All,
}

/// What `gwconform certify --format json` prints.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "Verdicts on implementations"))]
pub struct Verdicts<'c> {
    /// Version of this format.
    #[cfg_attr(test, schemars(extend("const" = 1)))]
    version: u32,
    /// The minor that the newest minors are counted from; null when there is none.
    newest_minor: Option<Minor>,
    /// The day that verdicts are for, which decides about release reviews; null if no report has a date.
    #[cfg_attr(test, schemars(extend("format" = "date")))]
    as_of: Option<String>,
    /// An implementation is conformant with a conformant profile in this many newest minors.
    conformant_minors: u32,
    /// It is partially conformant with at least a partial one in this many newest minors.
    partially_conformant_minors: u32,
    /// The day of the next review, where it is configured.
    next_review: Option<&'c str>,
    /// By organization and project.
    implementations: Vec<OneImplementation<'c>>,
    /// What has no place among them.
    left_out: &'c [LeftOut],
}

/// An implementation.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct OneImplementation<'c> {
    /// Its part of addresses.
    slug: &'c str,
    /// Former slugs that are still asked for.
    aliases: &'c [String],
    /// As in its reports, in most of them where they differ, or as configured.
    organization: &'c str,
    /// The same of the project.
    project: &'c str,
    /// Its other names, former ones first.
    other_names: &'c [OtherName<'c>],
    /// The name to show.
    name: &'c str,
    /// What it is.
    description: Option<&'c str>,
    /// Its website or documentation, where it is configured.
    url: Option<&'c str>,
    /// What it is in each family that it has profiles of.
    families: Vec<FamilyVerdict<'c>>,
    /// Its reports by release, version, channel, mode and path.
    reports: Vec<ReportVerdicts<'c>>,
}

/// What an implementation is in a family.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct FamilyVerdict<'c> {
    /// `gateway` or `mesh`.
    family: Family,
    /// The verdict.
    verdict: Standing,
    /// Why.
    reason: &'c str,
    /// Other implementations that claim the name or the run of the report behind the verdict.
    rivals: &'c [Rival],
    /// The verdict is dropped at the review after this minor unless a newer report is submitted.
    falls_out_after: Option<Minor>,
    /// Path of the one report that the verdict rests on; of the last one, when it is not current.
    path: &'c str,
    /// Which document of that file it is, from 0.
    document: usize,
    /// The minor that the report is for.
    minor: Option<Minor>,
    /// The profiles of the family in that report, better ones first.
    profiles: Vec<ProfileStatus<'c>>,
}

/// A profile and what was shown of it.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ProfileStatus<'c> {
    /// Its name.
    profile: &'c str,
    /// What was shown.
    status: Status,
}

/// A report and the verdicts on its profiles.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ReportVerdicts<'c> {
    /// Relative to the working directory, absolute outside of it, always with `/`.
    path: &'c str,
    /// Which document of the file it is, from 0.
    document: usize,
    /// The release that it is for.
    release: Option<&'c Version>,
    /// `gatewayAPIChannel`.
    channel: Option<&'c str>,
    /// `mode`.
    mode: Option<&'c str>,
    /// `implementation.version`.
    version: Option<&'c str>,
    /// `date`.
    date: Option<&'c str>,
    /// Findings in the file.
    #[serde(flatten)]
    findings: Severities,
    /// The tests whose results it does not show, or may not; null when it shows all.
    unseen_tests: Option<UnseenTests>,
    /// The tests of its profiles that passed in the log of its run, by a statement; null without one.
    passed_in_log: Option<&'c BTreeSet<Name>>,
    /// In the order of the report.
    profiles: &'c [ProfileVerdict],
}

impl<'c> Verdicts<'c> {
    /// The verdicts of a catalog.
    pub fn new(catalog: &'c Catalog<'_>, config: &'c Config) -> Self {
        let next_review = config.policy.next_review.as_ref();
        let all = catalog.implementations.iter();
        Self {
            version: 1,
            newest_minor: catalog.minors.newest(),
            as_of: catalog.day.map(|day| day.to_string()),
            conformant_minors: catalog.windows.conformant,
            partially_conformant_minors: catalog.windows.partial,
            next_review: next_review.map(|date| date.get_ref().as_str()),
            implementations: all.map(|one| implementation(one, catalog)).collect(),
            left_out: &catalog.left_out,
        }
    }
}

fn implementation<'c>(
    one: &'c Implementation<'_>,
    catalog: &'c Catalog<'_>,
) -> OneImplementation<'c> {
    let families = one.families.iter();
    OneImplementation {
        slug: &one.slug,
        aliases: &one.aliases,
        organization: one.organization,
        project: one.project,
        other_names: &one.other_names,
        name: &one.name,
        description: one.description.as_deref(),
        url: one.url.as_deref(),
        families: families
            .map(|(of, certified)| family(one, *of, certified))
            .collect(),
        reports: one.reports.iter().map(|one| report(one, catalog)).collect(),
    }
}

fn family<'c>(
    one: &'c Implementation<'_>,
    family: Family,
    certified: &'c Certified,
) -> FamilyVerdict<'c> {
    let basis = &certified.basis;
    let facts = one.reports[basis.report].judged.facts;
    let profiles = basis.profiles.iter();
    FamilyVerdict {
        family,
        verdict: certified.standing,
        reason: &certified.reason,
        rivals: &certified.rivals,
        falls_out_after: certified.until,
        path: &facts.path,
        document: facts.document,
        minor: basis.minor,
        profiles: profiles
            .map(|(profile, status)| ProfileStatus {
                profile,
                status: *status,
            })
            .collect(),
    }
}

fn report<'c>(report: &'c Report<'_>, catalog: &Catalog<'_>) -> ReportVerdicts<'c> {
    let facts: &ReportFacts = report.judged.facts;
    ReportVerdicts {
        path: &facts.path,
        document: facts.document,
        release: facts.release.version.as_ref(),
        channel: facts.channel(),
        mode: facts.mode(),
        version: facts.version(),
        date: facts.date(),
        findings: report.findings,
        unseen_tests: catalog.proofs.unseen(facts),
        passed_in_log: facts.by_log.as_ref().map(|by_log| &by_log.passed),
        profiles: &report.judged.verdicts,
    }
}

/// The families and standings in the order in which they are listed.
pub(super) const FAMILIES: [(Family, &str); 2] =
    [(Family::Gateway, "Gateway"), (Family::Mesh, "Mesh")];
const STANDINGS: [(Standing, &str); 4] = [
    (Standing::Conformant, "Conformant"),
    (Standing::PartiallyConformant, "Partially conformant"),
    (Standing::Disputed, "Disputed"),
    (Standing::NotCurrent, "Not current"),
];

/// The families that implementations have verdicts in, with their titles.
fn families(catalog: &Catalog<'_>) -> impl Iterator<Item = (Family, &'static str)> {
    FAMILIES.into_iter().filter(|(family, _)| {
        let mut all = catalog.implementations.iter();
        all.any(|one| one.family(*family).is_some())
    })
}

/// The implementations of a standing in a family, by the name that is shown.
fn listed<'c, 'a>(
    catalog: &'c Catalog<'a>,
    family: Family,
    standing: Standing,
) -> Vec<(&'c Implementation<'a>, &'c Certified)> {
    let implementations = catalog.implementations.iter();
    let mut listed: Vec<_> = implementations
        .filter_map(|one| Some((one, one.family(family)?)))
        .filter(|(_, certified)| certified.standing == standing)
        .collect();
    listed.sort_by_cached_key(|(one, _)| (one.name.to_lowercase(), one.slug.clone()));
    listed
}

/// The verdicts of the report that an implementation's verdict rests on, in its family, better ones
/// first, then by name.
fn resting_on<'c>(
    one: &'c Implementation<'_>,
    family: Family,
    certified: &Certified,
) -> Vec<&'c ProfileVerdict> {
    let report = &one.reports[certified.basis.report].judged;
    let mut verdicts: Vec<_> = report
        .verdicts
        .iter()
        .filter(|verdict| verdict.family == Some(family))
        .collect();
    verdicts.sort_by(|a, b| b.status.cmp(&a.status).then(a.profile.cmp(&b.profile)));
    verdicts
}
