//! An implementation as the pages show it, worked out once.

use std::collections::{BTreeMap, BTreeSet};

use super::mark::Mark;
use super::paths;
use super::view::{ReportView, View, text};
use super::words::is_claimed;
use crate::badge::{About, Issued};
use crate::catalog::Implementation;
use crate::certify::{Certified, Standing, Status, short_name};
use crate::formats::is_web_address;
use crate::registry::{Family, Minor};

/// An implementation.
#[derive(Debug)]
pub(super) struct ImplementationView<'c> {
    pub(super) one: &'c Implementation<'c>,
    /// Its place in the catalog.
    pub(super) at: usize,
    /// The folder of its pages.
    pub(super) path: String,
    /// What it is, for each family that it has reports of; gateway first.
    pub(super) families: Vec<FamilyVerdict<'c>>,
    /// How many features its best report of each minor supports, oldest first.
    pub(super) numbers: Vec<Numbers>,
    /// The newest of its reports.
    pub(super) newest: &'c ReportView<'c>,
}

/// What an implementation is in a family.
#[derive(Debug)]
pub(super) struct FamilyVerdict<'c> {
    pub(super) family: Family,
    pub(super) certified: &'c Certified,
    /// The verdict in the words of its badge.
    pub(super) mark: Mark,
    /// The report that it rests on.
    pub(super) basis: &'c ReportView<'c>,
    /// The profiles of that report in the family.
    pub(super) profiles: Vec<ProfileMark>,
}

/// A profile of a report.
#[derive(Debug)]
pub(super) struct ProfileMark {
    /// `HTTP`.
    pub(super) short: String,
    pub(super) mark: Mark,
}

/// Features supported, proved or not, each counted once however many profiles have it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Numbers {
    pub(super) minor: Minor,
    pub(super) core: usize,
    pub(super) extended: usize,
}

impl<'c> ImplementationView<'c> {
    /// All implementations that have a report, in the catalog's order.
    pub(super) fn all(view: &'c View<'c>, issued: &Issued) -> Vec<Self> {
        let all = view.catalog.implementations.iter().enumerate();
        all.filter_map(|(at, one)| {
            let reports = view.reports_of(at);
            let families = one.families.iter().filter_map(|(family, certified)| {
                let badge = issued.badge(view.catalog, one, About::Family(*family));
                let basis = reports.get(certified.basis.report)?;
                Some(FamilyVerdict {
                    family: *family,
                    certified,
                    mark: Mark::standing(certified.standing, &badge.message),
                    basis,
                    profiles: profiles(certified),
                })
            });
            Some(Self {
                one,
                at,
                path: paths::implementation_page(&one.slug),
                families: families.collect(),
                numbers: numbers(reports),
                newest: reports.last()?,
            })
        })
        .collect()
    }

    /// What it is in a family.
    pub(super) fn family(&self, family: Family) -> Option<&FamilyVerdict<'c>> {
        self.families
            .iter()
            .find(|verdict| verdict.family == family)
    }

    /// Its best standing in any family.
    pub(super) fn standing(&self) -> Standing {
        let standings = self
            .families
            .iter()
            .map(|verdict| verdict.certified.standing);
        standings.max().unwrap_or(Standing::NotCurrent)
    }

    /// The version of its newest report, as that has it.
    pub(super) fn version(&self) -> &'c str {
        text(&self.newest.facts().version).unwrap_or_default()
    }

    /// The address of its website, when its newest report has one that can be linked.
    pub(super) fn website(&self) -> Option<&'c str> {
        let url = self.newest.facts().url.as_deref()?;
        is_web_address(url).then_some(url)
    }
}

impl FamilyVerdict<'_> {
    /// `Gateway` or `Mesh`.
    pub(super) fn name(&self) -> &'static str {
        family_name(self.family)
    }

    /// `v1.5`, of the report that the verdict rests on.
    pub(super) fn minor(&self) -> String {
        let minor = self.certified.basis.minor;
        minor.map_or_else(
            || "an unknown release".to_owned(),
            |minor| minor.to_string(),
        )
    }

    /// The version that the report is of.
    pub(super) fn version(&self) -> Option<&str> {
        text(&self.basis.facts().version)
    }

    /// Channel and mode of that report.
    pub(super) fn run(&self) -> String {
        let facts = self.basis.facts();
        let run = [text(&facts.channel), text(&facts.mode)];
        run.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }

    /// The folder of the report that the verdict rests on.
    pub(super) fn basis_path(&self) -> String {
        self.basis.page()
    }

    /// True for a conformant report that is too old to be more than a partial verdict.
    pub(super) fn is_aged(&self) -> bool {
        self.certified.standing == Standing::PartiallyConformant
            && self.certified.basis.status == Status::Conformant
    }

    /// The minor after whose review it is no longer what it is.
    pub(super) fn until(&self) -> Option<String> {
        self.certified.until.map(|minor| minor.to_string())
    }
}

/// `Gateway` or `Mesh`.
pub(super) fn family_name(family: Family) -> &'static str {
    match family {
        Family::Gateway => "Gateway",
        Family::Mesh => "Mesh",
    }
}

fn profiles(certified: &Certified) -> Vec<ProfileMark> {
    let profiles = certified.basis.profiles.iter();
    let mut marks: Vec<_> = profiles
        .map(|(name, status)| ProfileMark {
            short: short_name(name).to_owned(),
            mark: Mark::status(*status),
        })
        .collect();
    marks.sort_by(|a, b| a.short.cmp(&b.short));
    marks
}

/// The features that a report supports, core and extended; one that is both counts as core.
pub(super) fn supported<'s>(seen: &'s ReportView<'_>) -> (BTreeSet<&'s str>, BTreeSet<&'s str>) {
    let (mut core, mut extended) = (BTreeSet::new(), BTreeSet::new());
    for profile in &seen.features {
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

fn numbers(reports: &[ReportView<'_>]) -> Vec<Numbers> {
    let mut best: BTreeMap<Minor, Numbers> = BTreeMap::new();
    for seen in reports {
        let Some(minor) = seen.minor() else { continue };
        let (core, extended) = supported(seen);
        let numbers = Numbers {
            minor,
            core: core.len(),
            extended: extended.len(),
        };
        let entry = best.entry(minor).or_insert(numbers);
        if (numbers.extended, numbers.core) > (entry.extended, entry.core) {
            *entry = numbers;
        }
    }
    best.into_values().collect()
}
