//! JSON output of `explain`.

use serde::Serialize;

use crate::rules::{About, Fixes};
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
    id: &'static str,
    /// Summary of the rule in one sentence.
    summary: String,
    /// Severity for reports of v1.1.0 or later: `error`, `warning` or `info`.
    severity: &'static str,
    /// Severity for reports up to v1.0.x; null if the rule does not apply to them.
    legacy_severity: Option<&'static str>,
    /// Severity changes in later minors.
    later_severities: Vec<LaterSeverity>,
    /// True if `--strict` turns the findings of this rule into errors.
    is_error_with_strict: bool,
    /// Kind of fixes: `safe` (applied by `--fix`), `unsafe` (applied by `--unsafe-fixes`), or `safe
    /// or unsafe` if the kind depends on the finding. Null if the rule has no fix.
    fixes: Option<&'static str>,
    /// Input that the rule requires: `file`, `submission`, `tree`, or the `resources` of a cluster.
    scope: &'static str,
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
    page: &'static str,
}

/// Severity for reports of a minor and later minors.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct LaterSeverity {
    /// First minor with this severity, such as `v1.7`.
    since: String,
    /// `error`, `warning` or `info`.
    severity: &'static str,
}

fn explained(rule: &About) -> Explained {
    Explained {
        id: rule.id,
        summary: rule.summary(),
        severity: rule.severity.as_str(),
        legacy_severity: rule.legacy.map(Severity::as_str),
        later_severities: Registry::embedded()
            .severities(rule.id)
            .map(|(minor, severity)| LaterSeverity {
                since: minor.to_string(),
                severity: severity.as_str(),
            })
            .collect(),
        is_error_with_strict: rule.strict,
        fixes: rule.fixes.map(Fixes::as_str),
        scope: rule.scope.as_str(),
        since: rule.since,
        sources: rule.sources(),
        related: rule.related(),
        messages: rule.messages().collect(),
        page: rule.doc,
    }
}
