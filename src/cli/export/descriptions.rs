//! Reads the details files of implementations and integrations.

use std::path::{Path, PathBuf};

use serde_json::json;

use super::Arguments;
use crate::certify::catalog::{Catalog, derived_name, slug};
use crate::certify::details::{self, Details};
use crate::cli::{Failure, Streams};
use crate::review::lists;
use crate::rules::check::Skipped;
use crate::site::export::{Description, separate};
use crate::text::visible;
use crate::tree::files::{FileKind, PathError};
use crate::tree::readme::included::{included, one_line};
use crate::workspace::Base;

/// Level of the headings above descriptions.
const HEADING: u8 = 3;

pub struct Descriptions {
    implementations: Option<Read>,
    integrations: Option<Read>,
}

struct Read {
    folder: String,
    details: Vec<Details>,
    unused: Vec<Skipped>,
}

impl Descriptions {
    pub fn read(arguments: &Arguments, base: &Base) -> Result<Self, Failure> {
        let read = |folder: &PathBuf| Read::try_new(folder, base);
        let beside = arguments.details.as_deref().and_then(|folder| {
            let folder = base.absolute(folder).parent()?.join("integrations");
            let kind = base.files().kind_of(&folder);
            matches!(kind, Ok(FileKind::Folder)).then_some(folder)
        });
        let integrations = arguments.integrations.as_ref().or(beside.as_ref());
        Ok(Self {
            implementations: arguments.details.as_ref().map(read).transpose()?,
            integrations: integrations.map(read).transpose()?,
        })
    }

    pub fn implementations(&self) -> Option<&[Details]> {
        self.implementations
            .as_ref()
            .map(|read| read.details.as_slice())
    }

    pub fn warn(&self, catalog: &Catalog<'_>, streams: &mut Streams<'_>) -> Result<(), Failure> {
        let mut lines = Vec::new();
        if let Some(read) = &self.implementations {
            let problems = lists::check_details(&read.details, &read.unused, &read.folder, catalog);
            let problems = problems.into_iter();
            lines.extend(problems.map(|problem| format!("{}: {}", problem.path, problem.message)));
        }
        for skipped in self.integrations.iter().flat_map(|read| &read.unused) {
            lines.push(format!(
                "{}: cannot be used: {}",
                skipped.path, skipped.reason
            ));
        }
        for line in lines {
            writeln!(streams.stderr, "warning: {}", visible(&line))?;
        }
        Ok(())
    }

    /// Separates the descriptions of the catalog and of integrations ([`separate`]). Returns the
    /// integrations as a document for templates.
    pub fn separate(&self, catalog: &mut Catalog<'_>, around: &[&str]) -> serde_json::Value {
        let mut integrations: Vec<Integration<'_>> = self
            .integrations
            .iter()
            .flat_map(|read| read.details.iter().map(Integration::new))
            .collect();
        integrations.sort_by_cached_key(|one| (one.name.to_lowercase(), one.slug.clone()));
        let of_catalog = catalog.implementations.iter_mut().filter_map(|one| {
            let text = one.description_markdown.as_mut()?;
            Some(Description {
                slug: &one.slug,
                text,
            })
        });
        let mut all: Vec<Description<'_>> = of_catalog.collect();
        all.extend(integrations.iter_mut().filter_map(|one| {
            let text = one.markdown.as_mut()?;
            Some(Description {
                slug: &one.slug,
                text,
            })
        }));
        separate(&mut all, around);
        let documents = integrations.iter().map(Integration::document);
        serde_json::Value::Array(documents.collect())
    }
}

impl Read {
    fn try_new(folder: &Path, base: &Base) -> Result<Self, Failure> {
        let path = base.absolute(folder);
        let folder = base.display(&path);
        let display = |path: &Path| base.display(path);
        let read = details::load_folder(base.files(), &path, &display);
        let (details, unused) =
            read.map_err(|error| PathError::new(&folder, error, "a folder of details.yaml"))?;
        Ok(Self {
            folder,
            details,
            unused,
        })
    }
}

struct Integration<'d> {
    details: &'d Details,
    name: String,
    slug: String,
    markdown: Option<String>,
}

impl<'d> Integration<'d> {
    fn new(details: &'d Details) -> Self {
        let (organization, project) = (details.organization.as_str(), details.project.as_str());
        let derived = || derived_name(organization, project);
        let description = details.description.as_deref();
        Self {
            details,
            name: details.full_name.clone().unwrap_or_else(derived),
            slug: slug(&[organization, project]),
            markdown: description.map(|text| included(text, HEADING)),
        }
    }

    fn document(&self) -> serde_json::Value {
        json!({
            "integration": self.slug,
            "organization": self.details.organization,
            "project": self.details.project,
            "name": self.name,
            "description": self.details.description.as_deref().map(one_line),
            "description_markdown": self.markdown,
        })
    }
}
