//! Selects the reports that show which features an implementation currently supports.

use std::collections::BTreeSet;

use super::report::{ReportView, text};
use gwconform_base::api::Channel;
use gwconform_base::api::{Family, Minor};
use gwconform_report::certify::catalog::is_claimed;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Setting {
    Standard,
    Experimental,
    OtherChannel,
    Mesh,
}

/// Report that claims the most features for the newest minor in a setting.
#[derive(Debug)]
pub struct CurrentSupport<'c> {
    pub setting: Setting,
    pub report: &'c ReportView<'c>,
    pub profiles: Vec<usize>,
    pub counts: Supported,
}

/// Number of claimed features in a family. A feature in several profiles counts once, as core if
/// any of them includes it as core.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Supported {
    pub extended: usize,
    pub core: usize,
}

impl Setting {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Standard => Channel::Standard.as_str(),
            Self::Experimental => Channel::Experimental.as_str(),
            Self::OtherChannel => "other channel",
            Self::Mesh => "mesh",
        }
    }

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

pub(super) fn profiles_of(report: &ReportView<'_>, family: Family) -> Vec<usize> {
    let verdicts = report.entry.judged.verdicts.iter().enumerate();
    let own = verdicts.filter(|(_, verdict)| verdict.family == Some(family));
    own.map(|(at, _)| at).collect()
}

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

type Rank = (Setting, Option<Minor>, Supported);

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
                // If ranks are equal, the last report is selected.
                Some(known) if key >= known.0 => *known = (key, current),
                Some(_) => {}
                None => best.push((key, current)),
            }
        }
    }
    // Reports without a channel were written before the field existed. They are used only if no
    // report has a channel.
    let has_channel = best
        .iter()
        .any(|((setting, ..), _)| *setting < Setting::OtherChannel);
    best.retain(|((setting, ..), _)| *setting != Setting::OtherChannel || !has_channel);
    best.sort_by_key(|((setting, ..), _)| *setting);
    best.into_iter().map(|(_, current)| current).collect()
}
