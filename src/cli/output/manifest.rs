use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Error, bail};
use serde::{Deserialize, Serialize};

use gwconform_base::files::read_regular;
use gwconform_base::text::source::MAX_DUMP_BYTES;

pub(super) const NAME: &str = ".gwconform-manifest.json";

const VERSION: u32 = 1;

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Manifest {
    version: u32,
    files: BTreeSet<String>,
}

impl Manifest {
    pub(super) fn new<'f>(files: impl Iterator<Item = &'f str>) -> Self {
        Self {
            version: VERSION,
            files: files.map(str::to_owned).collect(),
        }
    }

    /// `None` if the folder has no manifest. An invalid manifest or a path outside the folder is an
    /// error.
    pub(super) fn read(folder: &Path) -> Result<Option<Self>, Error> {
        let path = folder.join(NAME);
        let bytes = match read_regular(&path, MAX_DUMP_BYTES) {
            Ok(bytes) => bytes,
            Err(error) if error.is_missing() => return Ok(None),
            Err(error) => bail!("{}: {error}", path.display()),
        };
        let written = serde_json::from_slice::<Self>(&bytes)
            .ok()
            .filter(|written| written.version == VERSION)
            .filter(|written| written.files.iter().all(|path| is_inside(path)));
        match written {
            Some(written) => Ok(Some(written)),
            None => bail!(
                "{} cannot be read, so the files to replace are unknown; choose a new folder",
                path.display()
            ),
        }
    }

    pub(super) fn to_json(&self) -> Vec<u8> {
        (gwconform_base::text::json::to_string_pretty(self).unwrap_or_default() + "\n").into_bytes()
    }

    pub(super) fn files(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(String::as_str)
    }

    pub(super) fn has(&self, path: &str) -> bool {
        path == NAME || self.files.contains(path)
    }

    pub(super) fn has_folder(&self, path: &str) -> bool {
        let folder = format!("{path}/");
        let next = self.files.range(folder.clone()..).next();
        next.is_some_and(|file| file.starts_with(&folder))
    }
}

fn is_inside(path: &str) -> bool {
    // No generated name starts with a dot, but `.git` does.
    let is_name =
        |part: &str| !part.is_empty() && !part.starts_with('.') && !part.contains(['\\', '\0']);
    path.split('/').all(is_name)
}
