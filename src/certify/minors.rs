use std::collections::BTreeSet;

use super::judge::{facts, judge};
use super::reviews::Reviews;
use crate::api::Minor;
use crate::release::Registry;
use crate::report::facts::ReportFacts;

/// Numbers of newest minors for which a report counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Windows {
    /// Number of minors for a conformant verdict.
    pub conformant: u32,
    /// Number of minors for a partially conformant verdict.
    pub partial: u32,
}

/// Released minors without gaps, with the minor from the command line or configuration.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Minors {
    all: Vec<Minor>,
    newest: Option<Minor>,
    newest_reported: Option<Minor>,
}

impl Minors {
    /// The newest minor is `latest`, or the newest minor with a verdict and a completed release
    /// review, or else the oldest minor with a verdict. Unknown and unreleased minors count only if
    /// `latest` names them. Reports without a verdict count only if no report has a verdict.
    pub fn new<'f>(
        registry: &Registry,
        reports: impl IntoIterator<Item = &'f ReportFacts>,
        latest: Option<Minor>,
        reviews: &Reviews,
    ) -> Self {
        let is_checked = |report: &&ReportFacts| facts(report, registry).is_some();
        let has_verdict = |report: &ReportFacts| {
            let verdicts = judge(report, registry);
            verdicts.iter().any(|verdict| verdict.status.is_verdict())
        };
        let checked = reports.into_iter().filter(is_checked).filter_map(|report| {
            let minor = report.release.version.as_ref()?.minor();
            let is_out = !registry.is_upcoming(minor);
            is_out.then(|| (has_verdict(report), minor))
        });
        let checked: BTreeSet<(bool, Minor)> = checked.collect();
        let newest_reported = latest.max(checked.last().map(|(_, minor)| *minor));
        let has_verdicts = checked.last().is_some_and(|(has_verdict, _)| *has_verdict);
        let mut with_verdicts = checked.iter().filter(|(has, _)| *has == has_verdicts);
        let oldest = with_verdicts.clone().next();
        let is_reviewed = |(_, minor): &&(bool, Minor)| reviews.are_over(*minor, registry);
        let reviewed = with_verdicts.rfind(is_reviewed).or(oldest);
        let known = registry.released().map(|release| release.version().minor());
        Self {
            all: without_gaps(known.chain(latest).collect()),
            newest: latest.or(reviewed.map(|(_, minor)| *minor)),
            newest_reported,
        }
    }

    /// Minors after `minor` is released and reviewed.
    pub fn once_out(&self, minor: Minor) -> Self {
        let named = self.all.iter().copied().chain([minor]).collect();
        Self {
            all: without_gaps(named),
            newest: self.newest.max(Some(minor)),
            newest_reported: self.newest_reported.max(Some(minor)),
        }
    }

    /// Newest minor for the windows. `None` if there are no reports and no `latest`.
    pub fn newest(&self) -> Option<Minor> {
        self.newest
    }

    /// Newest minor with a verdict, even if its release review is pending.
    pub fn newest_reported(&self) -> Option<Minor> {
        self.newest_reported
    }

    /// The `count` newest minors and all later minors, newest first.
    pub fn newest_ones(&self, count: u32) -> Vec<Minor> {
        let position = |minor: Option<Minor>| minor.and_then(|minor| self.position(minor));
        let end = |at: Option<usize>| at.map_or(0, |at| (at + 1).min(self.all.len()));
        let counted = end(position(self.newest));
        let reported = end(position(self.newest_reported)).max(counted);
        let start = counted.saturating_sub(count as usize);
        self.all[start..reported].iter().rev().copied().collect()
    }

    /// True for the `count` newest minors and all later minors.
    pub fn is_among_newest(&self, minor: Minor, count: u32) -> bool {
        let Some(newest) = self.newest.and_then(|newest| self.position(newest)) else {
            return false;
        };
        let oldest = newest.saturating_sub(count.saturating_sub(1) as usize);
        self.position(minor).is_some_and(|at| at >= oldest) && count > 0
    }

    /// Minor whose review expires a report for `minor`, if the report counts for `count` minors.
    pub fn end(&self, minor: Minor, count: u32) -> Option<Minor> {
        let last = self.all.last()?;
        let at = self.position(minor)? + count as usize;
        Some(match self.all.get(at) {
            Some(minor) => *minor,
            None => Minor {
                major: last.major,
                minor: last.minor.saturating_add((at - self.all.len() + 1) as u64),
            },
        })
    }

    /// True if `next` is the minor after `minor`.
    pub fn are_adjacent(&self, minor: Minor, next: Minor) -> bool {
        let place = |minor| self.position(minor);
        place(minor).map(|at| at + 1) == place(next)
    }

    fn position(&self, minor: Minor) -> Option<usize> {
        let before = self.all.partition_point(|known| *known < minor);
        let is_known = self.all.get(before) == Some(&minor);
        (is_known || before == self.all.len()).then_some(before)
    }
}

fn without_gaps(named: BTreeSet<Minor>) -> Vec<Minor> {
    let mut all = Vec::new();
    for minor in named {
        if let Some(&Minor { major, minor: last }) = all.last()
            && major == minor.major
            && minor.minor - last <= MAX_GAP
        {
            all.extend((last + 1..minor.minor).map(|minor| Minor { major, minor }));
        }
        all.push(minor);
    }
    all
}

/// Limits the work for very large configured minors.
const MAX_GAP: u64 = 100;
