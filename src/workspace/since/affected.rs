//! Checks only the submissions that a change can affect. The others have the same findings and
//! verdicts before and after the change.

use std::collections::BTreeSet;

use jiff::civil::Date;

use crate::api::{Minor, Version};
use crate::certify::{self, Minors, Reviews, judge};
use crate::report::facts::ReportFacts;
use crate::rules::check::{CheckReport, Comparison, Survey};
use crate::workspace::engine::Engine;

/// Minors whose first reports have no verdict are rare. Beyond this number, the whole tree is
/// checked.
const MAX_TRIES: usize = 10;

impl Engine<'_> {
    /// Checks both states of the submissions that the change can affect. `None` if the whole tree
    /// must be checked. `day` is the date of the earlier revision.
    ///
    /// A verdict also depends on the newest minor with a verdict. For each minor that counts, the
    /// result includes a report with a verdict.
    pub(in crate::workspace) fn check_affected(
        &self,
        trees: &Comparison<'_>,
        day: Date,
        done: &(dyn Fn(usize) + Sync),
    ) -> Option<([CheckReport; 2], Survey)> {
        if self.is_altered || self.list.is_some() || !self.statements.is_empty() {
            return None;
        }
        let mut survey = Survey::new(trees)?;
        let mut checked = trees.check(&survey.take_unread(), done);
        for _ in 0..MAX_TRIES {
            let reports = checked.iter().flat_map(|report| &report.reports);
            let related = survey.take_related(reports, self.settings.names());
            checked = merged(checked, trees.check(&related, done));
            let mut finished = trees.finish(checked.clone());
            let day = reached(&finished[1].reports, &survey).max(Some(day));
            let reviews = Reviews::by(day, self.config().reviews());
            let missing = |report: &CheckReport| self.missing(&report.reports, &survey, &reviews);
            match finished.iter().find_map(missing) {
                Some(minor) => {
                    let more = trees.check(&survey.take_minor(minor), done);
                    checked = merged(checked, more);
                }
                // If all reports belong to another project, a rule replaces the findings of the tree.
                None if survey.headers().next().is_some() && !finished.iter().all(has_own) => {
                    return None;
                }
                // A newer or older newest minor affects all verdicts.
                None if self.minors(&finished[0], &reviews)
                    != self.minors(&finished[1], &reviews) =>
                {
                    return None;
                }
                None => {
                    survey.count(trees, &mut finished[0]);
                    return Some((finished, survey));
                }
            }
        }
        None
    }

    fn minors(&self, report: &CheckReport, reviews: &Reviews) -> Minors {
        let latest = self.config().policy.configured_newest();
        Minors::new(self.registry, &report.reports, latest, reviews)
    }

    /// First minor, from the newest to the newest reviewed one, for which only reports elsewhere
    /// may have a verdict.
    fn missing(
        &self,
        reports: &[ReportFacts],
        survey: &Survey,
        reviews: &Reviews,
    ) -> Option<Minor> {
        let has_verdict = |facts: &&ReportFacts| {
            let verdicts = judge(facts, self.registry);
            certify::facts(facts, self.registry).is_some()
                && verdicts.iter().any(|verdict| verdict.status.is_verdict())
        };
        let minor_of = |facts: &ReportFacts| Some(facts.release.version.as_ref()?.minor());
        let is_out = |minor: &Minor| !self.registry.is_upcoming(*minor);
        let proved: BTreeSet<Minor> = (reports.iter().filter(has_verdict))
            .filter_map(minor_of)
            .filter(is_out)
            .collect();
        let others = survey.headers().filter_map(|one| one.version.as_ref());
        let others: BTreeSet<Minor> = others.map(Version::minor).filter(is_out).collect();
        let all: BTreeSet<Minor> = proved.union(&others).copied().collect();
        for minor in all.into_iter().rev() {
            match proved.contains(&minor) {
                true if reviews.are_over(minor, self.registry) => return None,
                true => {}
                false => return Some(minor),
            }
        }
        None
    }
}

fn has_own(report: &CheckReport) -> bool {
    let mut reports = report.reports.iter();
    reports.any(|facts| facts.is_report && facts.other_project.is_none())
}

fn merged(
    [now, before]: [CheckReport; 2],
    [more, more_before]: [CheckReport; 2],
) -> [CheckReport; 2] {
    [now.and(more), before.and(more_before)]
}

/// Date that the reports of a tree have reached. The survey contains the reports without facts.
pub(in crate::workspace) fn reached(reports: &[ReportFacts], survey: &Survey) -> Option<Date> {
    let of_reports = reports.iter().filter_map(|facts| {
        let name = (facts.organization()?, facts.project()?);
        let minor = facts.release.version.as_ref().map(Version::minor);
        Some((name, minor, certify::day_of(facts)))
    });
    let of_others = survey.headers().filter_map(|one| {
        let day = |time: jiff::Timestamp| time.to_zoned(jiff::tz::TimeZone::UTC).date();
        let minor = one.version.as_ref().map(Version::minor);
        Some((one.name()?, minor, one.ran_at.map(day)))
    });
    Reviews::reached_by(of_reports.chain(of_others))
}
