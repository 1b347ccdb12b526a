//! Feeds to XML.

use askama::Template;

use super::{Feed, FeedEntry};
use crate::site::File;
use crate::site::paths::{BaseUrl, to_root};
use crate::text::escape::xml;

/// `updated` of a feed without entries, which must have one.
const NEVER: &str = "1970-01-01T00:00:00Z";

/// A feed. All of its texts can stand in XML.
#[derive(Template)]
#[template(path = "feed.atom.xml")]
struct Document {
    title: String,
    id: String,
    updated: String,
    /// Its own address; without that of the site relative to the feed.
    address: String,
    /// The way from the feed to the site's folder.
    root: String,
    entries: Vec<FeedEntry>,
}

/// The feed as a document.
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
