use crate::api::{Minor, Shape};
use crate::release::Registry;
use crate::rules::configuration::{Config, RuleSeverity};
use crate::rules::{self, ConfiguredNames, Rule};
use crate::text::diagnostic::Severity;

/// Rule settings from the command line and the configuration.
#[derive(Debug, Clone)]
pub struct Settings {
    selected: Vec<&'static Rule>,
    /// Sorted by rule id. A linear search is fast, because few rules are configured.
    configured: Vec<(&'static str, RuleSeverity)>,
    error_since: Vec<(&'static str, Minor)>,
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

/// Selector that matches no rule and no group.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown rule or group `{name}` (see `gwconform explain`){hint}")]
pub struct UnknownSelector {
    /// Selector, as written by the user.
    pub name: String,
    hint: String,
}

/// Rules selected on the command line.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    select: Vec<String>,
    ignore: Vec<String>,
    strictness: Strictness,
}

/// Severity of rules that `--strict` raises.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Strictness {
    /// Findings keep their default severity.
    #[default]
    Normal,
    /// Findings are errors, as with `--strict`.
    Strict,
}

impl Selection {
    /// Selects rules by id or group: those in `select` (all if empty) but not in `ignore`.
    ///
    /// # Errors
    /// Returns the first unknown selector.
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

    /// Replaces the default strictness, [`Strictness::Normal`].
    #[must_use]
    pub fn with(self, strictness: Strictness) -> Self {
        Self { strictness, ..self }
    }
}

impl Settings {
    /// Rules that `config` turns off still run if the command line selects them.
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
            names: config.configured_names(),
            is_strict: *strictness == Strictness::Strict,
        }
    }

    /// Copy that selects all rules, to detect new findings.
    pub fn with_all_rules(&self) -> Self {
        Self {
            selected: rules::ALL.to_vec(),
            ..self.clone()
        }
    }

    /// Selected rules, sorted by id.
    pub fn selected(&self) -> &[&'static Rule] {
        &self.selected
    }

    /// Implementation names that the configuration lists.
    pub fn names(&self) -> &ConfiguredNames {
        &self.names
    }

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

    pub(crate) fn current(&self, rule: &Rule) -> Option<Severity> {
        self.severity(rule, Shape::Current, None)
    }

    /// `None` if the rule does not apply. `policy` replaces the default severity.
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
