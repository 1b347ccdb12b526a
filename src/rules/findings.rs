//! Where a rule puts what it finds.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::Rule;
use crate::diagnostic::{Diagnostic, Place, Severity};

/// Most findings that one rule reports about one file, submission or tree. A hostile file can
/// break a rule on every line; what is beyond this is counted and named as not shown.
pub const MAX_FINDINGS: usize = 100;

/// The findings of one rule in one place. A finding cannot be added without a place.
#[derive(Debug)]
pub struct Findings {
    rule: &'static str,
    severity: Severity,
    found: Vec<Diagnostic>,
    surplus: usize,
    left_out: BTreeSet<String>,
}

impl Findings {
    /// An empty list; findings get `severity` unless they are given another.
    pub fn new(rule: &Rule, severity: Severity) -> Self {
        Self {
            rule: rule.id,
            severity,
            found: Vec::new(),
            surplus: 0,
            left_out: BTreeSet::new(),
        }
    }

    /// How bad findings are here.
    pub fn severity(&self) -> Severity {
        self.severity
    }

    /// Adds a finding.
    pub fn at(&mut self, place: Place, message: impl Into<Cow<'static, str>>) -> &mut Diagnostic {
        let is_shown = self.found.len() < MAX_FINDINGS;
        if !is_shown {
            // One slot more takes all that is not shown, and is dropped in the end.
            self.found.truncate(MAX_FINDINGS);
            self.surplus += 1;
        }
        self.found
            .push(Diagnostic::new(self.rule, self.severity, place, message));
        let last = self.found.len() - 1;
        self.found[last].is_shown = is_shown;
        &mut self.found[last]
    }

    /// Says what the rule could not look at and why, in words that follow "not checked:".
    pub fn leave_out(&mut self, reason: impl Into<String>) {
        if self.left_out.len() < MAX_FINDINGS {
            self.left_out.insert(reason.into());
        }
    }

    /// What the rule could not look at, sorted.
    pub fn left_out(&self) -> impl Iterator<Item = &str> {
        self.left_out.iter().map(String::as_str)
    }

    /// The findings, and how many more there were.
    pub fn finish(mut self) -> (Vec<Diagnostic>, usize) {
        self.found.truncate(MAX_FINDINGS);
        (self.found, self.surplus)
    }
}
