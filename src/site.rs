//! The files of the site: the data under `api/v1/` and the feeds.
//!
//! A pure function of the catalog: nothing here reads, writes, or knows what day it is. Paths of
//! files are relative to the site's folder, with `/`, and made of what is safe in an address and in
//! a file name; no text of a report becomes part of one without [`crate::catalog::slug`].

mod address;
pub mod api;
mod feed;
mod table;
mod view;
mod words;

pub use address::{BaseUrl, FALLBACK_AUTHORITY, NotABaseUrl};
pub use feed::MAX_ENTRIES;
pub use view::{Seen, View};

use crate::catalog::Catalog;
use crate::registry::Registry;

/// A file of the site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Where it goes, below the site's folder.
    pub path: String,
    /// What is in it.
    pub bytes: Vec<u8>,
}

impl File {
    /// A file with a text.
    pub fn new(path: impl Into<String>, text: impl Into<Vec<u8>>) -> Self {
        Self {
            path: path.into(),
            bytes: text.into(),
        }
    }
}

/// All files of the site, by path. `base` is the address at which it will be served.
pub fn files(catalog: &Catalog<'_>, registry: &Registry, base: Option<&BaseUrl>) -> Vec<File> {
    let view = View::of(catalog, registry);
    let mut files = feed::files(&view, base);
    let feeds: Vec<String> = files.iter().map(|file| file.path.clone()).collect();
    files.extend(api::files(&view, base, &feeds));
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files
}
