//! Feeds to XML.

use std::borrow::Cow;
use std::io;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

use super::{Feed, FeedEntry};
use crate::site::paths::{BaseUrl, to_root};
use crate::text::source::is_plain;
use crate::text::visible;

/// `updated` of a feed without entries, which must have one.
const NEVER: &str = "1970-01-01T00:00:00Z";

/// The feed as a document.
pub(super) fn write(feed: &Feed, base: Option<&BaseUrl>) -> Vec<u8> {
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 1);
    // A Vec takes everything: nothing here can fail.
    let written = document(&mut writer, feed, base);
    debug_assert!(written.is_ok());
    let mut bytes = writer.into_inner();
    bytes.push(b'\n');
    bytes
}

fn document(writer: &mut Writer<Vec<u8>>, feed: &Feed, base: Option<&BaseUrl>) -> io::Result<()> {
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("utf-8"), None)))?;
    let newest = feed.entries.first().map(|entry| entry.date.to_string());
    // Without an address the link is relative to the feed, which is itself.
    let own_name = feed.path.rsplit('/').next().unwrap_or_default().to_owned();
    let address = base.map_or(own_name, |base| base.join(&feed.path));
    let root = writer
        .create_element("feed")
        .with_attribute(("xmlns", "http://www.w3.org/2005/Atom"));
    root.write_inner_content(|writer| {
        element(writer, "title", &feed.title)?;
        element(writer, "id", &feed.id)?;
        element(writer, "updated", newest.as_deref().unwrap_or(NEVER))?;
        let link = writer
            .create_element("link")
            .with_attribute(("rel", "self"))
            .with_attribute(("type", "application/atom+xml"));
        link.with_attribute(("href", address.as_str()))
            .write_empty()?;
        let author = writer.create_element("author");
        author.write_inner_content(|writer| element(writer, "name", "gwconform"))?;
        let root = base.map_or_else(|| to_root(&feed.path), |base| base.as_str().to_owned());
        feed.entries
            .iter()
            .try_for_each(|one| entry(writer, one, &root))
    })?;
    Ok(())
}

/// `root` leads from the feed to the site's folder.
fn entry(writer: &mut Writer<Vec<u8>>, entry: &FeedEntry, root: &str) -> io::Result<()> {
    let date = entry.date.to_string();
    writer
        .create_element("entry")
        .write_inner_content(|writer| {
            element(writer, "title", &entry.title)?;
            element(writer, "id", &entry.id)?;
            let link = writer
                .create_element("link")
                .with_attribute(("rel", "alternate"))
                .with_attribute(("type", "text/html"));
            let page = format!("{root}{}", entry.page);
            link.with_attribute(("href", page.as_str())).write_empty()?;
            element(writer, "published", &date)?;
            element(writer, "updated", &date)?;
            let content = writer
                .create_element("content")
                .with_attribute(("type", "text"));
            content.write_text_content(BytesText::new(&allowed(&entry.text)))?;
            Ok(())
        })?;
    Ok(())
}

fn element(writer: &mut Writer<Vec<u8>>, name: &str, text: &str) -> io::Result<()> {
    let element = writer.create_element(name);
    element.write_text_content(BytesText::new(&allowed(text)))?;
    Ok(())
}

/// Text that XML can hold: what cannot be seen is written as an escape, and the two characters that
/// are left and forbidden are taken out.
fn allowed(text: &str) -> Cow<'_, str> {
    if is_plain(text) {
        return Cow::Borrowed(text);
    }
    let mut allowed = visible(text);
    allowed.retain(|c| !matches!(c, '\u{FFFE}' | '\u{FFFF}'));
    Cow::Owned(allowed)
}
