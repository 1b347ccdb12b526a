use askama::Template;

use super::{Feed, FeedEntry};
use crate::site::File;
use crate::site::paths::{BaseUrl, to_root};
use gwconform_base::text::escape::xml;

/// Time of a feed without entries, because Atom requires `updated`.
const NEVER: &str = "1970-01-01T00:00:00Z";

/// Atom feed. Fields contain only characters that XML allows.
#[derive(Template)]
#[template(path = "feed.atom.xml")]
struct Document {
    title: String,
    id: String,
    updated: String,
    /// Feed URL, which is relative if the base URL is unknown.
    address: String,
    root: String,
    entries: Vec<FeedEntry>,
}

pub(super) fn file(feed: Feed, base: Option<&BaseUrl>) -> File {
    let newest = feed.entries.first().map(|entry| entry.date.to_string());
    let own_name = feed.path.rsplit('/').next().unwrap_or_default();
    let entries = feed.entries.into_iter().map(|entry| FeedEntry {
        id: xml(&entry.id),
        title: xml(&entry.title),
        text: xml(&entry.text),
        ..entry
    });
    let document = Document {
        title: xml(&feed.title),
        id: xml(&feed.id),
        updated: newest.unwrap_or_else(|| NEVER.to_owned()),
        address: base.map_or_else(|| own_name.to_owned(), |base| base.join(&feed.path)),
        root: base.map_or_else(|| to_root(&feed.path), |base| base.as_str().to_owned()),
        entries: entries.collect(),
    };
    File::rendered(&feed.path, &document)
}
