use std::collections::{BTreeMap, BTreeSet};

use super::confusable::looks;
use crate::report::facts::ReportFacts;
use crate::report::naming::{folded, folded_pair};

type Name<'n> = (&'n str, &'n str);
type OwnedName = (String, String);

/// Implementation names in the configuration, in any spelling.
#[derive(Debug, Clone, Default)]
pub struct ConfiguredNames {
    usual: BTreeMap<OwnedName, OwnedName>,
    organizations: BTreeSet<String>,
    looks: BTreeMap<(usize, String, String), OwnedName>,
}

impl<'n> FromIterator<(Name<'n>, Name<'n>)> for ConfiguredNames {
    /// Pairs of a current or former name and the current name.
    fn from_iter<I: IntoIterator<Item = (Name<'n>, Name<'n>)>>(names: I) -> Self {
        let mut all = Self::default();
        for (name, usual) in names {
            let usual = (usual.0.to_owned(), usual.1.to_owned());
            all.organizations.insert(folded(name.0));
            all.usual.entry(folded_pair(name)).or_insert(usual);
            let own = (name.0.to_owned(), name.1.to_owned());
            for look in looks_of(name) {
                all.looks.entry(look).or_insert_with(|| own.clone());
            }
        }
        all
    }
}

impl ConfiguredNames {
    /// Returns the configured current name, or `name` itself.
    pub fn usual<'n>(&'n self, name: Name<'n>) -> Name<'n> {
        if self.usual.is_empty() {
            return name;
        }
        let usual = self.usual.get(&folded_pair(name));
        usual.map_or(name, |(organization, project)| (organization, project))
    }

    /// Like [`Self::usual`], for a report. `None` if organization or project is missing.
    pub fn of<'n>(&'n self, report: &'n ReportFacts) -> Option<Name<'n>> {
        Some(self.usual((report.organization()?, report.project()?)))
    }

    /// Organization and project, with configured names applied and spelling normalized. `None` if the
    /// report lacks either field.
    pub fn folded(&self, report: &ReportFacts) -> Option<OwnedName> {
        Some(folded_pair(self.of(report)?))
    }

    /// True for current and former names.
    pub fn has(&self, name: Name<'_>) -> bool {
        self.usual.contains_key(&folded_pair(name))
    }

    /// True if a name of the organization is configured.
    pub(crate) fn has_organization(&self, organization: &str) -> bool {
        self.organizations.contains(&folded(organization))
    }

    /// Configured name that `name` looks like. `None` if `name` is configured.
    pub(crate) fn look_alike(&self, name: Name<'_>) -> Option<Name<'_>> {
        if self.looks.is_empty() || self.has(name) {
            return None;
        }
        let mut found = looks_of(name).filter_map(|look| self.looks.get(&look));
        found
            .next()
            .map(|(organization, project)| (&**organization, &**project))
    }
}

fn looks_of((organization, project): Name<'_>) -> impl Iterator<Item = (usize, String, String)> {
    let both = looks(organization).into_iter().zip(looks(project));
    both.enumerate()
        .map(|(nth, (organization, project))| (nth, organization, project))
}
