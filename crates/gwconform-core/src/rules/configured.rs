use std::collections::BTreeMap;

use crate::report::facts::ReportFacts;

type Name<'n> = (&'n str, &'n str);

/// Implementation names in the configuration. A configured name is owned by its entry.
#[derive(Debug, Clone, Default)]
pub struct ConfiguredNames {
    own: BTreeMap<String, BTreeMap<String, (String, String)>>,
}

impl<'n> FromIterator<(Name<'n>, Name<'n>)> for ConfiguredNames {
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
    /// Returns the configured current name, or `name` itself.
    pub fn usual<'n>(&'n self, name: Name<'n>) -> Name<'n> {
        let (organization, project) = name;
        let own = self.own.get(organization).and_then(|of| of.get(project));
        own.map_or(name, |(organization, project)| (organization, project))
    }

    /// Like [`Self::usual`], for a report. `None` if organization or project is missing.
    pub fn of<'n>(&'n self, report: &'n ReportFacts) -> Option<Name<'n>> {
        Some(self.usual((report.organization()?, report.project()?)))
    }

    /// True if a name is configured. If `project` is `None`, any project of the organization
    /// matches.
    pub fn has(&self, organization: &str, project: Option<&str>) -> bool {
        let projects = self.own.get(organization);
        projects.is_some_and(|of| project.is_none_or(|project| of.contains_key(project)))
    }
}
