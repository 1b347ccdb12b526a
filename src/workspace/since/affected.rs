//! Checks only the submissions that a change can affect. The others have the same findings and
//! verdicts before and after the change.

use crate::workspace::engine::Engine;
use gwconform_report::rules::check::{CheckReport, Comparison, Survey};

impl Engine<'_> {
    /// Checks both states of the submissions that the change can affect. `None` if the whole tree
    /// must be checked.
    pub(in crate::workspace) fn check_affected(
        &self,
        trees: &Comparison<'_>,
        done: &(dyn Fn(usize) + Sync),
    ) -> Option<[CheckReport; 2]> {
        if self.is_altered || !self.statements.is_empty() {
            return None;
        }
        let mut survey = Survey::new(trees)?;
        let mut checked = trees.check(&survey.take_unread(), done);
        let reports = checked.iter().flat_map(|report| &report.reports);
        let related = survey.take_related(reports, self.settings.names());
        checked = merged(checked, trees.check(&related, done));
        // If all reports belong to another project, a rule replaces the findings of the tree.
        if !checked.iter().all(has_own) {
            checked = merged(checked, trees.check(&survey.take_one(), done));
        }
        let mut finished = trees.finish(checked);
        if !survey.is_empty() && !finished.iter().all(has_own) {
            return None;
        }
        survey.count(trees, &mut finished[0]);
        Some(finished)
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
