//! The release reviews, and the day that they are judged by.
//!
//! After a release review, the list of implementations is made again, and reports of older minors count
//! for less. Until then a new minor counts for the implementations that have reports for it, and against
//! no other.

use std::collections::BTreeMap;

use jiff::ToSpan;
use jiff::civil::Date;

use crate::api::Minor;
use crate::release::{Registry, Release};
use crate::report::facts::ReportFacts;
use crate::report::formats::day_of_rfc3339;

/// The day that verdicts are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AsOf {
    /// The day that the reports have reached: see [`Reviews::reached`].
    #[default]
    Reports,
    /// A day on which all reports of the tree are known, such as that of its commit.
    Day(Date),
    /// A day in the past: later reports are not known.
    Past(Date),
}

/// The release reviews that have taken place by a day.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reviews {
    /// The days of reviews in the configuration.
    days: BTreeMap<Minor, Date>,
    /// The day that verdicts are for; without one all releases are reviewed.
    by: Option<Date>,
}

impl Reviews {
    /// The reviews by a day, with the configured ones.
    pub fn by(by: Option<Date>, days: BTreeMap<Minor, Date>) -> Self {
        Self { days, by }
    }

    /// The day that verdicts are for.
    pub fn day(&self) -> Option<Date> {
        self.by
    }

    /// True after the review of a minor: on the configured day, otherwise one month after the release.
    pub fn are_over(&self, minor: Minor, registry: &Registry) -> bool {
        let Some(by) = self.by else {
            return true;
        };
        let configured = self.days.get(&minor).copied();
        let day = configured.or_else(|| usual_day(minor, registry));
        day.is_none_or(|day| day <= by)
    }

    /// The day that the reports of a tree have reached, by the implementations that they are of: the
    /// newest one that two implementations have reached of those with reports for several minors. So
    /// one report with a date in the future moves nothing. A tree with fewer such implementations has the
    /// day of the one, otherwise the second newest of all, otherwise the only one.
    pub fn reached<'f, N: Ord>(
        reports: impl IntoIterator<Item = (N, &'f ReportFacts)>,
    ) -> Option<Date> {
        #[derive(Default)]
        struct Seen {
            last: Option<Date>,
            minors: std::collections::BTreeSet<Minor>,
        }
        let mut all: BTreeMap<N, Seen> = BTreeMap::new();
        for (name, report) in reports {
            let seen = all.entry(name).or_default();
            let version = report.release.version.as_ref();
            seen.minors.extend(version.map(|version| version.minor()));
            seen.last = seen.last.max(day_of(report));
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

/// The day of a report's run.
pub fn day_of(report: &ReportFacts) -> Option<Date> {
    day_of_rfc3339(report.date()?)
}

/// One month after the first release of a minor: reviews take place at least one month after it.
fn usual_day(minor: Minor, registry: &Registry) -> Option<Date> {
    let mut released = registry.released();
    let first = released.find(|release| release.version().minor() == minor)?;
    Release::date(first)?.checked_add(1.month()).ok()
}
