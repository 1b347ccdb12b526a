use std::collections::BTreeSet;

use gwconform_base::release::Registry;
use gwconform_base::text::source::{MAX_DUMP_BYTES, Source};
use gwconform_cluster::support::{NeedsFound, list_needs};
#[cfg(feature = "check")]
use gwconform_report::certify::catalog::Published;
use gwconform_report::document::Document;
use serde::Serialize;

use super::{Answer, document};
use crate::request::{NamedFile, Request};

#[derive(Serialize)]
struct Needs<'d> {
    document: Document<'d, &'d NeedsFound>,
    /// Input that was not read, for the heading.
    not_read: Option<String>,
}

pub fn needs(request: &Request<'_>) -> Answer {
    let registry = Registry::embedded();
    let profile = request.options.profile.as_deref();
    if let Some(name) = profile.filter(|name| registry.profile(name).is_none()) {
        return Err(format!("no known release has a profile `{name}`"));
    }
    let size: usize = request.files.iter().map(|file| file.bytes.len()).sum();
    if size as u64 > MAX_DUMP_BYTES {
        let most = MAX_DUMP_BYTES / (1024 * 1024);
        return Err(format!("the files are larger than {most} MiB together"));
    }
    let named: BTreeSet<&str> = (request.options.published.iter())
        .map(String::as_str)
        .collect();
    let (data, manifests): (Vec<_>, Vec<_>) =
        (request.files.iter()).partition(|file| named.contains(file.path.as_str()));
    let given: BTreeSet<&str> = data.iter().map(|file| file.path.as_str()).collect();
    if let Some(path) = named.difference(&given).next() {
        return Err(format!("`{path}` is not a file of the request"));
    }
    let sources: Vec<Source> = (manifests.iter())
        .map(|file| Source::new(file.path.clone(), file.bytes.to_vec()))
        .collect();
    let mut found = list_needs(&sources, profile, registry);
    let mut tree = None;
    if !data.is_empty() {
        tree = answer(&mut found, &data, registry)?;
    }
    if let Some(reason) = found.needs.nothing_read() {
        return Err(reason);
    }
    document(&Needs {
        not_read: found.needs.not_read_in_short(),
        document: Document::new(registry, tree, &found),
    })
}

/// Returns the folder of the reports tree.
#[cfg(feature = "check")]
fn answer(
    found: &mut NeedsFound,
    data: &[&NamedFile<'_>],
    registry: &Registry,
) -> Result<Option<String>, String> {
    let documents = data.iter().map(|file| (file.path.as_str(), file.bytes));
    let published = Published::read(documents, registry).map_err(|error| error.to_string())?;
    found.answer(&published.catalog(registry), registry);
    Ok(published.tree)
}

/// Ranking would enlarge the module by a third, so the page ranks implementations.
#[cfg(not(feature = "check"))]
fn answer(
    _: &mut NeedsFound,
    _: &[&NamedFile<'_>],
    _: &Registry,
) -> Result<Option<String>, String> {
    Err("this module does not read the data of a site; check.wasm does".to_owned())
}
