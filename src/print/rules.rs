//! JSON for rules.

use serde::Serialize;

use crate::release::Registry;
use crate::rules::{Fixes, Rule};
use crate::text::diagnostic::Severity;

/// Output of `gwconform explain --format json`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "Rules of gwconform"))]
pub struct Rules {
    /// Format version.
    #[cfg_attr(test, schemars(extend("const" = 2)))]
    version: u32,
    /// Sorted by id.
    rules: Vec<Explained>,
}

impl Rules {
    /// Creates the document.
    pub fn new(rules: Vec<&'static Rule>) -> Self {
        let rules = rules.into_iter().map(explained).collect();
        Self { version: 2, rules }
    }
}

/// A rule.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Explained {
    /// `group/name`.
    id: &'static str,
    /// Summary in one sentence.
    summary: String,
    /// Severity from v1.1.0: `error`, `warning` or `info`.
    severity: &'static str,
    /// Severity up to v1.0.x; null if the rule does not apply there.
    legacy_severity: Option<&'static str>,
    /// Later changes of the severity.
    later_severities: Vec<LaterSeverity>,
    /// True if `--strict` makes findings errors.
    is_error_with_strict: bool,
    /// How `check` can fix findings: `safe` (`--fix`), `unsafe` (`--unsafe-fixes`), or `safe or
    /// unsafe` depending on the finding; null if there is no fix.
    fixes: Option<&'static str>,
    /// Input the rule requires: `file`, `submission`, `tree`, or the `resources` of a cluster.
    scope: &'static str,
    /// gwconform version that introduced the rule.
    since: &'static str,
    /// Sources of the rule: sections of a GEP, of the reports README or of the implementer's guide,
    /// or functions of the suite.
    sources: Vec<&'static str>,
    /// Ids of related rules.
    related: Vec<&'static str>,
    /// Message templates; `{name}` is a placeholder.
    messages: Vec<&'static str>,
    /// Rule documentation in Markdown.
    page: &'static str,
}

/// Severity from a given minor.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct LaterSeverity {
    /// Minor, for example `v1.7`.
    since: String,
    /// `error`, `warning` or `info`.
    severity: &'static str,
}

fn explained(rule: &Rule) -> Explained {
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
        scope: rule.check.scope().as_str(),
        since: rule.since,
        sources: rule.sources(),
        related: rule.related(),
        messages: rule.messages().collect(),
        page: rule.doc,
    }
}
