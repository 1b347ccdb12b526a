//! Rules as JSON.

use serde::Serialize;

use crate::release::Registry;
use crate::rules::{Fixes, Rule};
use crate::text::diagnostic::Severity;

/// What `gwconform explain --format json` prints.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "Rules of gwconform"))]
pub struct Rules {
    /// Version of this format.
    #[cfg_attr(test, schemars(extend("const" = 2)))]
    version: u32,
    /// The rules by id.
    rules: Vec<Explained>,
}

impl Rules {
    /// The document of some rules.
    pub fn new(rules: Vec<&'static Rule>) -> Self {
        let rules = rules.into_iter().map(explained).collect();
        Self { version: 2, rules }
    }
}

/// One rule.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Explained {
    /// `group/name`.
    id: &'static str,
    /// Its summary, one sentence.
    summary: String,
    /// How bad a finding is from v1.1.0 on: `error`, `warning` or `info`.
    severity: &'static str,
    /// How bad it is up to v1.0.x; null when the rule does not hold there.
    legacy_severity: Option<&'static str>,
    /// Releases from which on the severity is another.
    later_severities: Vec<LaterSeverity>,
    /// True when `--strict` makes an error of it.
    is_error_with_strict: bool,
    /// How `check` can fix its findings: `safe` (`--fix`), `unsafe` (`--unsafe-fixes`), or `safe or
    /// unsafe`, depending on the finding; null when they must be fixed by hand.
    fixes: Option<&'static str>,
    /// How much must be there for the rule to run: `file`, `submission` or `tree`, or the
    /// `resources` of a cluster.
    scope: &'static str,
    /// The version of gwconform that the rule came with.
    since: &'static str,
    /// What the rule follows: sections of a GEP, of the reports README or of the implementer's guide,
    /// functions of the suite.
    sources: Vec<&'static str>,
    /// Ids of rules about the same.
    related: Vec<&'static str>,
    /// All that the rule can print; `{name}` stands for a value.
    messages: Vec<&'static str>,
    /// The rule's page, Markdown.
    page: &'static str,
}

/// The severity of a rule from a minor on.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct LaterSeverity {
    /// The minor: `v1.7`.
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
