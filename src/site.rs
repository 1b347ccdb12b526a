//! The files of the site: the data under `api/v1/`, the feeds and the badges.
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

use std::collections::BTreeSet;

use crate::badge;
use crate::catalog::{Catalog, LeftOut};
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
    let badges = badge::files(catalog).into_iter();
    let mut files = feed::files(&view, base);
    let feeds: Vec<String> = files.iter().map(|file| file.path.clone()).collect();
    files.extend(api::files(&view, base, &feeds));
    files.extend(badges.map(|(path, text)| File::new(path, text)));
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files
}

/// What of a tree is not among its reports at all, and why. What a catalog leaves out of a report
/// that is there is a remark on it.
pub fn left_out<'c>(catalog: &'c Catalog<'_>) -> Vec<&'c LeftOut> {
    let shown = catalog.reports().map(|(_, report)| {
        let facts = report.judged.facts;
        (facts.path.as_str(), facts.document)
    });
    let shown: BTreeSet<_> = shown.collect();
    let left_out = catalog.left_out.iter();
    left_out
        .filter(|one| !shown.contains(&(one.path.as_str(), one.document)))
        .collect()
}
