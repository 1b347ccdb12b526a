//! Names of implementations on the command line.

use std::io::Write as _;
use std::path::Path;

use anyhow::anyhow;

use super::{Failure, Streams};
use crate::certify::catalog::{Catalog, FindError, Implementation};
use crate::needs::Wanted;
use crate::report::facts::ReportFacts;
use crate::text::visible;
use crate::tree::files::not_there;

/// Finds an implementation. Standard error names it unless the text is an exact name.
pub fn find<'c, 'a>(
    catalog: &'c Catalog<'a>,
    name: &str,
    streams: &mut Streams<'_>,
) -> Result<&'c Implementation<'a>, Failure> {
    let found = catalog.find(name);
    let one = found.map_err(|error| Failure::Usage(error.into()))?;
    if !one.is_named(name) {
        let line = format!("`{name}` is `{}` in this tree", one.slug);
        writeln!(streams.stderr, "{}", visible(&line))?;
    }
    Ok(one)
}

/// An argument that is neither a path nor a name may be a misspelled path, so the message reports
/// both.
pub fn not_a_tree(path: &Path, failure: Failure) -> Failure {
    let missing = not_there(&path.display().to_string(), "a reports tree");
    match failure {
        Failure::CouldNotRun(_) => Failure::CouldNotRun(anyhow!(missing)),
        Failure::Usage(error) => match error.downcast_ref() {
            Some(FindError::Unknown { .. }) => {
                Failure::CouldNotRun(anyhow!("{missing}, and {error}"))
            }
            _ => Failure::Usage(error),
        },
    }
}

/// Finds the implementation of `NAME` or `NAME@VERSION`.
pub fn wanted<'c>(
    catalog: &'c Catalog<'_>,
    text: Option<&'c str>,
    streams: &mut Streams<'_>,
) -> Result<Option<Wanted<'c>>, Failure> {
    let Some((name, version)) = text.map(split) else {
        return Ok(None);
    };
    let name = &find(catalog, name, streams)?.slug;
    Ok(Some(Wanted { name, version }))
}

/// Reports of `NAME@VERSION`. Without a version, the newest reports. Sorted, newest last.
pub fn reports<'c>(catalog: &'c Catalog<'_>, text: &str) -> Result<Vec<&'c ReportFacts>, Failure> {
    let (name, version) = split(text);
    let found = catalog.find(name);
    let one = found.map_err(|error| Failure::Usage(error.into()))?;
    let found = match version {
        Some(version) => one.of_version(version),
        None => one.newest(),
    };
    match (found.is_empty(), version) {
        (true, Some(version)) => Err(Failure::Usage(anyhow!(one.no_version(version)))),
        (true, None) => Err(Failure::Usage(anyhow!("{} has no report", one.slug))),
        (false, _) => Ok(found),
    }
}

fn split(text: &str) -> (&str, Option<&str>) {
    match text.rsplit_once('@') {
        Some((name, version)) if !name.is_empty() => (name, Some(version)),
        _ => (text, None),
    }
}
