//! An implementation as the site shows it.

use std::collections::{BTreeMap, BTreeSet};

use super::report::{ReportSet, ReportView, text};
use crate::badge::{About, BadgeScopes};
use crate::catalog::{Implementation, is_claimed};
use crate::certify::{Certified, Standing, Status, short_name};
use crate::formats::is_web_address;
use crate::registry::{Family, Minor};
use crate::site::paths;

/// An implementation.
#[derive(Debug)]
pub struct ImplementationView<'c> {
    pub entry: &'c Implementation<'c>,
    /// Its name in addresses.
    pub slug: &'c str,
    /// The name to show.
    pub name: &'c str,
    /// Its page.
    pub page: String,
    /// The verdict for each family that it has reports of; gateway first.
    pub families: Vec<FamilyVerdict<'c>>,
    /// How many features its best report of each minor supports, oldest first.
    pub counts: Vec<FeatureCounts>,
    /// Its reports, by release, version, channel, mode and path.
    pub reports: &'c [ReportView<'c>],
    /// The newest of its reports.
    pub newest: &'c ReportView<'c>,
}

/// The verdict on an implementation in a family.
#[derive(Debug)]
pub struct FamilyVerdict<'c> {
    pub family: Family,
    pub certified: &'c Certified,
    /// The verdict in the words of its badge.
    pub wording: String,
    /// The report that it rests on.
    pub basis: &'c ReportView<'c>,
    /// The profiles of that report in the family.
    pub profiles: Vec<ProfileStatus>,
}

/// A profile of a report.
#[derive(Debug)]
pub struct ProfileStatus {
    /// `HTTP`.
    pub short: String,
    pub status: Status,
}

/// Features that a report supports, proved or not; each counts once however many profiles have it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FeatureCounts {
    pub minor: Minor,
    pub core: usize,
    pub extended: usize,
}

impl<'c> ImplementationView<'c> {
    /// All implementations, in the catalog's order.
    pub(super) fn all(set: &'c ReportSet<'c>, issued: &BadgeScopes) -> Vec<Self> {
        let all = set.catalog.implementations.iter().enumerate();
        all.filter_map(|(at, entry)| {
            let reports = set.reports_of(at);
            let families = entry.families.iter().filter_map(|(family, certified)| {
                let badge = issued.badge(set.catalog, entry, About::Family(*family));
                Some(FamilyVerdict {
                    family: *family,
                    certified,
                    wording: badge.message,
                    basis: reports.get(certified.basis.report)?,
                    profiles: profiles(certified),
                })
            });
            Some(Self {
                entry,
                slug: &entry.slug,
                name: &entry.name,
                page: paths::implementation_page(&entry.slug),
                families: families.collect(),
                counts: counts(reports),
                newest: reports.last()?,
                reports,
            })
        })
        .collect()
    }

    /// The verdict in a family.
    pub fn family(&self, family: Family) -> Option<&FamilyVerdict<'c>> {
        self.families
            .iter()
            .find(|verdict| verdict.family == family)
    }

    /// Its best standing in any family.
    pub fn standing(&self) -> Standing {
        let standings = self
            .families
            .iter()
            .map(|verdict| verdict.certified.standing);
        standings.max().unwrap_or(Standing::NotCurrent)
    }

    /// The version of its newest report, as that has it.
    pub fn version(&self) -> &'c str {
        text(&self.newest.facts().version).unwrap_or_default()
    }

    /// The address of its website: the configured one, else that of its newest report, when it can be
    /// linked.
    pub fn website(&self) -> Option<&'c str> {
        let of_report = self.newest.facts().url.as_deref();
        let url = self.entry.url.as_deref().or(of_report)?;
        is_web_address(url).then_some(url)
    }
}

impl FamilyVerdict<'_> {
    /// `Gateway` or `Mesh`.
    pub fn name(&self) -> &'static str {
        family_name(self.family)
    }

    /// `v1.5`, of the report that the verdict rests on.
    pub fn minor(&self) -> String {
        let minor = self.certified.basis.minor;
        minor.map_or_else(
            || "an unknown release".to_owned(),
            |minor| minor.to_string(),
        )
    }

    /// The version that the report is of.
    pub fn version(&self) -> Option<&str> {
        text(&self.basis.facts().version)
    }

    /// Channel and mode of that report.
    pub fn run(&self) -> String {
        let facts = self.basis.facts();
        let run = [text(&facts.channel), text(&facts.mode)];
        run.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }

    /// True for a conformant report that is too old to be more than a partial verdict.
    pub fn is_aged(&self) -> bool {
        self.certified.standing == Standing::PartiallyConformant
            && self.certified.basis.status == Status::Conformant
    }

    /// `Conformant`, `Partially conformant` or `Not current`.
    pub fn standing(&self) -> &'static str {
        match self.certified.standing {
            Standing::Conformant => "Conformant",
            Standing::PartiallyConformant => "Partially conformant",
            Standing::NotCurrent => "Not current",
        }
    }

    /// The minor after whose review the verdict expires.
    pub fn until(&self) -> Option<String> {
        self.certified.until.map(|minor| minor.to_string())
    }
}

/// `Gateway` or `Mesh`.
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

/// The features that a report supports, core and extended; one that is both counts as core.
fn supported<'s>(report: &'s ReportView<'_>) -> (BTreeSet<&'s str>, BTreeSet<&'s str>) {
    let (mut core, mut extended) = (BTreeSet::new(), BTreeSet::new());
    for profile in &report.features {
        for (list, set) in [
            (&profile.core, &mut core),
            (&profile.extended, &mut extended),
        ] {
            let claimed = list.iter().filter(|(_, state)| is_claimed(state));
            set.extend(claimed.map(|(name, _)| &**name));
        }
    }
    extended.retain(|name| !core.contains(name));
    (core, extended)
}

fn counts(reports: &[ReportView<'_>]) -> Vec<FeatureCounts> {
    let mut best: BTreeMap<Minor, FeatureCounts> = BTreeMap::new();
    for report in reports {
        let Some(minor) = report.minor() else {
            continue;
        };
        let (core, extended) = supported(report);
        let own = FeatureCounts {
            minor,
            core: core.len(),
            extended: extended.len(),
        };
        let entry = best.entry(minor).or_insert(own);
        if (own.extended, own.core) > (entry.extended, entry.core) {
            *entry = own;
        }
    }
    best.into_values().collect()
}
