//! JSON output of `explain`.

use serde::Serialize;

use crate::rules::{About, Fixes, Scope};
use gwconform_base::api::Minor;
use gwconform_base::release::Registry;
use gwconform_base::text::diagnostic::Severity;

/// Output of `gwconform explain --format json`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "Rules of gwconform"))]
pub struct Rules {
    /// Rules, sorted by ID.
    rules: Vec<Explained>,
}

impl Rules {
    /// Creates the document. `rules` must be sorted by ID.
    pub fn new(rules: Vec<&'static About>) -> Self {
        let rules = rules.into_iter().map(explained).collect();
        Self { rules }
    }
}

/// Documentation of one rule.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Explained {
    /// Rule ID in the form `group/name`, such as `report/date`.
    rule: &'static str,
    /// What the rule does, in one line.
    description: String,
    /// Severity for reports of v1.1.0 or later.
    severity: Severity,
    /// Severity for reports up to v1.0.x; null if the rule does not apply to them.
    legacy_severity: Option<Severity>,
    /// Severity changes in later minors.
    later_severities: Vec<LaterSeverity>,
    /// True if `--strict` turns the findings of this rule into errors.
    error_with_strict: bool,
    /// Kind of fixes; null if the rule has no fix.
    fixes: Option<Fixes>,
    /// Input that the rule requires.
    scope: Scope,
    /// Version of gwconform that introduced the rule.
    since: &'static str,
    /// Sources of the rule, such as sections of a GEP, the reports README or the implementer's
    /// guide, or functions of the suite.
    sources: Vec<&'static str>,
    /// IDs of related rules.
    related: Vec<&'static str>,
    /// Templates of the messages, in which `{name}` is a placeholder.
    messages: Vec<&'static str>,
    /// Documentation of the rule in Markdown.
    documentation: &'static str,
}

/// Severity for reports of a minor and later minors.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct LaterSeverity {
    /// First minor with this severity, such as `v1.7`.
    since: Minor,
    /// Severity from this minor on.
    severity: Severity,
}

fn explained(rule: &About) -> Explained {
    Explained {
        rule: rule.id,
        description: rule.summary(),
        severity: rule.severity,
        legacy_severity: rule.legacy,
        later_severities: Registry::embedded()
            .severities(rule.id)
            .map(|(since, severity)| LaterSeverity { since, severity })
            .collect(),
        error_with_strict: rule.strict,
        fixes: rule.fixes,
        scope: rule.scope,
        since: rule.since,
        sources: rule.sources(),
        related: rule.related(),
        messages: rule.messages().collect(),
        documentation: rule.doc,
    }
}
