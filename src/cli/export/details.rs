//! Reads the details files of implementations and integrations.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::Arguments;
use crate::cli::{Failure, Streams};
use crate::workspace::Base;
use gwconform_base::files::{FileKind, PathError};
use gwconform_report::certify::catalog::{Catalog, slug};
use gwconform_report::certify::details::{self, Details, ReadDetails};
use gwconform_report::report::naming::folded_pair;
use gwconform_report::rules::check::Skipped;

pub struct DetailsFiles {
    implementations: Option<Read>,
    integrations: Option<Read>,
}

struct Read {
    folder: String,
    content: ReadDetails,
}

impl DetailsFiles {
    pub fn read(arguments: &Arguments, base: &Base) -> Result<Self, Failure> {
        let read = |folder: &PathBuf| Read::try_new(folder, base);
        let next_to_details = arguments.details.as_deref().and_then(|folder| {
            let folder = base.absolute(folder).parent()?.join("integrations");
            let kind = base.files().kind_of(&folder);
            matches!(kind, Ok(FileKind::Folder)).then_some(folder)
        });
        let integrations = arguments.integrations.as_ref().or(next_to_details.as_ref());
        Ok(Self {
            implementations: arguments.details.as_ref().map(read).transpose()?,
            integrations: integrations.map(read).transpose()?,
        })
    }

    pub fn take_unread(&mut self) -> Vec<Skipped> {
        let mut all = Vec::new();
        for one in [&mut self.implementations, &mut self.integrations] {
            all.extend(one.iter_mut().flat_map(|one| one.content.unread.drain(..)));
        }
        all
    }

    pub fn implementations(&self) -> Option<&[Details]> {
        self.implementations
            .as_ref()
            .map(|read| read.content.details.as_slice())
    }

    pub fn integrations(&self) -> &[Details] {
        self.integrations
            .as_ref()
            .map_or(&[], |read| read.content.details.as_slice())
    }

    pub fn warn(&self, catalog: &Catalog<'_>, streams: &mut Streams<'_>) -> Result<(), Failure> {
        let mut warnings = Vec::new();
        if let Some(read) = &self.implementations {
            warnings.extend(read.warnings(catalog));
        }
        let integrations = self.integrations.iter();
        warnings.extend(integrations.flat_map(Read::unusable));
        for (path, message) in warnings {
            streams.note(format_args!("warning: {path}: {message}"))?;
        }
        Ok(())
    }
}

impl Read {
    fn try_new(folder: &Path, base: &Base) -> Result<Self, Failure> {
        let path = base.absolute(folder);
        let folder = base.display(&path);
        let display = |path: &Path| base.display(path);
        let read = details::load_folder(base.files(), &path, &display);
        let content =
            read.map_err(|error| PathError::new(&folder, error, "a folder of details.yaml"))?;
        Ok(Self { folder, content })
    }

    fn unusable(&self) -> Vec<(String, String)> {
        let unused = self.content.unused.iter().map(|skipped| {
            let message = if skipped.path == self.folder {
                skipped.reason.clone()
            } else {
                format!("cannot be used: {}", skipped.reason)
            };
            (skipped.path.clone(), message)
        });
        unused.collect()
    }

    /// Paths of unusable files, files without a report, and missing files of current
    /// implementations, with the reason.
    fn warnings(&self, catalog: &Catalog<'_>) -> Vec<(String, String)> {
        let names = catalog.names();
        let mut described = BTreeSet::new();
        let mut warnings = self.unusable();
        for one in &self.content.details {
            let pair = (one.organization.as_str(), one.project.as_str());
            let shown = format!("`{}/{}`", pair.0, pair.1);
            let message = match names.get(&folded_pair(pair)) {
                None => format!("the tree contains no report of {shown}"),
                Some(found) if described.insert(&found.slug) => continue,
                Some(_) => format!("{shown} is described twice"),
            };
            warnings.push((one.path.clone(), message));
        }
        for one in &catalog.implementations {
            let mut verdicts = one.families.iter();
            let current = verdicts.find(|(_, certified)| certified.standing.is_current());
            if let Some((family, certified)) = current
                && !described.contains(&one.slug)
            {
                let folder = slug(&[one.organization, one.project]);
                let message = format!(
                    "missing for `{}`, a {} {family}: {}",
                    one.name,
                    certified.standing.words(),
                    certified.reason
                );
                warnings.push((
                    format!("{}/{folder}/{}", self.folder, details::FILE_NAME),
                    message,
                ));
            }
        }
        warnings.sort_by(|(a, _), (b, _)| a.cmp(b));
        warnings
    }
}
