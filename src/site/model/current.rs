//! What an implementation supports now: in the standard channel, in the experimental one, as a mesh.

use std::collections::BTreeSet;

use super::report::{ReportView, text};
use crate::api::Channel;
use crate::api::{Family, Minor};
use crate::certify::catalog::is_claimed;

/// In what way an implementation can support a feature.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Setting {
    /// As a gateway, in the standard channel.
    Standard,
    /// As a gateway, in the experimental channel.
    Experimental,
    /// As a gateway, in a channel that is not known.
    OtherChannel,
    /// As a mesh, in any channel.
    Mesh,
}

/// The report that shows best what an implementation supports in a setting: of those for its newest
/// minor there, the one that supports most.
#[derive(Debug)]
pub struct CurrentSupport<'c> {
    pub setting: Setting,
    pub report: &'c ReportView<'c>,
    /// Its profiles of the family, by their place.
    pub profiles: Vec<usize>,
    /// How many features they support.
    pub counts: Supported,
}

/// How many features a report supports in a family, proved or not; each counts once however many
/// profiles have it, and one that is core in a profile counts as core.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Supported {
    pub extended: usize,
    pub core: usize,
}

impl Setting {
    /// `standard`, `experimental`, `other channel` or `mesh`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Standard => Channel::Standard.as_str(),
            Self::Experimental => Channel::Experimental.as_str(),
            Self::OtherChannel => "other channel",
            Self::Mesh => "mesh",
        }
    }

    /// Of a report in a family.
    pub fn new(family: Family, report: &ReportView<'_>) -> Self {
        let channel = text(&report.facts().channel);
        match (family, channel) {
            (Family::Mesh, _) => Self::Mesh,
            (_, Some(name)) if name == Channel::Standard.as_str() => Self::Standard,
            (_, Some(name)) if name == Channel::Experimental.as_str() => Self::Experimental,
            _ => Self::OtherChannel,
        }
    }
}

/// The profiles of a report in a family, by their place.
pub(super) fn profiles_of(report: &ReportView<'_>, family: Family) -> Vec<usize> {
    let verdicts = report.entry.judged.verdicts.iter().enumerate();
    let own = verdicts.filter(|(_, verdict)| verdict.family == Some(family));
    own.map(|(at, _)| at).collect()
}

/// How many features the profiles of a report support.
pub(super) fn supported(report: &ReportView<'_>, profiles: &[usize]) -> Supported {
    let (mut core, mut extended) = (BTreeSet::new(), BTreeSet::new());
    let asked = report.features.iter();
    for profile in asked.filter(|features| profiles.contains(&features.profile)) {
        for (list, set) in [
            (&profile.core, &mut core),
            (&profile.extended, &mut extended),
        ] {
            let claimed = list.iter().filter(|(_, state)| is_claimed(state));
            set.extend(claimed.map(|(name, _)| name));
        }
    }
    Supported {
        extended: extended.difference(&core).count(),
        core: core.len(),
    }
}

/// Of the reports of a setting the one with the greatest rank shows what is supported now.
type Rank = (Setting, Option<Minor>, Supported);

/// What the reports of an implementation show now, setting by setting.
pub(super) fn all<'c>(reports: &'c [ReportView<'c>]) -> Vec<CurrentSupport<'c>> {
    let mut best: Vec<(Rank, CurrentSupport<'c>)> = Vec::new();
    for report in reports {
        for family in [Family::Gateway, Family::Mesh] {
            let profiles = profiles_of(report, family);
            if profiles.is_empty() {
                continue;
            }
            let setting = Setting::new(family, report);
            let counts = supported(report, &profiles);
            let key = (setting, report.minor(), counts);
            let current = CurrentSupport {
                setting,
                report,
                profiles,
                counts,
            };
            match best.iter_mut().find(|((known, ..), _)| *known == setting) {
                // Of equal reports the newest one counts.
                Some(known) if key >= known.0 => *known = (key, current),
                Some(_) => {}
                None => best.push((key, current)),
            }
        }
    }
    // Reports without a channel are old ones: they count where there are no others.
    let has_channel = best
        .iter()
        .any(|((setting, ..), _)| *setting < Setting::OtherChannel);
    best.retain(|((setting, ..), _)| *setting != Setting::OtherChannel || !has_channel);
    best.sort_by_key(|((setting, ..), _)| *setting);
    best.into_iter().map(|(_, current)| current).collect()
}
