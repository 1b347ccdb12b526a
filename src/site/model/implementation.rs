use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::current::{self, CurrentSupport, Supported, profiles_of, supported};
use super::report::{ReportView, text};
use super::report_set::ReportSet;
use crate::site::badge::{self, About, BadgeScopes};
use crate::site::paths;
use gwconform_base::api::{Family, Minor};
use gwconform_base::text::capitalized;
use gwconform_report::certify::catalog::{Catalog, Implementation};
use gwconform_report::certify::{Certified, Judged, Scope, Standing, Status, certify, short_name};

/// Maximum columns for past minors, and for upcoming reviews. Older verdicts are listed as text.
pub(super) const MAX_MINORS: usize = 6;

/// Minimum number of upcoming reviews. A submission made today can affect two reviews.
pub const NEXT_REVIEWS: usize = 2;

#[derive(Debug)]
pub struct ImplementationView<'c> {
    pub entry: &'c Implementation<'c>,
    pub slug: &'c str,
    pub name: &'c str,
    /// Display name, with organization and project if the name is not unique.
    pub title: String,
    pub page: String,
    /// Families with reports; gateway is first.
    pub families: Vec<FamilyVerdict<'c>>,
    pub current: Vec<CurrentSupport<'c>>,
    pub counts: Vec<FeatureCounts<'c>>,
    pub reports: &'c [ReportView<'c>],
    pub newest: &'c ReportView<'c>,
}

#[derive(Debug)]
pub struct FamilyVerdict<'c> {
    pub family: Family,
    pub certified: &'c Certified,
    pub wording: String,
    /// Shorter wording for tables.
    pub brief: String,
    pub basis: &'c ReportView<'c>,
    pub profiles: Vec<ProfileStatus>,
    /// Verdicts at upcoming reviews if no report is submitted.
    pub then: Vec<(Minor, Standing)>,
}

#[derive(Debug)]
pub struct ProfileStatus {
    pub short: String,
    pub status: Status,
}

#[derive(Debug, Clone, Copy)]
pub struct FeatureCounts<'c> {
    pub minor: Minor,
    pub report: &'c ReportView<'c>,
    pub core: usize,
    pub extended: usize,
}

impl<'c> ImplementationView<'c> {
    pub(super) fn all(set: &'c ReportSet<'c>, issued: &BadgeScopes) -> Vec<Self> {
        let all = set.catalog.implementations.iter().enumerate();
        let reviews = reviews(set.catalog);
        all.filter_map(|(at, entry)| {
            let reports = set.reports_of(at);
            let mut then = standings(set.catalog, entry, &reviews);
            let families = entry.families.iter().filter_map(|(family, certified)| {
                let badge = issued.badge(set.catalog, entry, About::Family(*family));
                Some(FamilyVerdict {
                    family: *family,
                    certified,
                    brief: capitalized(&badge::brief(entry, *family, &badge)),
                    wording: badge.message,
                    basis: reports.get(certified.basis.report)?,
                    profiles: profiles(certified),
                    then: then.remove(family).unwrap_or_default(),
                })
            });
            let families = families.collect();
            let mut sound = reports
                .iter()
                .rev()
                .filter(|report| !report.entry.judged.is_refused());
            Some(Self {
                entry,
                slug: &entry.slug,
                name: &entry.name,
                title: set.title(entry),
                page: paths::implementation_page(&entry.slug),
                current: current::all(reports),
                counts: counts(reports, entry.families.first().map(|(family, _)| *family)),
                families,
                newest: sound.next().or(reports.last())?,
                reports,
            })
        })
        .collect()
    }

    pub fn family(&self, family: Family) -> Option<&FamilyVerdict<'c>> {
        self.families
            .iter()
            .find(|verdict| verdict.family == family)
    }

    pub fn status(&self, family: Family, minor: Minor) -> Option<Status> {
        self.entry.by_minor.iter().find_map(|(of, at, certified)| {
            (*of == family && *at == minor).then_some(certified.basis.status)
        })
    }

    pub fn basis(&self, family: Family, minor: Minor) -> Option<&'c ReportView<'c>> {
        let mut verdicts = self.entry.by_minor.iter();
        let (.., certified) = verdicts.find(|(of, at, _)| (*of, *at) == (family, minor))?;
        self.reports.get(certified.basis.report)
    }

    /// Organization and project; `None` if the display name already includes both.
    pub fn reported_as(&self) -> Option<String> {
        let (organization, project) = (self.entry.organization, self.entry.project);
        let whole = format!("{organization}/{project}");
        let is_project = self.name.eq_ignore_ascii_case(project);
        let is_said =
            self.name == whole || (is_project && organization.eq_ignore_ascii_case(project));
        (!is_said).then_some(whole)
    }

    pub fn words(&self) -> String {
        let names = self.entry.names().flat_map(|(a, b)| [a, b]);
        let names: BTreeSet<&str> = [self.name].into_iter().chain(names).collect();
        Vec::from_iter(names).join(" ").to_lowercase()
    }

    pub fn standing(&self) -> Standing {
        let standings = self
            .families
            .iter()
            .map(|verdict| verdict.certified.standing);
        standings.max().unwrap_or(Standing::NotCurrent)
    }

    /// True if any report has an earlier report to be compared with.
    pub fn has_changes(&self) -> bool {
        self.reports.iter().any(|report| report.previous.is_some())
    }
}

