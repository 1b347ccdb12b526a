use super::{Catalog, Implementation};
use crate::text::suggest;
use crate::text::{joined, letters};

/// Reason why a name does not match exactly one implementation.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FindError {
    /// No implementation has the name.
    #[error("no implementation in this tree is named `{name}`{}", did_you_mean(.similar.as_deref()))]
    Unknown {
        /// Name that the user typed.
        name: String,
        /// Most similar known name.
        similar: Option<String>,
    },
    /// Most similar name.
    #[error("`{name}` names {} implementations; write {}", .candidates.len(), joined(.candidates, "or"))]
    Ambiguous {
        /// Name that the user typed.
        name: String,
        /// Slugs with the release of the newest report.
        candidates: Vec<String>,
    },
}

fn did_you_mean(similar: Option<&str>) -> String {
    similar.map_or_else(String::new, |name| format!("; did you mean `{name}`?"))
}

fn candidate(one: &Implementation<'_>) -> String {
    let minors = one
        .reports
        .iter()
        .filter_map(|report| report.judged.minor());
    match minors.max() {
        Some(newest) => format!("`{}` (newest report for {newest})", one.slug),
        None => format!("`{}`", one.slug),
    }
}

fn full_names(one: &Implementation<'_>) -> impl Iterator<Item = String> {
    let names = one.names();
    names.map(|(organization, project)| format!("{organization}/{project}"))
}

impl<'a> Catalog<'a> {
    /// Finds an implementation by slug, alias, `organization/project` (also former), project, or
    /// display name. Ambiguous names match if only one implementation has a report for a current
    /// minor.
    pub fn find(&self, name: &str) -> Result<&Implementation<'a>, FindError> {
        let all = &self.implementations;
        let is_slug = |one: &&Implementation<'_>| one.slug == name;
        let is_alias = |one: &&Implementation<'_>| one.aliases.iter().any(|alias| alias == name);
        if let Some(one) = all.iter().find(is_slug).or(all.iter().find(is_alias)) {
            return Ok(one);
        }
        let is_full = |one: &&Implementation<'_>| full_names(one).any(|full| full == name);
        let same_names: Vec<_> = all.iter().filter(is_full).collect();
        let is_alone = |one: &&Implementation<'_>| one.project == name || one.name == name;
        let same_projects: Vec<_> = all.iter().filter(is_alone).collect();
        let several = match (same_names.as_slice(), same_projects.as_slice()) {
            ([one], _) | ([], [one]) => return Ok(one),
            ([], []) => return Err(self.unknown(name)),
            ([], several) | (several, _) => several,
        };
        let current = self.current_minors();
        let is_current = |one: &&&Implementation<'_>| {
            let mut minors = one
                .reports
                .iter()
                .filter_map(|report| report.judged.minor());
            minors.any(|minor| current.contains(&minor))
        };
        let mut with_current = several.iter().filter(is_current);
        if let (Some(one), None) = (with_current.next(), with_current.next()) {
            return Ok(one);
        }
        Err(FindError::Ambiguous {
            name: name.to_owned(),
            candidates: several.iter().map(|one| candidate(one)).collect(),
        })
    }

    fn unknown(&self, name: &str) -> FindError {
        let all = &self.implementations;
        let mut names: Vec<String> = all.iter().map(|one| one.slug.clone()).collect();
        names.extend(all.iter().flat_map(|one| one.aliases.clone()));
        names.extend(all.iter().flat_map(full_names));
        names.extend(all.iter().map(|one| one.project.to_string()));
        names.extend(all.iter().map(|one| one.name.clone()));
        let known = || names.iter().map(String::as_str);
        let wanted = letters(name);
        let holds = |known: &&str| wanted.len() >= 3 && letters(known).contains(&wanted);
        let similar = suggest::nearest(name, known()).or_else(|| known().find(holds));
        FindError::Unknown {
            name: name.to_owned(),
            similar: similar.map(str::to_owned),
        }
    }
}
