use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

use super::Config;
use crate::report::naming::folded_pair;
use crate::rules::ConfiguredNames;

/// Names of an implementation and how it is displayed. Reports with a similar name that is not
/// configured get no verdict.
#[derive(Debug, Clone, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Implementation {
    /// Organization, exactly as in the reports.
    pub organization: String,
    /// Project, exactly as in the reports.
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
    /// Former names. An entry is either `organization/project` exactly as in former reports, which
    /// then count for this implementation, or a former slug. URLs with former names redirect here,
    /// and unlisted implementations cannot take them.
    #[serde(default)]
    #[schemars(length(max = super::MAX_ENTRIES), extend("examples" = [["acme-inc/operator"]]))]
    pub aliases: Vec<String>,
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
        (&self.organization, &self.project)
    }

    /// Aliases in the form `organization/project`.
    pub fn former_names(&self) -> impl Iterator<Item = Pair<'_>> {
        let pairs = self
            .aliases
            .iter()
            .filter_map(|alias| alias.split_once('/'));
        pairs.filter(|(organization, project)| !organization.is_empty() && !project.is_empty())
    }
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
    /// Current and former names with their entries, current names first.
    pub fn names(&self) -> impl Iterator<Item = (Pair<'_>, &Implementation)> {
        let entries = || self.implementation.iter();
        let own = entries().map(|entry| (entry.pair(), entry));
        let former =
            entries().flat_map(|entry| entry.former_names().map(move |name| (name, entry)));
        own.chain(former)
    }

    /// If several entries have a name, the first one counts.
    pub fn by_name(&self) -> EntriesByName<'_> {
        let mut by_name = BTreeMap::new();
        for (name, entry) in self.names() {
            by_name.entry(folded_pair(name)).or_insert(entry);
        }
        EntriesByName(by_name)
    }

    /// Current names of all configured names.
    pub fn configured_names(&self) -> ConfiguredNames {
        let names = self.names();
        names.map(|(name, entry)| (name, entry.pair())).collect()
    }
}
