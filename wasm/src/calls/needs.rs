//! What manifests need.

use std::collections::BTreeSet;

use gwconform::catalog::Published;
use gwconform::needs_check::{Against, list_needs};
use gwconform::registry::Registry;
use gwconform::render::needs::{NeedsInput, write_json};
use gwconform::source::{MAX_DUMP_BYTES, Source};
use serde::Serialize;
use serde_json::value::RawValue;

use super::{Answer, document, written};
use crate::request::Request;

#[derive(Serialize)]
struct Needs<'f> {
    /// What `gwconform needs --format json` prints; with data of a site what it prints with `--in`.
    document: Box<RawValue>,
    question: Question<'f>,
}

/// What the page `find` asks reports.
#[derive(Serialize)]
struct Question<'f> {
    /// The features that one report must have.
    must: &'f [String],
    /// The features that are needed and that no profile of the Routes' family has.
    untested: &'f [String],
    /// The one profile that is asked about.
    profile: Option<&'f str>,
    /// The profiles that one report must all have, where it is not one alone.
    profiles: &'f [String],
    /// The channel that reports must be for.
    channel: Option<&'static str>,
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
    let documents = data.iter().map(|file| (file.path.as_str(), file.bytes));
    let published = match named.is_empty() {
        true => None,
        false => Some(Published::read(documents, registry).map_err(|error| error.to_string())?),
    };
    let catalog = published
        .as_ref()
        .map(|published| published.catalog(registry));
    let sources: Vec<Source> = (manifests.iter())
        .map(|file| Source::new(file.path.clone(), file.bytes.to_vec()))
        .collect();
    let against = Against {
        catalog: catalog.as_ref(),
        profile,
        ..Against::default()
    };
    let found = list_needs(&sources, &against, registry);
    let input = NeedsInput {
        found: &found,
        site: None,
        is_all: false,
    };
    document(&Needs {
        document: written(|out| write_json(input, out))?,
        question: Question {
            must: &found.asked.must,
            untested: &found.asked.untested,
            profile: found.asked.profile(),
            profiles: found.asked.several(),
            channel: found.asked.channel.map(|channel| channel.as_str()),
        },
    })
}
