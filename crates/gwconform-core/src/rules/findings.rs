use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::Rule;
use crate::text::diagnostic::{Anchor, Diagnostic, Severities, Severity};
use crate::text::message::Message;

/// Maximum number of findings per rule and file, submission or tree. Further findings are only
/// counted.
pub const MAX_FINDINGS: usize = 100;

/// The limit is higher while fixing, because each round of fixes checks the submission again.
const MAX_FINDINGS_TO_FIX: usize = 10_000;

/// Findings of one rule in one file, submission or tree.
#[derive(Debug)]
pub struct Findings {
    rule: &'static str,
    severity: Severity,
    most: usize,
    found: Vec<Diagnostic>,
    /// Lowest severity that is kept after the limit is reached.
    least_kept: Option<Severity>,
    cut: BTreeMap<String, Severities>,
    left_out: BTreeSet<String>,
}

impl Findings {
    /// Creates an empty collector with a default severity.
    pub fn new(rule: &Rule, severity: Severity) -> Self {
        Self {
            rule: rule.id,
            severity,
            most: MAX_FINDINGS,
            found: Vec::new(),
            least_kept: None,
            cut: BTreeMap::new(),
            left_out: BTreeSet::new(),
        }
    }

    /// Raises the limit if the rule offers fixes.
    #[must_use]
    pub fn to_fix(self, rule: &Rule) -> Self {
        let most = match rule.fixes {
            Some(_) => MAX_FINDINGS_TO_FIX,
            None => self.most,
        };
        Self { most, ..self }
    }

    /// Keeps all findings.
    #[must_use]
    pub fn without_limit(self) -> Self {
        Self {
            most: usize::MAX,
            ..self
        }
    }

    /// Default severity of findings.
    pub fn severity(&self) -> Severity {
        self.severity
    }

    /// Adds a finding and returns it, so that the rule can add details.
    pub fn at(
        &mut self,
        anchor: impl Into<Anchor>,
        message: impl Into<Message>,
    ) -> &mut Diagnostic {
        self.cut_last();
        // A rule can still change the severity of the last finding.
        let is_shown = self.found.len() < self.most;
        self.found
            .push(Diagnostic::new(self.rule, self.severity, anchor, message));
        let last = self.found.len() - 1;
        self.found[last].is_shown = is_shown;
        &mut self.found[last]
    }

    fn cut_last(&mut self) {
        if self.found.len() <= self.most {
            return;
        }
        let Some(mut last) = self.found.pop() else {
            return;
        };
        let kept = || self.found.iter().enumerate();
        let least = || kept().min_by_key(|(at, finding)| (finding.severity, Reverse(*at)));
        let least_kept = self.least_kept.or_else(|| Some(least()?.1.severity));
        self.least_kept = least_kept;
        if least_kept < Some(last.severity)
            && let Some((at, _)) = least()
        {
            let worse = std::mem::replace(&mut last, self.found.remove(at));
            self.found.push(worse);
            self.least_kept = None;
        }
        let path = last.place.path.to_string();
        self.cut.entry(path).or_default().count(last.severity);
    }

    /// Records an unchecked part. Output prints `reason` after "not checked:".
    pub fn leave_out(&mut self, reason: impl Into<String>) {
        if self.left_out.len() < MAX_FINDINGS {
            self.left_out.insert(reason.into());
        }
    }

    /// Parts that the rule could not check, sorted.
    pub fn left_out(&self) -> impl Iterator<Item = &str> {
        self.left_out.iter().map(String::as_str)
    }

    /// Findings, and numbers of findings over the limit by path.
    pub fn finish(mut self) -> (Vec<Diagnostic>, BTreeMap<String, Severities>) {
        self.cut_last();
        (self.found, self.cut)
    }
}

#[cfg(test)]
mod tests {
    use super::{Findings, MAX_FINDINGS};
    use crate::rules::ALL;
    use crate::text::diagnostic::{Anchor, Severity};
    use crate::text::message::Message;

    #[test]
    fn what_is_worse_takes_the_place_of_what_is_not() {
        let mut out = Findings::new(ALL[0], Severity::Info);
        for nth in 0..MAX_FINDINGS + 3 {
            let finding = out.at(Anchor::path(format!("{nth}")), Message::words("x"));
            if nth >= MAX_FINDINGS {
                finding.severity = Severity::Error;
            }
        }
        let (found, cut) = out.finish();
        let errors = found.iter().filter(|one| one.severity == Severity::Error);
        assert_eq!((errors.count(), found.len()), (3, MAX_FINDINGS));
        let infos: usize = cut.values().map(|counts| counts.infos).sum();
        assert_eq!((cut.len(), infos), (3, 3));
    }
}
