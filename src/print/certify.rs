//! Output of `certify`: verdicts on implementations.

mod implementation_list;
mod verdicts;

use std::collections::BTreeSet;

use serde::Serialize;

use gwconform_base::api::{Family, Minor};
use gwconform_base::text::counted;
use gwconform_base::text::diagnostic::Severities;
use gwconform_report::certify::catalog::{
    Catalog, Implementation, LeftOut, OtherName, Report, Stretch, UnseenTests, UnsubmittedProfile,
};
use gwconform_report::certify::{AsOf, Certified, ProfileVerdict, Standing};
use gwconform_report::document::{self, ImplementationRef, ReportRef};
use gwconform_report::report::facts::{Name, ReportFacts};
use gwconform_report::rules::configuration::Config;
use gwconform_report::rules::conflicts::ConflictingReports;

pub use implementation_list::{Addresses, list};
pub use verdicts::page;

/// Implementations in the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Listing {
    /// Implementations with a current verdict.
    Current,
    /// All implementations, with reasons.
    All,
}

/// Output of `gwconform certify --format json`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "Verdicts on implementations"))]
pub struct Verdicts<'c> {
    /// Newest minor that counts toward verdicts; null if no release review is over.
    newest_minor: Option<Minor>,
    #[serde(flatten)]
    as_of: AsOf,
    /// Number of newest minors in which a conformant profile counts.
    conformant_minors: u32,
    /// Number of newest minors in which a partially conformant profile counts.
    partially_conformant_minors: u32,
    /// Configured date of the next release review, such as `2026-10-01`.
    next_review: Option<&'c str>,
    /// One entry per implementation, sorted by organization and project.
    implementations: Vec<OneImplementation<'c>>,
    /// Files and documents that are not included, with reasons.
    left_out: &'c [LeftOut],
    /// Reports of different implementations that claim the same run or similar names, sorted. They
    /// affect no verdict.
    conflicts: &'c BTreeSet<ConflictingReports>,
}

/// Names, verdicts and reports of an implementation.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct OneImplementation<'c> {
    #[serde(flatten)]
    implementation: ImplementationRef,
    /// Paths of former names in URLs, which remain valid.
    aliases: &'c [String],
    /// Other `organization/project` names in reports, former names first.
    other_names: &'c [OtherName<'c>],
    /// Description from the configuration or the details file, as one line of plain text; null if
    /// there is none.
    description: Option<&'c str>,
    /// Website or documentation URL from the configuration, or else from the newest report.
    website: Option<&'c str>,
    /// Verdict for each family with reports; the gateway family is first.
    families: Vec<FamilyVerdict>,
    /// Reports, sorted by release, version, channel, mode and path.
    reports: Vec<ReportVerdicts<'c>>,
}

/// Verdict on an implementation in one family.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct FamilyVerdict {
    #[serde(flatten)]
    verdict: document::Verdict,
    /// Verdicts over the minors, oldest first. Minors without a report are omitted.
    history: Vec<Stretch>,
    /// Profiles whose recorded core tests all passed, although no report lists them.
    unsubmitted_profiles: Vec<UnsubmittedProfile>,
}

/// A report and the verdicts on its profiles.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ReportVerdicts<'c> {
    #[serde(flatten)]
    report: ReportRef,
    /// `date` as written in the report.
    date: Option<&'c str>,
    /// Numbers of findings in the file, by severity.
    finding_counts: Severities,
    /// Tests whose results are, or might be, missing from the report; null if all are included.
    unseen_tests: Option<UnseenTests>,
    /// Profile tests that passed in the log of the run, from a statement. Null without a statement.
    passed_in_log: Option<&'c BTreeSet<Name>>,
    /// Profiles in the order of the report.
    profiles: &'c [ProfileVerdict],
}

/// Number of conflicts, with the command that lists them. `None` without conflicts.
pub fn conflicts_in_words(catalog: &Catalog<'_>) -> Option<String> {
    let conflicts = counted(catalog.conflicts.len(), "conflict");
    let has_any = !catalog.conflicts.is_empty();
    has_any.then(|| format!("{conflicts} between reports; run gwconform check"))
}

impl<'c> Verdicts<'c> {
    /// Collects the verdicts of a catalog.
    pub fn new(catalog: &'c Catalog<'_>, config: &'c Config) -> Self {
        let next_review = config.policy.next_review.as_ref();
        let all = catalog.implementations.iter();
        Self {
            newest_minor: catalog.minors.newest(),
            as_of: catalog.as_of,
            conformant_minors: catalog.windows.conformant,
            partially_conformant_minors: catalog.windows.partial,
            next_review: next_review.map(|date| date.get_ref().as_str()),
            implementations: all.map(|one| implementation(one, catalog)).collect(),
            left_out: &catalog.left_out,
            conflicts: &catalog.conflicts,
        }
    }
}

fn implementation<'c>(
    one: &'c Implementation<'_>,
    catalog: &'c Catalog<'_>,
) -> OneImplementation<'c> {
    let families = one.families.iter();
    OneImplementation {
        implementation: ImplementationRef::new(one),
        aliases: &one.aliases,
        other_names: &one.other_names,
        description: one.description.as_deref(),
        website: one.website(),
        families: families
            .map(|(of, certified)| family(one, *of, certified, catalog))
            .collect(),
        reports: (one.reports.iter())
            .map(|own| report(one, own, catalog))
            .collect(),
    }
}

fn family(
    one: &Implementation<'_>,
    family: Family,
    certified: &Certified,
    catalog: &Catalog<'_>,
) -> FamilyVerdict {
    FamilyVerdict {
        verdict: document::Verdict::new(one, family, certified),
        history: catalog.history(one, family),
        unsubmitted_profiles: catalog.unsubmitted(one, family),
    }
}

fn report<'c>(
    one: &Implementation<'_>,
    report: &'c Report<'_>,
    catalog: &Catalog<'_>,
) -> ReportVerdicts<'c> {
    let facts: &ReportFacts = report.judged.facts;
    ReportVerdicts {
        report: ReportRef::new(one, report),
        date: facts.date(),
        finding_counts: report.findings,
        unseen_tests: catalog.proofs.unseen(facts),
        passed_in_log: facts.by_log.as_ref().map(|by_log| &by_log.passed),
        profiles: &report.judged.verdicts,
    }
}

pub(super) const FAMILIES: [(Family, &str); 2] =
    [(Family::Gateway, "Gateway"), (Family::Mesh, "Mesh")];
const STANDINGS: [(Standing, &str); 3] = [
    (Standing::Conformant, "Conformant"),
    (Standing::PartiallyConformant, "Partially conformant"),
    (Standing::NotCurrent, "Not current"),
];

fn families(catalog: &Catalog<'_>) -> impl Iterator<Item = (Family, &'static str)> {
    FAMILIES.into_iter().filter(|(family, _)| {
        let mut all = catalog.implementations.iter();
        all.any(|one| one.family(*family).is_some())
    })
}

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
