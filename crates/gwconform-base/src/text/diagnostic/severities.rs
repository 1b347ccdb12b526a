use std::ops::AddAssign;

use super::{Diagnostic, Severity};

/// Number of findings per severity.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct Severities {
    /// Number of errors.
    pub errors: usize,
    /// Number of warnings.
    pub warnings: usize,
    /// Number of findings with severity `info`.
    pub infos: usize,
}

impl Severities {
    /// Number of findings with the given severity.
    pub fn of(&self, severity: Severity) -> usize {
        match severity {
            Severity::Error => self.errors,
            Severity::Warning => self.warnings,
            Severity::Info => self.infos,
        }
    }

    /// Counts of a single severity.
    pub fn of_one(severity: Severity, count: usize) -> Self {
        let mut counts = Self::default();
        match severity {
            Severity::Error => counts.errors = count,
            Severity::Warning => counts.warnings = count,
            Severity::Info => counts.infos = count,
        }
        counts
    }

    /// Counts a finding and the findings that it stands for.
    pub fn count(&mut self, finding: &Diagnostic) {
        *self += Self::of_one(finding.severity, finding.count());
    }

    /// Total of all severities.
    pub fn sum(&self) -> usize {
        self.errors + self.warnings + self.infos
    }

    /// Raises each count to the count in `other`, if higher.
    pub fn raise(&mut self, other: Self) {
        self.errors = self.errors.max(other.errors);
        self.warnings = self.warnings.max(other.warnings);
        self.infos = self.infos.max(other.infos);
    }

    /// Removes a finding with severity `least` or higher, lowest first. False if none exists.
    pub fn take_one(&mut self, least: Severity) -> bool {
        let counts = [
            (Severity::Info, &mut self.infos),
            (Severity::Warning, &mut self.warnings),
            (Severity::Error, &mut self.errors),
        ];
        let mut counts = counts
            .into_iter()
            .filter(|(severity, _)| *severity >= least);
        match counts.find(|(_, count)| **count > 0) {
            Some((_, count)) => {
                *count -= 1;
                true
            }
            None => false,
        }
    }
}

impl AddAssign for Severities {
    fn add_assign(&mut self, other: Self) {
        self.errors += other.errors;
        self.warnings += other.warnings;
        self.infos += other.infos;
    }
}
