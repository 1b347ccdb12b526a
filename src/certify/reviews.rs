//! Determines which release reviews are over at a date. Before its review, a minor counts only in
//! favor of implementations with reports for it. After the review, reports for older minors expire.

use std::collections::BTreeMap;

use jiff::ToSpan;
use jiff::civil::Date;

use crate::api::{Minor, Version};
use crate::release::{Registry, Release};
use crate::report::facts::ReportFacts;
use crate::report::formats::day_of_rfc3339;

/// Date of the verdicts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AsOf {
    /// Estimates the date from the reports. See [`Reviews::reached`].
    #[default]
    Reports,
    /// Current date, not before any report, such as the commit date.
    Day(Date),
    /// Past date. Later reports are ignored.
    Past(Date),
}

/// Release reviews that have taken place.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reviews {
    days: BTreeMap<Minor, Date>,
    /// Date of the verdicts. If `None`, all releases have been reviewed.
    by: Option<Date>,
}

impl Reviews {
    /// `by` is the date of the verdicts, and `days` are configured review dates.
    pub fn by(by: Option<Date>, days: BTreeMap<Minor, Date>) -> Self {
        Self { days, by }
    }

    /// Date of the verdicts.
    pub fn day(&self) -> Option<Date> {
        self.by
    }

    /// True from the configured date on, by default one month after the release.
    pub fn are_over(&self, minor: Minor, registry: &Registry) -> bool {
        let Some(by) = self.by else {
            return true;
        };
        let configured = self.days.get(&minor).copied();
        let day = configured.or_else(|| usual_day(minor, registry));
        day.is_none_or(|day| day <= by)
    }

    /// Second newest date among implementations with reports for several minors, so that a single
    /// future date has no effect. Small trees use all implementations or the only date.
    pub fn reached<'f, N: Ord>(
        reports: impl IntoIterator<Item = (N, &'f ReportFacts)>,
    ) -> Option<Date> {
        let minor = |report: &ReportFacts| report.release.version.as_ref().map(Version::minor);
        let runs = reports.into_iter();
        Self::reached_by(runs.map(|(name, report)| (name, minor(report), day_of(report))))
    }

    /// Like [`Self::reached`], for names with the minor and date of each report.
    pub fn reached_by<N: Ord>(
        reports: impl IntoIterator<Item = (N, Option<Minor>, Option<Date>)>,
    ) -> Option<Date> {
        #[derive(Default)]
        struct Seen {
            last: Option<Date>,
            minors: std::collections::BTreeSet<Minor>,
        }
        let mut all: BTreeMap<N, Seen> = BTreeMap::new();
        for (name, minor, day) in reports {
            let seen = all.entry(name).or_default();
            seen.minors.extend(minor);
            seen.last = seen.last.max(day);
        }
        let newest_first = |least: usize| {
            let of_several = all.values().filter(|seen| seen.minors.len() >= least);
            let mut days: Vec<Date> = of_several.filter_map(|seen| seen.last).collect();
            days.sort_unstable_by(|a, b| b.cmp(a));
            days
        };
        let day = |days: Vec<Date>| days.get(1).or(days.first()).copied();
        day(newest_first(2)).or_else(|| day(newest_first(1)))
    }
}

/// Date of the run.
pub fn day_of(report: &ReportFacts) -> Option<Date> {
    day_of_rfc3339(report.date()?)
}

/// Default review date. Upstream reviews a minor at least one month after its first release.
fn usual_day(minor: Minor, registry: &Registry) -> Option<Date> {
    let mut released = registry.released();
    let first = released.find(|release| release.version().minor() == minor)?;
    Release::date(first)?.checked_add(1.month()).ok()
}
