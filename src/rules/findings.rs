//! Where a rule puts what it finds.

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
}

impl Findings {
    /// An empty list; findings get `severity` unless they are given another.
    pub fn new(rule: &Rule, severity: Severity) -> Self {
        Self {
            rule: rule.id,
            severity,
            found: Vec::new(),
            surplus: 0,
        }
    }

    /// Adds a finding.
    pub fn at(&mut self, place: Place, message: impl Into<String>) -> &mut Diagnostic {
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

    /// The findings, and how many more there were.
    pub fn finish(mut self) -> (Vec<Diagnostic>, usize) {
        self.found.truncate(MAX_FINDINGS);
        (self.found, self.surplus)
    }
}
