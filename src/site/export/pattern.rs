use std::collections::BTreeMap;
use std::path::Path;

use super::documents::Documents;
use crate::api::Minor;
use crate::certify::catalog::is_file_name;

/// Output file name with one placeholder, such as `v{minor}.md`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    text: String,
    placeholder: Placeholder,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Placeholder {
    Minor,
    Implementation,
}

const PLACEHOLDERS: [(&str, Placeholder); 2] = [
    ("minor", Placeholder::Minor),
    ("implementation", Placeholder::Implementation),
];

/// Reasons why a pattern is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    /// The text has no placeholder.
    #[error("`{0}` has no placeholder; expected {{minor}} or {{implementation}}")]
    None(String),
    /// The text has more than one placeholder.
    #[error(
        "`{0}` has more than one placeholder; expected one of {{minor}} and {{implementation}}"
    )]
    Several(String),
    /// The placeholder is neither `minor` nor `implementation`.
    #[error(
        "`{{{name}}}` of `{text}` is not a placeholder; expected {{minor}} or {{implementation}}"
    )]
    Unknown {
        /// The pattern as written.
        text: String,
        /// Name between the braces.
        name: String,
    },
    /// A brace has no counterpart.
    #[error("`{0}` has an unmatched brace; expected a placeholder such as {{minor}}")]
    Brace(String),
}

/// One output file of a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instance {
    /// Output path, in which the placeholder is replaced.
    pub path: String,
    /// Template variables: `minor` (such as `v1.5`) or `implementation` (such as `acme/operator`).
    pub variables: BTreeMap<&'static str, String>,
}

impl Pattern {
    /// Parses a pattern such as `v{minor}.md`.
    pub fn parse(text: &str) -> Result<Self, PatternError> {
        let owned = || text.to_owned();
        let Some((before, rest)) = text.split_once('{') else {
            return Err(match text.contains('}') {
                true => PatternError::Brace(owned()),
                false => PatternError::None(owned()),
            });
        };
        let (name, after) = rest
            .split_once('}')
            .ok_or_else(|| PatternError::Brace(owned()))?;
        if before.contains('}') {
            return Err(PatternError::Brace(owned()));
        }
        let found = PLACEHOLDERS.iter().find(|(known, _)| *known == name);
        let (_, placeholder) = found.ok_or_else(|| PatternError::Unknown {
            text: owned(),
            name: name.to_owned(),
        })?;
        if after.contains(['{', '}']) {
            return Err(PatternError::Several(owned()));
        }
        Ok(Self {
            text: owned(),
            placeholder: *placeholder,
        })
    }

    /// Pattern for files in a folder. `None` if the folder path contains braces or is not UTF-8.
    pub fn in_folder(folder: &Path, name: &str) -> Option<Self> {
        Self::parse(folder.join(name).to_str()?).ok()
    }

    /// One output file per minor or implementation. Minors are written without `v` in paths, as in
    /// `1.5`.
    pub fn instances(&self, documents: &Documents) -> Vec<Instance> {
        let (name, values) = match self.placeholder {
            Placeholder::Minor => ("minor", documents.minors()),
            Placeholder::Implementation => ("implementation", documents.implementations()),
        };
        let braced = format!("{{{name}}}");
        let instance = |value: &String| {
            let in_path = match self.placeholder {
                Placeholder::Minor => value.trim_start_matches('v'),
                Placeholder::Implementation => value.as_str(),
            };
            Instance {
                path: self.text.replace(&braced, in_path),
                variables: BTreeMap::from([(name, value.clone())]),
            }
        };
        values.iter().map(instance).collect()
    }

    /// Folder of all outputs; `None` if a folder name contains the placeholder.
    pub fn folder(&self) -> Option<&Path> {
        let path = Path::new(&self.text);
        let folder = path.parent().unwrap_or(Path::new(""));
        (!folder.to_str()?.contains('{')).then_some(folder)
    }

    /// Depth of the outputs below [`Self::folder`]. An implementation has a folder and a file.
    pub fn depth(&self) -> usize {
        match self.placeholder {
            Placeholder::Minor => 1,
            Placeholder::Implementation => 2,
        }
    }

    /// True if some documents could produce this path below [`Self::folder`].
    pub fn can_be(&self, name: &str) -> bool {
        let own = Path::new(&self.text)
            .file_name()
            .and_then(|own| own.to_str());
        let value = || {
            let (before, rest) = own?.split_once('{')?;
            let (_, after) = rest.split_once('}')?;
            name.strip_prefix(before)?.strip_suffix(after)
        };
        value().is_some_and(|value| match self.placeholder {
            Placeholder::Minor => Minor::parse(&format!("v{value}")).is_some(),
            Placeholder::Implementation => {
                value
                    .split_once('/')
                    .is_some_and(|(organization, project)| {
                        is_file_name(organization) && is_file_name(project)
                    })
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Pattern, PatternError};

    #[test]
    fn names_of_other_documents_are_known() {
        let pages = Pattern::parse("pages/v{minor}.md").unwrap();
        assert_eq!(pages.folder(), Some(Path::new("pages")));
        assert!(pages.can_be("v1.10.md"));
        for other in [
            "_index.md",
            "v1.md",
            "vnew.md",
            "v1.5.html",
            "v.md",
            "1.5.md",
        ] {
            assert!(!pages.can_be(other), "{other}");
        }
        let each = Pattern::parse("{implementation}.md").unwrap();
        assert_eq!(each.folder(), Some(Path::new("")));
        assert!(each.can_be("istio/istio.md"));
        assert!(!each.can_be("istio.md"));
        assert!(!each.can_be("istio/_in.dex.md"));
        assert!(!each.can_be("_index.md"));
        assert!(!each.can_be(".md"));
        let deep = Pattern::parse("{implementation}/index.md").unwrap();
        assert_eq!(deep.folder(), None);
        assert!(!deep.can_be("index.md"));
    }

    #[test]
    fn one_known_placeholder_is_expected() {
        assert!(Pattern::parse("pages/v{minor}.md").is_ok());
        assert!(Pattern::parse("{implementation}/index.html").is_ok());
        let error = |text: &str| Pattern::parse(text).unwrap_err();
        assert_eq!(error("a.md"), PatternError::None("a.md".to_owned()));
        assert_eq!(error("a}.md"), PatternError::Brace("a}.md".to_owned()));
        assert_eq!(error("{minor"), PatternError::Brace("{minor".to_owned()));
        let twice = "{minor}{minor}";
        assert_eq!(error(twice), PatternError::Several(twice.to_owned()));
        assert_eq!(
            error("{release}.md").to_string(),
            "`{release}` of `{release}.md` is not a placeholder; expected {minor} or {implementation}"
        );
    }
}
