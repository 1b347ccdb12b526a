use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

use super::{Config, ConfigError};
use crate::report::naming::folded_pair;
use crate::rules::ConfiguredNames;
use gwconform_base::text::diagnostic::in_code;

/// Names of an implementation and how it is displayed. Reports with a similar name that is not
/// configured get no verdict.
#[derive(Debug, Clone, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Implementation {
    /// Organization, as displayed.
    #[schemars(with = "String")]
    pub organization: Spanned<String>,
    /// Project, as displayed.
    pub project: String,
    /// Display name of the implementation.
    #[serde(default)]
    pub name: Option<String>,
    /// One-sentence description.
    #[serde(default)]
    pub description: Option<String>,
    /// URL of the website or documentation.
    #[serde(default)]
    #[schemars(with = "Option<String>", extend("format" = "uri", "examples" = ["https://acme.example/docs"]))]
    pub url: Option<Spanned<String>>,
    /// Former names, as `organization/project`. Reports with these names count for this
    /// implementation, and URLs with these names redirect to it.
    #[serde(default)]
    #[schemars(with = "Vec<String>", length(max = super::MAX_ENTRIES), extend("examples" = [["acme-inc/operator"]]))]
    pub aliases: Vec<Spanned<String>>,
    /// Products that contain the implementation. Commands and searches find the implementation by
    /// these names.
    #[serde(default)]
    #[schemars(length(max = super::MAX_ENTRIES), extend("examples" = [["Acme Cloud"]]))]
    pub products: Vec<String>,
}

/// Organization and project of an implementation.
pub type Pair<'a> = (&'a str, &'a str);

impl Implementation {
    /// Current organization and project.
    pub fn pair(&self) -> Pair<'_> {
        (self.organization.get_ref(), &self.project)
    }

    /// Aliases, as organization and project.
    pub(crate) fn former_names(&self) -> impl Iterator<Item = Pair<'_>> {
        self.aliases
            .iter()
            .filter_map(|alias| pair(alias.get_ref()))
    }

    /// Alias to write instead of a text that is not an organization and a project.
    fn alias_like<'t>(&'t self, text: &'t str) -> String {
        let parts = text.split_once('/').or_else(|| text.split_once('-'));
        let (organization, project) = parts.unwrap_or(("", text));
        let or_own = |part: &'t str, own| if part.trim().is_empty() { own } else { part };
        let own = self.pair();
        format!("{}/{}", or_own(organization, own.0), or_own(project, own.1))
    }
}

/// `None` if the organization or the project is empty.
fn pair(alias: &str) -> Option<Pair<'_>> {
    let (organization, project) = alias.split_once('/')?;
    let has_both = !organization.trim().is_empty() && !project.trim().is_empty();
    has_both.then_some((organization, project))
}

/// Entries by current and former names, in any spelling.
#[derive(Debug)]
pub struct EntriesByName<'c>(BTreeMap<(String, String), &'c Implementation>);

impl<'c> EntriesByName<'c> {
    /// Entry with the current or former name.
    pub fn entry(&self, name: Pair<'_>) -> Option<&'c Implementation> {
        if self.0.is_empty() {
            return None;
        }
        self.0.get(&folded_pair(name)).copied()
    }

    /// Current name, or `name` itself if it is not configured.
    pub fn current<'n>(&self, name: Pair<'n>) -> Pair<'n>
    where
        'c: 'n,
    {
        self.entry(name).map_or(name, Implementation::pair)
    }
}

impl Config {
    /// Current and former names with their entries.
    pub fn names(&self) -> impl Iterator<Item = (Pair<'_>, &Implementation)> {
        self.implementation.iter().flat_map(|entry| {
            let names = [entry.pair()].into_iter().chain(entry.former_names());
            names.map(move |name| (name, entry))
        })
    }

    /// Entries by their names.
    pub fn by_name(&self) -> EntriesByName<'_> {
        let names = self.names();
        EntriesByName(
            names
                .map(|(name, entry)| (folded_pair(name), entry))
                .collect(),
        )
    }

    pub(super) fn name_errors(&self) -> Vec<ConfigError> {
        let mut errors = Vec::new();
        let mut known: BTreeMap<(String, String), (usize, Pair<'_>)> = BTreeMap::new();
        for (at, entry) in self.implementation.iter().enumerate() {
            let mut names = vec![(entry.organization.span(), entry.pair())];
            for alias in &entry.aliases {
                let text = alias.get_ref();
                if let Some(name) = pair(text) {
                    names.push((alias.span(), name));
                    continue;
                }
                let message = format!(
                    "`{}` is not an organization and a project; expected an alias such as `{}`",
                    in_code(text),
                    in_code(&entry.alias_like(text))
                );
                errors.push((alias.span(), message));
            }
            for (span, name) in names {
                let (first, other) = *known.entry(folded_pair(name)).or_insert((at, name));
                if first != at {
                    let message = format!(
                        "`{}` is the same name as `{}` of another entry; expected each name in one entry",
                        in_code(&format!("{}/{}", name.0, name.1)),
                        in_code(&format!("{}/{}", other.0, other.1))
                    );
                    errors.push((span, message));
                }
            }
        }
        errors
    }

    /// Current names of all configured names.
    pub(crate) fn configured_names(&self) -> ConfiguredNames {
        let names = self.names();
        names.map(|(name, entry)| (name, entry.pair())).collect()
    }
}
