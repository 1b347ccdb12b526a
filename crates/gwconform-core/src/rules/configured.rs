//! The names of implementations that a configuration has.

use std::collections::BTreeMap;

use crate::report::facts::ReportFacts;

/// Organization and project.
type Name<'n> = (&'n str, &'n str);

/// Which names are one implementation's by a configuration. The person who writes it vouches for
/// them, so they are the only names whose owner does not rest on what reports state.
#[derive(Debug, Clone, Default)]
pub struct ConfiguredNames {
    /// By organization and project, the implementation's own name.
    own: BTreeMap<String, BTreeMap<String, (String, String)>>,
}

impl<'n> FromIterator<(Name<'n>, Name<'n>)> for ConfiguredNames {
    /// From each name, own or former, with the own name of its implementation.
    fn from_iter<I: IntoIterator<Item = (Name<'n>, Name<'n>)>>(names: I) -> Self {
        let mut own: BTreeMap<String, BTreeMap<_, _>> = BTreeMap::new();
        for ((organization, project), (own_organization, own_project)) in names {
            let projects = own.entry(organization.to_owned()).or_default();
            let name = (own_organization.to_owned(), own_project.to_owned());
            projects.insert(project.to_owned(), name);
        }
        Self { own }
    }
}

impl ConfiguredNames {
    /// The own name of the implementation that has a name; the name itself where the configuration
    /// has none.
    pub fn usual<'n>(&'n self, name: Name<'n>) -> Name<'n> {
        let (organization, project) = name;
        let own = self.own.get(organization).and_then(|of| of.get(project));
        own.map_or(name, |(organization, project)| (organization, project))
    }

    /// The same of a report; `None` without an organization or a project.
    pub fn of<'n>(&'n self, report: &'n ReportFacts) -> Option<Name<'n>> {
        Some(self.usual((report.organization()?, report.project()?)))
    }

    /// True where the configuration has the name, or for an organization without a project one of
    /// its projects.
    pub fn has(&self, organization: &str, project: Option<&str>) -> bool {
        let projects = self.own.get(organization);
        projects.is_some_and(|of| project.is_none_or(|project| of.contains_key(project)))
    }
}
