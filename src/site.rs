//! The files of the site: the pages, the data under `api/v1/`, the feeds and the badges.
//!
//! A pure function of the catalog: nothing here reads, writes, or knows what day it is. Paths of
//! files are relative to the site's folder, with `/`, and made of what is safe in an address and in
//! a file name; no text of a report becomes part of one without [`crate::catalog::slug`].

pub mod api;
mod assets;
mod chart;
mod features;
mod feed;
mod history;
mod mark;
mod page;
mod pages;
mod paths;
mod implementation_view;
mod table;
mod view;
mod words;

pub use feed::MAX_ENTRIES;
pub use paths::{BaseUrl, DATA_FOLDER, FALLBACK_AUTHORITY, NotABaseUrl};
pub use view::{ReportView, View};

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use jiff::civil::Date;

use crate::badge;
use crate::catalog::{Catalog, LeftOut};
use crate::diagnostic::Diagnostic;
use crate::registry::Registry;
use page::SiteContext;

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

/// What a site is made of.
#[derive(Debug, Clone, Copy)]
pub struct Input<'c> {
    /// The implementations and their reports.
    pub catalog: &'c Catalog<'c>,
    /// The facts of the releases.
    pub registry: &'c Registry,
    /// What was found in the tree.
    pub findings: &'c [Diagnostic],
    /// How to reproduce the reports of a submission, by the path of its folder: the Markdown of its
    /// README's section.
    pub reproduce: &'c BTreeMap<PathBuf, String>,
    /// The address at which it will be served.
    pub base: Option<&'c BaseUrl>,
    /// The day it is made for; without it that of the newest report or release.
    pub today: Option<Date>,
    /// The day of the next review, `YYYY-MM-DD`.
    pub next_review: Option<&'c str>,
}

/// All files of the site, by path.
pub fn files(input: &Input<'_>) -> Vec<File> {
    let Input { catalog, base, .. } = *input;
    let view = View::of(catalog, input.registry);
    let badges = badge::files(catalog).into_iter();
    let mut files = feed::files(&view, base);
    let feeds: Vec<String> = files.iter().map(|file| file.path.clone()).collect();
    let data = api::Data::of(&view);
    files.extend(api::files(&view, &data, base, &feeds));
    files.extend(badges.map(|(path, text)| File::new(path, text)));
    let site = SiteContext::of(input, &view, &data);
    files.extend(site.assets.files());
    files.extend(pages::files(&site));
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
