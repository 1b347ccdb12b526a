use std::collections::BTreeSet;

use gwconform::print::needs::Document;
use gwconform_base::release::Registry;
use gwconform_base::text::json;
use gwconform_base::text::source::{MAX_DUMP_BYTES, Source};
#[cfg(feature = "check")]
use gwconform_cluster::support::list_answers;
use gwconform_cluster::support::{DefaultNeed, NeedsFound, list_needs};
#[cfg(feature = "check")]
use gwconform_report::certify::catalog::Published;
use serde::Serialize;
use serde_json::value::RawValue;

use super::{Answer, document, written};
use crate::request::{NamedFile, Request};

#[derive(Serialize)]
struct Needs<'f> {
    document: Box<RawValue>,
    /// Input that was not read, for the heading.
    not_read: Option<String>,
    question: Question<'f>,
}

#[derive(Serialize)]
struct Question<'f> {
    must: &'f [String],
    /// Required features that no profile of the Routes' family includes.
    untested: &'f [String],
    profile: Option<&'f str>,
    /// Required profiles, if no single profile is sufficient.
    profiles: &'f [String],
    channel: Option<&'static str>,
    /// True if the manifests need only core features.
    core_only: bool,
    /// Features that the manifests do not write.
    defaults: &'f [DefaultNeed],
    /// What no report decides.
    left_out: &'f [String],
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
    let found = if data.is_empty() {
        list_needs(&sources, profile, registry)
    } else {
        answered(&sources, profile, &data, registry)?
    };
    if let Some(reason) = found.needs.nothing_read() {
        return Err(reason);
    }
    document(&Needs {
        not_read: found.needs.not_read_in_short(),
        document: written(|out| json::write(&Document::new(&found), out))?,
        question: Question {
            must: &found.asked.must,
            untested: &found.asked.untested,
            profile: found.asked.profile(),
            profiles: found.asked.several(),
            channel: found.asked.channel.map(|channel| channel.as_str()),
            core_only: found.asked.is_core,
            defaults: &found.asked.defaults,
            left_out: &found.asked.left_out,
        },
    })
}

#[cfg(feature = "check")]
fn answered(
    sources: &[Source],
    profile: Option<&str>,
    data: &[&NamedFile<'_>],
    registry: &Registry,
) -> Result<NeedsFound, String> {
    let documents = data.iter().map(|file| (file.path.as_str(), file.bytes));
    let published = Published::read(documents, registry).map_err(|error| error.to_string())?;
    let catalog = published.catalog(registry);
    Ok(list_answers(sources, profile, &catalog, registry))
}

/// Ranking would enlarge the module by a third, so the page ranks implementations.
#[cfg(not(feature = "check"))]
fn answered(
    _: &[Source],
    _: Option<&str>,
    _: &[&NamedFile<'_>],
    _: &Registry,
) -> Result<NeedsFound, String> {
    Err("this module does not read the data of a site; check.wasm does".to_owned())
}
