//! Which rules run, and how bad their findings are.

use crate::api::{Minor, Shape};
use crate::release::Registry;
use crate::rules::configuration::{Config, RuleSeverity};
use crate::rules::{self, ConfiguredNames, Rule};
use crate::text::diagnostic::Severity;

/// What the command line and the configuration say about the rules.
#[derive(Debug, Clone)]
pub struct Settings {
    selected: Vec<&'static Rule>,
    /// The configured severities, by rule id: few or none.
    configured: Vec<(&'static str, RuleSeverity)>,
    /// The minors from which on findings are errors, by rule id: few or none.
    error_since: Vec<(&'static str, Minor)>,
    /// The names that the configuration has.
    names: ConfiguredNames,
    is_strict: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            selected: rules::ALL.to_vec(),
            configured: Vec::new(),
            error_since: Vec::new(),
            names: ConfiguredNames::default(),
            is_strict: false,
        }
    }
}

/// A selector that names no rule and no group.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown rule or group `{name}` (see `gwconform explain`){hint}")]
pub struct UnknownSelector {
    /// The selector.
    pub name: String,
    /// `; did you mean …?`, or nothing.
    hint: String,
}

/// Rules by id or group, as the command line names them.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    select: Vec<String>,
    ignore: Vec<String>,
    strictness: Strictness,
}

/// How warnings count that a strict reviewer would reject.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Strictness {
    /// As warnings.
    #[default]
    Normal,
    /// As errors.
    Strict,
}

impl Selection {
    /// The rules whose id or group is in `select` (all, when it is empty) and not in `ignore`.
    ///
    /// # Errors
    /// A selector that names nothing.
    pub fn new(select: &[String], ignore: &[String]) -> Result<Self, UnknownSelector> {
        let mut selectors = select.iter().chain(ignore);
        match selectors.find(|name| !rules::is_selector(name)) {
            Some(name) => Err(UnknownSelector {
                name: name.clone(),
                hint: rules::hint(name),
            }),
            None => Ok(Self {
                select: select.to_vec(),
                ignore: ignore.to_vec(),
                strictness: Strictness::Normal,
            }),
        }
    }

    /// The same rules, more or less strict.
    #[must_use]
    pub fn with(self, strictness: Strictness) -> Self {
        Self { strictness, ..self }
    }
}

impl Settings {
    /// The rules of `selection`. Where that selects none by name, those that `config` does not
    /// switch off; what the command line selects runs all the same.
    pub fn new(selection: &Selection, config: &Config) -> Self {
        let Selection {
            select,
            ignore,
            strictness,
        } = selection;
        let names = |list: &[String], rule: &Rule| list.iter().any(|name| rule.is_named_by(name));
        let is_off = |rule: &Rule| config.severity_of(rule) == Some(RuleSeverity::Off);
        let is_selected = |rule: &Rule| match select.as_slice() {
            [] => !is_off(rule),
            select => names(select, rule),
        };
        let selected = rules::ALL
            .iter()
            .copied()
            .filter(|rule| is_selected(rule) && !names(ignore, rule));
        Self {
            selected: selected.collect(),
            configured: rules::ALL
                .iter()
                .filter_map(|rule| Some((rule.id, config.severity_of(rule)?)))
                .collect(),
            error_since: rules::ALL
                .iter()
                .filter_map(|rule| Some((rule.id, config.error_since(rule)?)))
                .collect(),
            names: config
                .by_name()
                .into_iter()
                .map(|(name, entry)| (name, entry.pair()))
                .collect(),
            is_strict: *strictness == Strictness::Strict,
        }
    }

    /// The same with all rules: a fix for one must not add a finding of another.
    pub fn with_all_rules(&self) -> Self {
        Self {
            selected: rules::ALL.to_vec(),
            ..self.clone()
        }
    }

    /// The rules that run, by id.
    pub fn selected(&self) -> &[&'static Rule] {
        &self.selected
    }

    /// The names that the configuration has.
    pub fn names(&self) -> &ConfiguredNames {
        &self.names
    }

    /// The severity that configuration or the registry has for a rule in the reports of a minor.
    pub(crate) fn policy(
        &self,
        rule: &Rule,
        minor: Option<Minor>,
        registry: &Registry,
    ) -> Option<Severity> {
        let minor = minor?;
        let mut since = self.error_since.iter();
        let is_error = since.any(|(id, since)| *id == rule.id && *since <= minor);
        is_error
            .then_some(Severity::Error)
            .or_else(|| registry.severity(rule.id, minor))
    }

    /// How bad a finding of a rule is that is not about one report.
    pub(crate) fn current(&self, rule: &Rule) -> Option<Severity> {
        self.severity(rule, Shape::Current, None)
    }

    /// How bad a finding of a rule is; `None` when the rule does not hold there. `policy` is what
    /// `policy` gives.
    pub fn severity(
        &self,
        rule: &Rule,
        shape: Shape,
        policy: Option<Severity>,
    ) -> Option<Severity> {
        let by_default = match shape {
            Shape::Legacy => rule.legacy?,
            Shape::Current => policy.unwrap_or(rule.severity),
        };
        let configured = self
            .configured
            .iter()
            .find(|(id, _)| *id == rule.id)
            .and_then(|(_, severity)| severity.severity());
        let is_raised = self.is_strict && rule.strict && shape == Shape::Current;
        Some(match configured {
            Some(severity) => severity,
            None if is_raised => Severity::Error,
            None => by_default,
        })
    }
}
