//! Which rules run, and how bad their findings are.

use crate::diagnostic::Severity;
use crate::rules::{self, Rule};

/// What the command line (and, one day, a configuration file) says about the rules.
#[derive(Debug, Clone)]
pub struct Settings {
    selected: Vec<&'static Rule>,
    is_strict: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            selected: rules::ALL.to_vec(),
            is_strict: false,
        }
    }
}

/// A selector that names no rule and no group.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no rule or group of rules is named `{name}`{}", .nearest.as_ref().map(|nearest| format!("; did you mean `{nearest}`?")).unwrap_or_default())]
pub struct UnknownSelector {
    /// The selector.
    pub name: String,
    /// A rule or group with nearly that name.
    pub nearest: Option<String>,
}

impl Settings {
    /// The rules whose id or group is in `select` (all, when it is empty) and not in `ignore`;
    /// `is_strict` makes errors of what a strict reviewer would send back.
    ///
    /// # Errors
    /// A selector that names nothing.
    pub fn new(
        select: &[String],
        ignore: &[String],
        is_strict: bool,
    ) -> Result<Self, UnknownSelector> {
        if let Some(name) = select
            .iter()
            .chain(ignore)
            .find(|name| !rules::is_selector(name))
        {
            let known = rules::ALL.iter().flat_map(|rule| [rule.id, rule.group()]);
            let nearest = crate::suggest::nearest(name, known).map(str::to_owned);
            return Err(UnknownSelector {
                name: name.clone(),
                nearest,
            });
        }
        let names =
            |list: &[String], rule: &Rule| list.iter().any(|selector| rule.is_named_by(selector));
        let selected = rules::ALL.iter().copied();
        let selected = selected
            .filter(|rule| (select.is_empty() || names(select, rule)) && !names(ignore, rule));
        Ok(Self {
            selected: selected.collect(),
            is_strict,
        })
    }

    /// The rules that run, by id.
    pub fn selected(&self) -> impl Iterator<Item = &'static Rule> {
        self.selected.iter().copied()
    }

    /// How bad a finding of a rule is; `None` when the rule does not hold there. `policy` is what
    /// the registry says about the release.
    pub fn severity(
        &self,
        rule: &Rule,
        is_legacy: bool,
        policy: Option<Severity>,
    ) -> Option<Severity> {
        let severity = if is_legacy {
            rule.legacy?
        } else {
            policy.unwrap_or(rule.severity)
        };
        let is_raised = self.is_strict && rule.strict && !is_legacy;
        Some(if is_raised { Severity::Error } else { severity })
    }
}
