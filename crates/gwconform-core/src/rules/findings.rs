use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::Rule;
use crate::text::counted;
use crate::text::diagnostic::{Anchor, Diagnostic, Severity};
use crate::text::message::Message;

/// Maximum number of findings per rule and file, submission or tree. A last finding of each path
/// counts the others.
pub const MAX_FINDINGS: usize = 100;

/// Findings of one rule in one file, submission or tree.
#[derive(Debug)]
pub struct Findings {
    rule: &'static str,
    severity: Severity,
    most: usize,
    found: Vec<Diagnostic>,
    /// Number and highest severity of the findings over the limit, by path.
    more: BTreeMap<Arc<str>, (usize, Severity)>,
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
            more: BTreeMap::new(),
            left_out: BTreeSet::new(),
        }
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

    /// True if further findings are only counted, so their details do not matter.
    pub fn is_full(&self) -> bool {
        self.found.len() >= self.most
    }

    /// Adds a finding and returns it, so that the rule can add details.
    pub fn at(
        &mut self,
        anchor: impl Into<Anchor>,
        message: impl Into<Message>,
    ) -> &mut Diagnostic {
        self.cut_last();
        // A rule can still change the severity of the last finding.
        let is_shown = !self.is_full();
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
        if let Some(last) = self.found.pop() {
            let more = self
                .more
                .entry(last.place.path)
                .or_insert((0, last.severity));
            *more = (more.0 + 1, more.1.max(last.severity));
        }
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

    /// All findings. If some are over the limit, the last findings count them.
    pub fn finish(mut self) -> Vec<Diagnostic> {
        self.cut_last();
        for (path, (count, severity)) in self.more {
            self.found.push(more(self.rule, severity, &path, count));
        }
        self.found
    }
}

/// A finding that counts others, which are not listed. The subject contains the number, so that a
/// baseline does not accept further ones.
pub(crate) fn more(rule: &'static str, severity: Severity, path: &str, count: usize) -> Diagnostic {
    let text = format!("{} of this rule not shown", counted(count, "more finding"));
    let anchor = Anchor::path(path).about(text.as_str());
    Diagnostic::new(rule, severity, anchor, Message::words(text))
}

#[cfg(test)]
mod tests {
    use super::{Findings, MAX_FINDINGS};
    use crate::rules::ALL;
    use crate::text::diagnostic::{Anchor, Severity};
    use crate::text::message::Message;

    #[test]
    fn counts_findings_over_the_limit_with_the_highest_severity() {
        let mut out = Findings::new(ALL[0], Severity::Info);
        for nth in 0..MAX_FINDINGS + 3 {
            let path = if nth == 7 { "b" } else { "a" };
            let finding = out.at(Anchor::path(path), Message::words("x"));
            if nth == MAX_FINDINGS + 1 {
                finding.severity = Severity::Error;
            }
        }
        let found = out.finish();
        assert_eq!(found.len(), MAX_FINDINGS + 1);
        let last = &found[MAX_FINDINGS];
        assert_eq!((&*last.place.path, last.severity), ("a", Severity::Error));
        assert_eq!(
            last.message.to_string(),
            "3 more findings of this rule not shown"
        );
    }
}
