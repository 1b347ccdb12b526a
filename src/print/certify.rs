//! The verdict table, for people and programs. As in [`super::json`], fields are only ever added,
//! and `version` changes when one changes its meaning.

mod human;
mod markdown;

use std::io::{self, Write};

use schemars::JsonSchema;
use serde::Serialize;

use crate::api::Family;
use crate::certify::catalog::{
    Catalog, Implementation, LeftOut, OtherName, Report, Results, UnseenTests,
};
use crate::certify::{Certified, ProfileVerdict, Standing, Status};
use crate::report::facts::{ReportFacts, Rival};
use crate::report::schema;
use crate::rules::configuration::Config;

pub use human::write as write_human;
pub use markdown::{Addresses, write as write_markdown};

/// Which implementations are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Listing {
    /// Those that are current.
    Current,
    /// All.
    All,
}

/// What `gwconform certify --format json` prints.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "Verdicts on implementations", transform = schema::with_id("certify"))]
pub struct Verdicts {
    /// Version of this format.
    #[schemars(extend("const" = 1))]
    version: u32,
    /// The minor that the newest minors are counted from; null when there is none.
    newest_minor: Option<String>,
    /// The day that verdicts are for, which decides about release reviews; null if no report has a date.
    #[schemars(extend("format" = "date"))]
    as_of: Option<String>,
    /// An implementation is conformant with a conformant profile in this many newest minors.
    conformant_minors: u32,
    /// It is partially conformant with at least a partial one in this many newest minors.
    partially_conformant_minors: u32,
    /// The day of the next review, where it is configured.
    next_review: Option<String>,
    /// By organization and project.
    implementations: Vec<OneImplementation>,
    /// What has no place among them.
    left_out: Vec<OneLeftOut>,
}

/// An implementation.
#[derive(Debug, Serialize, JsonSchema)]
struct OneImplementation {
    /// Its part of addresses.
    slug: String,
    /// Former slugs that are still asked for.
    aliases: Vec<String>,
    /// As in its reports, in most of them where they differ, or as configured.
    organization: String,
    /// The same of the project.
    project: String,
    /// Its other names, former ones first.
    other_names: Vec<OneName>,
    /// The name to show.
    name: String,
    /// What it is.
    description: Option<String>,
    /// Its website or documentation, where it is configured.
    url: Option<String>,
    /// What it is in each family that it has profiles of.
    families: Vec<FamilyVerdict>,
    /// Its reports by release, version, channel, mode and path.
    reports: Vec<ReportVerdicts>,
}

/// Another name of an implementation.
#[derive(Debug, Serialize, JsonSchema)]
struct OneName {
    /// The organization.
    organization: String,
    /// The project.
    project: String,
    /// How many of its reports have this name.
    reports: usize,
    /// True for a former name in the configuration; false for another spelling.
    is_former: bool,
}

/// What an implementation is in a family.
#[derive(Debug, Serialize, JsonSchema)]
struct FamilyVerdict {
    /// `gateway` or `mesh`.
    family: &'static str,
    /// The verdict.
    verdict: Standing,
    /// Why.
    reason: String,
    /// Other implementations that claim the name or the run of the report behind the verdict.
    rivals: Vec<Rival>,
    /// The verdict is dropped at the review after this minor unless a newer report is submitted.
    falls_out_after: Option<String>,
    /// Path of the one report that the verdict rests on; of the last one, when it is not current.
    path: String,
    /// Which document of that file it is, from 0.
    document: usize,
    /// The minor that the report is for.
    minor: Option<String>,
    /// The profiles of the family in that report, better ones first.
    profiles: Vec<ProfileStatus>,
}

/// A profile and what was shown of it.
#[derive(Debug, Serialize, JsonSchema)]
struct ProfileStatus {
    /// Its name.
    profile: String,
    /// What was shown.
    status: Status,
}

/// A report and the verdicts on its profiles.
#[derive(Debug, Serialize, JsonSchema)]
struct ReportVerdicts {
    /// Relative to the working directory, absolute outside of it, always with `/`.
    path: String,
    /// Which document of the file it is, from 0.
    document: usize,
    /// The release that it is for.
    release: Option<String>,
    /// `gatewayAPIChannel`.
    channel: Option<String>,
    /// `mode`.
    mode: Option<String>,
    /// `implementation.version`.
    version: Option<String>,
    /// `date`.
    date: Option<String>,
    /// Findings in the file that are errors.
    errors: usize,
    /// Findings in the file that are warnings.
    warnings: usize,
    /// Findings in the file that are infos.
    infos: usize,
    /// The tests whose results it does not show, or may not; null when it shows all.
    unseen_tests: Option<Unseen>,
    /// The tests of its profiles that passed in the log of its run, by a statement; null without one.
    passed_in_log: Option<Vec<String>>,
    /// In the order of the report.
    profiles: Vec<OneProfile>,
}

/// The verdict on a profile of a report.
#[derive(Debug, Serialize, JsonSchema)]
struct OneProfile {
    /// Its name.
    profile: String,
    /// `gateway` or `mesh`; null for a profile that no release has.
    family: Option<&'static str>,
    /// The verdict.
    status: Status,
    /// Why.
    reason: String,
    /// The findings that leave it without a verdict.
    blocked_by: Vec<OneBlock>,
}

