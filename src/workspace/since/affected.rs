//! Checks only the submissions that a change can affect. The others have the same findings and
//! verdicts before and after the change.

use std::collections::BTreeSet;

use jiff::civil::Date;

use crate::api::{Minor, Version};
use crate::certify::{self, Minors, Reviews, judge};
use crate::report::facts::ReportFacts;
use crate::rules::check::{CheckReport, Comparison, Header, Survey};
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
    ) -> Option<([CheckReport; 2], Vec<Header>)> {
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
            let mut reports = finished.iter().flat_map(|report| &report.reports);
            if reports.any(|facts| facts.other_project.is_some()) {
                return None;
            }
            let elsewhere: Vec<Header> = survey.headers().cloned().collect();
            let day = reached(&finished[1].reports, &elsewhere).max(Some(day));
            let reviews = Reviews::by(day, self.config().reviews());
            let missing =
                |report: &CheckReport| self.missing(&report.reports, &elsewhere, &reviews);
            match finished.iter().find_map(missing) {
                Some(minor) => {
                    let more = trees.check(&survey.take_minor(minor), done);
                    checked = merged(checked, more);
                }
                // A newer or older newest minor affects all verdicts.
                None if self.minors(&finished[0], &reviews)
                    != self.minors(&finished[1], &reviews) =>
                {
                    return None;
                }
                None => {
                    for report in &mut finished {
                        survey.count(trees, report);
                    }
                    return Some((finished, elsewhere));
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
        elsewhere: &[Header],
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
        let others = elsewhere.iter().filter_map(|one| one.version.as_ref());
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

fn merged(
    [now, before]: [CheckReport; 2],
    [more, more_before]: [CheckReport; 2],
) -> [CheckReport; 2] {
    [now.and(more), before.and(more_before)]
}

/// Date that the reports of a tree have reached. `elsewhere` are the reports without facts.
pub(in crate::workspace) fn reached(reports: &[ReportFacts], elsewhere: &[Header]) -> Option<Date> {
    let of_reports = reports.iter().filter_map(|facts| {
        let name = (facts.organization()?, facts.project()?);
        let minor = facts.release.version.as_ref().map(Version::minor);
        Some((name, minor, certify::day_of(facts)))
    });
    let of_others = elsewhere.iter().map(|one| {
        let name = (one.organization.as_str(), one.project.as_str());
        let day = one.ran_at.to_zoned(jiff::tz::TimeZone::UTC).date();
        (name, one.version.as_ref().map(Version::minor), Some(day))
    });
    Reviews::reached_by(of_reports.chain(of_others))
}