impl FamilyVerdict<'_> {
    pub fn name(&self) -> &'static str {
        family_name(self.family)
    }

    pub fn minor(&self) -> String {
        let minor = self.certified.basis.minor;
        minor.map_or_else(
            || "an unknown release".to_owned(),
            |minor| minor.to_string(),
        )
    }

    pub fn version(&self) -> Option<&str> {
        text(&self.basis.facts().version)
    }

    pub fn run(&self) -> String {
        self.basis.run()
    }

    pub fn is_conformant(&self) -> bool {
        self.certified.standing == Standing::Conformant
    }

    /// True if a conformant report is too old for a conformant verdict.
    pub fn is_aged(&self) -> bool {
        self.certified.standing == Standing::PartiallyConformant
            && self.certified.basis.status == Status::Conformant
    }

    pub fn order(&self) -> (Reverse<Standing>, bool, Reverse<Option<Minor>>) {
        let minor = self.certified.basis.minor;
        let is_conformant = self.certified.standing == Standing::Conformant;
        (
            Reverse(self.certified.standing),
            self.is_aged(),
            Reverse(minor.filter(|_| is_conformant)),
        )
    }

    pub fn reason(&self) -> String {
        capitalized(&self.certified.reason)
    }

    /// Describes the expiry, such as `conformant until the v1.8 review, then partial`.
    pub fn then_in_words(&self) -> Option<String> {
        let until = self.certified.until?;
        let now = match self.certified.standing {
            Standing::Conformant => "conformant",
            Standing::PartiallyConformant => "partial",
            Standing::NotCurrent => return None,
        };
        let mut then = self.then.iter();
        let after = then.find(|(minor, _)| *minor == until);
        Some(match after {
            Some((_, Standing::PartiallyConformant)) => {
                format!("{now} until the {until} review, then partial")
            }
            _ => format!("{now} until the {until} review"),
        })
    }
}

fn standings(
    catalog: &Catalog<'_>,
    entry: &Implementation<'_>,
    reviews: &[Minor],
) -> BTreeMap<Family, Vec<(Minor, Standing)>> {
    let reports = entry.reports.iter();
    let judged: Vec<Judged<'_>> = reports.map(|report| report.judged.clone()).collect();
    let of = |family| {
        let scope = Scope {
            family,
            profile: None,
            minor: None,
        };
        let standing = |minor: &Minor| {
            let minors = catalog.minors.once_out(*minor);
            let certified = certify(&judged, scope, &minors, catalog.windows)?;
            Some((*minor, certified.standing))
        };
        reviews.iter().filter_map(standing).collect()
    };
    let families = entry.families.iter();
    families.map(|(family, _)| (*family, of(*family))).collect()
}

pub fn family_name(family: Family) -> &'static str {
    match family {
        Family::Gateway => "Gateway",
        Family::Mesh => "Mesh",
    }
}

fn profiles(certified: &Certified) -> Vec<ProfileStatus> {
    let mut profiles: Vec<_> = certified
        .basis
        .profiles
        .iter()
        .map(|(name, status)| ProfileStatus {
            short: short_name(name).to_owned(),
            status: *status,
        })
        .collect();
    profiles.sort_by(|a, b| a.short.cmp(&b.short));
    profiles
}

fn counts<'c>(reports: &'c [ReportView<'c>], family: Option<Family>) -> Vec<FeatureCounts<'c>> {
    let mut best: BTreeMap<Minor, (Supported, &ReportView<'_>)> = BTreeMap::new();
    for report in reports {
        let (Some(minor), Some(family)) = (report.minor(), family) else {
            continue;
        };
        let profiles = profiles_of(report, family);
        if profiles.is_empty() {
            continue;
        }
        let found = (supported(report, &profiles), report);
        let entry = best.entry(minor).or_insert(found);
        if found.0 >= entry.0 {
            *entry = found;
        }
    }
    let counts = best
        .into_iter()
        .map(|(minor, (most, report))| FeatureCounts {
            minor,
            report,
            core: most.core,
            extended: most.extended,
        });
    counts.collect()
}

/// Upcoming reviews at which a report for the newest minor can still count.
pub(super) fn reviews(catalog: &Catalog<'_>) -> Vec<Minor> {
    let ahead = catalog.windows.partial.max(catalog.windows.conformant);
    let ahead = ahead.clamp(NEXT_REVIEWS as u32, MAX_MINORS as u32);
    let newest = catalog.minors.newest();
    let next = |steps| catalog.minors.end(newest?, steps);
    (1..=ahead).filter_map(next).collect()
}
