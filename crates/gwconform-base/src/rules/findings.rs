use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::About;
use crate::text::diagnostic::{Anchor, Diagnostic, Severity};
use crate::text::message::Message;

/// Maximum number of findings per rule and file, submission or tree. Last findings of each path
/// count the others.
pub const MAX_FINDINGS: usize = 100;

/// Findings of one rule in one file, submission or tree.
#[derive(Debug)]
pub struct Findings {
    rule: &'static str,
    severity: Severity,
    most: usize,
    found: Vec<Diagnostic>,
    /// Number of findings over the limit, by path and severity.
    more: BTreeMap<(Arc<str>, Severity), usize>,
    left_out: BTreeSet<String>,
}

impl Findings {
    /// Creates an empty collector with a default severity.
    pub fn new(rule: &About, severity: Severity) -> Self {
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
            let key = (last.place.path, last.severity);
            *self.more.entry(key).or_default() += 1;
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
        for ((path, severity), more) in self.more {
            let finding = Diagnostic::of_more(self.rule, severity, &path, more);
            self.found.push(finding);
        }
        self.found
    }
}

#[cfg(test)]
mod tests {
    use super::{About, Findings, MAX_FINDINGS};
    use crate::rules::{Scope, front_matter};
    use crate::text::diagnostic::{Anchor, Severity};
    use crate::text::message::Message;

    const PAGE: &str =
        "---\nseverity: info\nsince: 0.1.0\n---\n\n# group/name\n\n## What it does\n\nNothing.\n";

    static ABOUT: About = front_matter::about(PAGE, b"group/name", &[], Scope::File, true);

    #[test]
    fn counts_findings_over_the_limit_by_severity() {
        let mut out = Findings::new(&ABOUT, Severity::Info);
        for nth in 0..MAX_FINDINGS + 3 {
            let path = if nth == 7 { "b" } else { "a" };
            let finding = out.at(Anchor::path(path), Message::words("x"));
            if nth == MAX_FINDINGS + 1 {
                finding.severity = Severity::Error;
            }
        }
        let found = out.finish();
        let last: Vec<_> = found[MAX_FINDINGS..]
            .iter()
            .map(|one| (&*one.place.path, one.severity, one.message.to_string()))
            .collect();
        assert_eq!(
            last,
            [
                (
                    "a",
                    Severity::Info,
                    "2 more findings of this rule not shown".to_owned()
                ),
                (
                    "a",
                    Severity::Error,
                    "1 more finding of this rule not shown".to_owned()
                ),
            ]
        );
    }
}
