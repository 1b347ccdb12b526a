use crate::rules::configuration::{Config, RuleSeverity};
use crate::rules::{self, About, ConfiguredNames};
use gwconform_base::api::{Minor, Shape};
use gwconform_base::release::Registry;
use gwconform_base::text::diagnostic::Severity;

/// Rule settings from the command line and the configuration.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    selection: Selection,
    /// True if the selection and the configuration turn no rule off.
    runs_all: bool,
    /// Severities by rule or group. A linear search is fast, because few rules are configured.
    configured: Vec<(String, RuleSeverity)>,
    error_since: Vec<(String, Minor)>,
    names: ConfiguredNames,
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
    /// Selects from `all` rules by id or group: those in `select` (all if empty) but not in `ignore`.
    ///
    /// # Errors
    /// Returns the first unknown selector.
    pub fn new(
        select: &[String],
        ignore: &[String],
        all: &[&About],
    ) -> Result<Self, UnknownSelector> {
        let mut selectors = select.iter().chain(ignore);
        match selectors.find(|name| !rules::is_selector(all, name)) {
            Some(name) => Err(UnknownSelector {
                name: name.clone(),
                hint: rules::hint(all, name),
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
        let configured = config.rules.iter();
        let configured = configured.map(|(name, severity)| (name.get_ref().clone(), *severity));
        Self {
            selection: selection.clone(),
            runs_all: false,
            configured: configured.collect(),
            error_since: config.error_since(),
            names: config.configured_names(),
        }
    }

    /// Copy that selects all rules, to detect new findings.
    pub(crate) fn with_all_rules(&self) -> Self {
        Self {
            runs_all: true,
            ..self.clone()
        }
    }

    /// Whether a rule runs.
    pub fn is_selected(&self, rule: &About) -> bool {
        let Selection { select, ignore, .. } = &self.selection;
        let names = |list: &[String]| list.iter().any(|name| rule.is_named_by(name));
        let is_named = if select.is_empty() {
            self.configured(rule) != Some(RuleSeverity::Off)
        } else {
            names(select)
        };
        self.runs_all || is_named && !names(ignore)
    }

    /// Severity of a rule or, by default, of its group.
    fn configured(&self, rule: &About) -> Option<RuleSeverity> {
        let entries = self.configured.iter();
        let of_rule = entries.clone().find(|(key, _)| key == rule.id);
        let found = of_rule.or_else(|| entries.clone().find(|(key, _)| rule.is_named_by(key)));
        found.map(|(_, severity)| *severity)
    }

    /// Implementation names that the configuration lists.
    pub fn names(&self) -> &ConfiguredNames {
        &self.names
    }

    pub(crate) fn policy(
        &self,
        rule: &About,
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

    /// Severity in folders for v1.1.0 and later, without a policy.
    pub fn current(&self, rule: &About) -> Option<Severity> {
        self.severity(rule, Shape::Current, None)
    }

    /// These settings with `--strict`.
    #[must_use]
    pub fn strict(&self) -> Self {
        let selection = self.selection.clone().with(Strictness::Strict);
        Self {
            selection,
            ..self.clone()
        }
    }

    /// `None` if the rule does not apply. `policy` replaces the default severity.
    pub fn severity(
        &self,
        rule: &About,
        shape: Shape,
        policy: Option<Severity>,
    ) -> Option<Severity> {
        let by_default = match shape {
            Shape::Legacy => rule.legacy?,
            Shape::Current => policy.unwrap_or(rule.severity),
        };
        let configured = self.configured(rule).and_then(RuleSeverity::severity);
        let is_strict = self.selection.strictness == Strictness::Strict;
        let is_raised = is_strict && rule.strict && shape == Shape::Current;
        Some(match configured {
            Some(severity) => severity,
            None if is_raised => Severity::Error,
            None => by_default,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::{Selection, Settings};
    use crate::rules::{ALL, configuration, find};
    use gwconform_base::text::source::Source;

    #[test]
    fn runs_rules_that_are_off_with_their_own_severity() {
        let text = "[rules]\nreport = \"info\"\n\"report/date\" = \"off\"\n";
        let source = Source::new("gwconform.toml", text.into());
        let file = configuration::parse(source, PathBuf::from("/"), &ALL).unwrap();
        let settings = Settings::new(&Selection::default(), &file.config);
        let rule = find(&ALL, "report/date").unwrap();
        assert!(!settings.is_selected(rule));
        let all = settings.with_all_rules();
        assert!(all.is_selected(rule));
        assert_eq!(all.current(rule), Some(rule.severity));
    }
}
