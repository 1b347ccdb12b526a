//! Reads the details files of implementations and integrations.

use std::path::{Path, PathBuf};

use super::Arguments;
use crate::certify::catalog::Catalog;
use crate::certify::details::{self, Details};
use crate::cli::{Failure, Streams};
use crate::review::lists;
use crate::rules::check::Skipped;
use crate::text::visible;
use crate::tree::files::{FileKind, PathError};
use crate::workspace::Base;

pub struct DetailsFiles {
    implementations: Option<Read>,
    integrations: Option<Read>,
}

struct Read {
    folder: String,
    details: Vec<Details>,
    unused: Vec<Skipped>,
}

impl DetailsFiles {
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

    pub fn integrations(&self) -> &[Details] {
        self.integrations
            .as_ref()
            .map_or(&[], |read| read.details.as_slice())
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
