//! Separates new findings from findings that already existed.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{BaseRevision, Moves, Review, Touched};
use crate::rules;
use crate::rules::check::CheckReport;
use gwconform_base::text::diagnostic::{Diagnostic, Severities};

/// Findings in touched submissions that already existed.
#[derive(Debug, Default)]
pub struct KnownFindings {
    /// Known findings, by path and position.
    pub findings: Vec<Diagnostic>,
    /// Known findings, including dropped ones.
    pub counts: Severities,
}

impl KnownFindings {
    fn add(&mut self, finding: Diagnostic) {
        self.counts.count(&finding);
        self.findings.push(finding);
    }
}

/// Rule, path and subject. Lines are excluded, because findings move.
type Key = (&'static str, String, String);

fn key(finding: &Diagnostic) -> Key {
    let path = finding.place.path.to_string();
    (finding.rule, path, finding.subject.to_string())
}

fn is_compared(finding: &Diagnostic) -> bool {
    rules::find(rules::change::ABOUT, finding.rule).is_none()
}

impl Review {
    /// Removes findings from `outcome` that `before` already contains. A finding that became more
    /// severe counts as new.
    pub fn take_known(
        &mut self,
        outcome: &mut CheckReport,
        before: &CheckReport,
        earlier: &BaseRevision,
        moves: &Moves,
    ) {
        let mut known: BTreeMap<Key, Severities> = BTreeMap::new();
        let mut renamed: BTreeMap<Key, String> = BTreeMap::new();
        for finding in &before.findings {
            let path = &*finding.place.path;
            let subject = moves.subject(path, &finding.subject);
            let path = moves.path(path).to_owned();
            let former = finding.subject.as_str();
            if former != subject {
                let key = (finding.rule, path.clone(), former.to_owned());
                renamed.insert(key, subject.clone());
            }
            let counts = known.entry((finding.rule, path, subject));
            counts.or_default().count(finding);
        }
        let changed = earlier.shown(|_| true);
        let mut findings = std::mem::take(&mut outcome.findings);
        let mut are_known: Vec<bool> = (findings.iter())
            .map(|finding| {
                // Entries that a fix makes unused are not new findings. The configuration's owner
                // removes them.
                if rules::find(rules::config::ABOUT, finding.rule).is_some()
                    && !changed.contains(&*finding.place.path)
                {
                    return true;
                }
                let counts = known.get_mut(&key(finding));
                is_compared(finding)
                    && finding.more == 0
                    && counts.is_some_and(|counts| counts.take_one(finding.severity))
            })
            .collect();
        // The reports in a finding and its label may have swapped since the revision.
        for (finding, is_known) in findings.iter().zip(&mut are_known) {
            let label = finding
                .labels
                .first()
                .filter(|_| finding.at_label.is_some());
            if let (false, Some(label)) = (*is_known, label) {
                let (rule, _, subject) = key(finding);
                let counts = known.get_mut(&(rule, label.place.path.to_string(), subject));
                *is_known = counts.is_some_and(|counts| counts.take_one(finding.severity));
            }
        }
        // A renamed file changes subjects that contain its name.
        for (finding, is_known) in findings.iter().zip(&mut are_known) {
            let may_be_known = !*is_known && is_compared(finding);
            if let Some(subject) = renamed.get(&key(finding)).filter(|_| may_be_known) {
                let (rule, path, _) = key(finding);
                let counts = known.get_mut(&(rule, path, subject.clone()));
                *is_known = counts.is_some_and(|counts| counts.take_one(finding.severity));
            }
        }
        // Findings that were only counted are compared by number.
        for (finding, is_known) in findings.iter_mut().zip(&mut are_known) {
            if *is_known || !is_compared(finding) {
                continue;
            }
            let severity = finding.severity;
            let (rule, path, _) = key(finding);
            let more = Diagnostic::subject_of_more(severity);
            if let Some(counts) = known.get_mut(&(rule, path, more)) {
                let found = (0..finding.count()).take_while(|_| counts.take_one(severity));
                *is_known = finding.take(found.count());
            }
        }
        let touched = Touched::new(self, earlier);
        let mut all = KnownFindings::default();
        let mut brought = Vec::new();
        for (finding, is_known) in findings.into_iter().zip(are_known) {
            let path = &*Arc::clone(&finding.place.path);
            if !is_known {
                brought.push(finding);
            } else if touched.has(path) {
                all.add(finding);
            }
        }
        outcome.findings = brought;
        self.before = all;
    }
}
