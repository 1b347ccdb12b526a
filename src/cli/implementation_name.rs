//! Names of implementations on the command line.

use std::io::ErrorKind;
use std::path::Path;

use anyhow::anyhow;

use super::{Failure, Streams};
use gwconform_cluster::support::Wanted;
use gwconform_report::certify::catalog::{Catalog, FindError, Implementation};
use gwconform_report::report::facts::ReportFacts;

/// Finds an implementation. Standard error names it unless the text is an exact name.
pub fn find<'c, 'a>(
    catalog: &'c Catalog<'a>,
    name: &str,
    streams: &mut Streams<'_>,
) -> Result<&'c Implementation<'a>, Failure> {
    let found = catalog.find(name);
    let one = found.map_err(|error| Failure::Usage(error.into()))?;
    if !one.is_named(name) {
        streams.note(format_args!("`{name}` is `{}` in this tree", one.slug))?;
    }
    Ok(one)
}

/// A word that does not exist as a path is a name, unless it is written like a path.
pub fn is_path(word: &str) -> bool {
    let path = Path::new(word);
    let is_file = [".yaml", ".yml", ".json"]
        .iter()
        .any(|end| word.ends_with(end));
    let is_written_like_one = word.starts_with('.') || word.matches('/').count() > 1;
    let found = path.symlink_metadata().map_err(|error| error.kind());
    let exists = !matches!(found, Err(ErrorKind::NotFound | ErrorKind::NotADirectory));
    is_file || is_written_like_one || path.is_absolute() || exists
}

/// Error for a word that was read as a name because no such path exists.
pub fn not_a_path(word: &str, failure: Failure) -> Failure {
    match failure {
        Failure::CouldNotRun(error) => Failure::CouldNotRun(anyhow!(
            "no file or folder is named `{word}`, and no tree contains an implementation with this name: {error:#}"
        )),
        Failure::Usage(error) => Failure::Usage(match error.downcast_ref() {
            Some(FindError::Unknown { similar: None, .. }) => {
                anyhow!("{error}, and no such file or folder exists")
            }
            _ => error,
        }),
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
