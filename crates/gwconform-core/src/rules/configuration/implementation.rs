//! The implementations that a configuration names.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

use super::Config;

/// The names of one implementation, and how it is shown. It owns these names and its runs of the suite:
/// other implementations that claim them are disputed.
#[derive(Debug, Clone, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Implementation {
    /// The organization, exactly as in its reports.
    pub organization: String,
    /// The project, exactly as in its reports.
    pub project: String,
    /// The name to show.
    #[serde(default)]
    pub name: Option<String>,
    /// What it is, in a sentence.
    #[serde(default)]
    pub description: Option<String>,
    /// Its website or documentation.
    #[serde(default)]
    #[schemars(with = "Option<String>", extend("format" = "uri", "examples" = ["https://acme.example/docs"]))]
    pub url: Option<Spanned<String>>,
    /// Former names: `organization/project` exactly as in former reports, which then belong to this
    /// implementation, or a former slug alone. Their addresses lead here, and no implementation that
    /// is not named in this file gets one of them.
    #[serde(default)]
    #[schemars(length(max = super::MAX_ENTRIES), extend("examples" = [["acme-inc/operator"]]))]
    pub aliases: Vec<String>,
}

/// Organization and project.
pub type Pair<'a> = (&'a str, &'a str);

impl Implementation {
    /// Its organization and project.
    pub fn pair(&self) -> Pair<'_> {
        (&self.organization, &self.project)
    }

    /// The aliases that are an organization and a project.
    pub fn former_names(&self) -> impl Iterator<Item = Pair<'_>> {
        let pairs = self
            .aliases
            .iter()
            .filter_map(|alias| alias.split_once('/'));
        pairs.filter(|(organization, project)| !organization.is_empty() && !project.is_empty())
    }
}

impl Config {
    /// The entries by each organization and project that they name: own names before former ones, of
    /// several entries with one name the first.
    pub fn by_name(&self) -> BTreeMap<Pair<'_>, &Implementation> {
        let entries = || self.implementation.iter();
        let own = entries().map(|entry| (entry.pair(), entry));
        let former =
            entries().flat_map(|entry| entry.former_names().map(move |name| (name, entry)));
        let mut by_name = BTreeMap::new();
        for (name, entry) in own.chain(former) {
            by_name.entry(name).or_insert(entry);
        }
        by_name
    }
}
