use std::collections::BTreeMap;

use serde_json::value::RawValue;

use super::{Entries, File, FileError};
use crate::api::Version;
use crate::release::served::{Served, ServedRelease};

pub(super) fn read(file: &File<'_>) -> Result<Served, FileError> {
    let entries: Entries<'_> = file.read()?;
    let mut releases = Vec::new();
    for (name, &part) in &entries.0 {
        let version = version_of(file, part, name)?;
        let kinds: Entries<'_> = serde_json::from_str(part.get())
            .map_err(|error| file.json_error(file.offset_of(part), &error))?;
        let mut read = BTreeMap::new();
        for (kind, &part) in &kinds.0 {
            read.insert(kind.clone(), file.read_part(part)?);
        }
        releases.push(ServedRelease {
            version,
            kinds: read,
        });
    }
    releases.sort_by(|a, b| a.version.cmp(&b.version));
    Ok(Served(releases))
}

pub(super) fn version_of(
    file: &File<'_>,
    part: &RawValue,
    name: &str,
) -> Result<Version, FileError> {
    Version::parse(name).ok_or_else(|| {
        let line = file.line_of(part);
        file.error(
            line,
            format!("`{name}` is not a release; expected a name such as v1.7.0"),
        )
    })
}
