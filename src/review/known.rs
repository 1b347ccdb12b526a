//! Which findings a change brings, and which were there before.

use std::collections::{BTreeMap, BTreeSet};

use super::{BaseRevision, Moves, Review};
use crate::check::CheckReport;
use crate::diagnostic::{Diagnostic, Severities};
use crate::rules::{self, Check};

/// The findings that were there before a change.
#[derive(Debug, Default)]
pub struct KnownFindings {
    /// Those that are kept, by path and position.
    pub findings: Vec<Diagnostic>,
    /// All of them, also those that are counted and not kept.
    pub counts: Severities,
}

impl KnownFindings {
    fn add(&mut self, finding: Diagnostic) {
        self.counts.count(finding.severity);
        self.findings.push(finding);
    }
}

/// Rule, path and subject: a finding, wherever its line is now.
type Key = (&'static str, String, String);

impl Review {
    /// Leaves to the outcome the findings that the change brings, and takes those that `before`, the
    /// check of the earlier revision, has as well. A finding that was less severe is brought.
    pub(crate) fn take_known(
        &mut self,
        outcome: &mut CheckReport,
        mut before: CheckReport,
        earlier: &BaseRevision,
        moves: &Moves,
    ) {
        let mut known: BTreeMap<Key, Severities> = BTreeMap::new();
        for finding in &before.findings {
            let path = finding.place.path.as_str();
            let subject = moves.subject(path, &finding.subject);
            let counts = known.entry((finding.rule, moves.path(path).to_owned(), subject));
            counts.or_default().count(finding.severity);
        }
        before.cut = before.cut.map_paths(|path| moves.path(path).to_owned());
        let changed: BTreeSet<&str> = (earlier.files.iter())
            .map(|file| file.shown.as_str())
            .collect();
        let mut all = KnownFindings::default();
        let mut brought = Vec::new();
        for finding in std::mem::take(&mut outcome.findings) {
            let is_known = match rules::find(finding.rule).map(|rule| rule.check) {
                Some(Check::Change(_) | Check::Inputs(_)) => false,
                // An entry that a repair makes useless is for whoever owns the configuration.
                Some(Check::Config(_)) if !changed.contains(finding.place.path.as_str()) => true,
                _ => {
                    let path = finding.place.path.as_str();
                    let subject = finding.subject.to_string();
                    let counts = known.get_mut(&(finding.rule, path.to_owned(), subject));
                    counts.is_some_and(|counts| counts.take_one(finding.severity))
                        || before.cut.take_one(path, finding.rule, finding.severity)
                }
            };
            match is_known {
                true => all.add(finding),
                false => brought.push(finding),
            }
        }
        outcome.findings = brought;
        all.counts += outcome.cut.subtract(&before.cut);
        self.before = all;
    }
}