/// A finding that leaves a profile without a verdict.
#[derive(Debug, Serialize, JsonSchema)]
struct OneBlock {
    /// Id of the rule.
    rule: &'static str,
    /// What it says.
    message: String,
}

/// Tests that show as passed whatever their result is, or may.
#[derive(Debug, Serialize, JsonSchema)]
struct Unseen {
    /// How many. A test counts once, however many profiles have it.
    tests: usize,
    /// Of how many tests that ran.
    of: usize,
    /// `not-seen`: the suite wrote the report before they had finished. `not-known`: the report is
    /// of a patch that is not known here, so whether it did is not known.
    results: Results,
}

/// Something that has no place among implementations.
#[derive(Debug, Serialize, JsonSchema)]
struct OneLeftOut {
    /// As of a report.
    path: String,
    /// Which document of the file it is, from 0.
    document: usize,
    /// Why, and what of it.
    reason: String,
}

/// Writes all verdicts as one JSON document.
///
/// # Errors
/// When `out` cannot be written to.
pub fn write_json(catalog: &Catalog<'_>, config: &Config, out: &mut dyn Write) -> io::Result<()> {
    crate::text::json::to_writer_pretty(&mut *out, &document(catalog, config))?;
    out.write_all(b"\n")
}

fn document(catalog: &Catalog<'_>, config: &Config) -> Verdicts {
    let next_review = config.policy.next_review.as_ref();
    Verdicts {
        version: 1,
        newest_minor: catalog.minors.newest().map(|minor| minor.to_string()),
        as_of: catalog.day.map(|day| day.to_string()),
        conformant_minors: catalog.windows.conformant,
        partially_conformant_minors: catalog.windows.partial,
        next_review: next_review.map(|date| date.get_ref().clone()),
        implementations: catalog
            .implementations
            .iter()
            .map(|one| implementation(one, catalog))
            .collect(),
        left_out: catalog.left_out.iter().map(left_out).collect(),
    }
}

fn left_out(left_out: &LeftOut) -> OneLeftOut {
    OneLeftOut {
        path: left_out.path.clone(),
        document: left_out.document,
        reason: left_out.reason.clone(),
    }
}

fn implementation(one: &Implementation<'_>, catalog: &Catalog<'_>) -> OneImplementation {
    let families = one.families.iter();
    OneImplementation {
        slug: one.slug.clone(),
        aliases: one.aliases.clone(),
        organization: one.organization.to_owned(),
        project: one.project.to_owned(),
        other_names: one.other_names.iter().map(other_name).collect(),
        name: one.name.clone(),
        description: one.description.clone(),
        url: one.url.clone(),
        families: families
            .map(|(of, certified)| family(one, *of, certified))
            .collect(),
        reports: one.reports.iter().map(|one| report(one, catalog)).collect(),
    }
}

fn other_name(other: &OtherName<'_>) -> OneName {
    OneName {
        organization: other.organization.to_owned(),
        project: other.project.to_owned(),
        reports: other.reports,
        is_former: other.is_former,
    }
}

fn family(one: &Implementation<'_>, family: Family, certified: &Certified) -> FamilyVerdict {
    let basis = &certified.basis;
    let facts = one.reports[basis.report].judged.facts;
    let profiles = basis.profiles.iter();
    FamilyVerdict {
        family: family.as_str(),
        verdict: certified.standing,
        reason: certified.reason.clone(),
        rivals: certified.rivals.clone(),
        falls_out_after: certified.until.map(|minor| minor.to_string()),
        path: facts.path.clone(),
        document: facts.document,
        minor: basis.minor.map(|minor| minor.to_string()),
        profiles: profiles
            .map(|(name, status)| ProfileStatus {
                profile: name.to_string(),
                status: *status,
            })
            .collect(),
    }
}

fn report(report: &Report<'_>, catalog: &Catalog<'_>) -> ReportVerdicts {
    let facts: &ReportFacts = report.judged.facts;
    let text = |value: Option<&str>| value.map(str::to_owned);
    ReportVerdicts {
        path: facts.path.clone(),
        document: facts.document,
        release: facts.release.version.as_ref().map(ToString::to_string),
        channel: text(facts.channel()),
        mode: text(facts.mode()),
        version: text(facts.version()),
        date: text(facts.date()),
        errors: report.findings.errors,
        warnings: report.findings.warnings,
        infos: report.findings.infos,
        unseen_tests: unseen(catalog, facts),
        passed_in_log: facts.by_log.as_ref().map(|by_log| {
            let names = by_log.passed.iter();
            names.map(ToString::to_string).collect()
        }),
        profiles: report.judged.verdicts.iter().map(profile).collect(),
    }
}

fn unseen(catalog: &Catalog<'_>, facts: &ReportFacts) -> Option<Unseen> {
    let UnseenTests { tests, of, results } = catalog.proofs.unseen(facts)?;
    Some(Unseen { tests, of, results })
}

fn profile(verdict: &ProfileVerdict) -> OneProfile {
    let blocks = verdict.blocks.iter();
    OneProfile {
        profile: verdict.profile.to_string(),
        family: verdict.family.map(Family::as_str),
        status: verdict.status,
        reason: verdict.reason.clone(),
        blocked_by: blocks
            .map(|block| OneBlock {
                rule: block.rule,
                message: block.message.clone(),
            })
            .collect(),
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
