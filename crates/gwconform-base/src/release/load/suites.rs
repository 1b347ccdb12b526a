use super::served::version_of;
use super::{Entries, File, FileError};
use crate::release::suites::Suite;

pub(super) fn read(file: &File<'_>) -> Result<Vec<Suite>, FileError> {
    let entries: Entries<'_> = file.read()?;
    let mut suites = Vec::new();
    for (name, &part) in &entries.0 {
        suites.push(Suite {
            version: version_of(file, part, name)?,
            facts: file.read_part(part)?,
        });
    }
    suites.sort_by(|a, b| a.version.cmp(&b.version));
    Ok(suites)
}
