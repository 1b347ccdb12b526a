//! Renders the files of the static site: pages, the data below `api/v1/`, feeds and badges.
//!
//! Rendering is a pure function of the catalog: this module does no I/O and reads no clock. Report
//! text becomes part of a path only through [`crate::certify::catalog::slug`].
//!
//! `model` computes the data that `pages`, `api` and `feed` render independently.

pub mod badge;
#[cfg(feature = "cli")]
pub mod export;
mod module;
mod paths;
mod model;
pub mod api;
mod crawl;
mod former;
mod feed;
mod pages;

pub use feed::MAX_ENTRIES;
#[cfg(feature = "cli")]
pub(crate) use model::label;
pub use model::left_out;
pub use module::{MAX_MODULE_BYTES, Module, ModuleKind, NOTICES_FILE, NotAModule};
pub use paths::{BaseUrl, DATA_FOLDER, FALLBACK_AUTHORITY, NotABaseUrl};

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use jiff::civil::Date;
use rayon::prelude::*;

use crate::VERSION;
use crate::certify::catalog::Catalog;
use crate::release::Registry;
use crate::rules::configuration::About;
use crate::text::diagnostic::Diagnostic;
use crate::text::visible;
use model::{ReportSet, SiteModel};

/// A generated file of the site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Relative to the site folder, with `/` as the separator.
    pub path: String,
    /// Complete content of the file.
    pub bytes: Vec<u8>,
}

impl File {
    /// Creates a text file.
    pub fn new(path: impl Into<String>, text: impl Into<Vec<u8>>) -> Self {
        Self {
            path: path.into(),
            bytes: text.into(),
        }
    }

    fn rendered(path: &str, template: &impl askama::Template) -> Self {
        let text = template.render();
        // Rendering into a string cannot fail.
        debug_assert!(text.is_ok());
        Self::new(path, text.unwrap_or_default())
    }
}

/// Commit of a reports tree: 7 to 64 lowercase hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceRevision(String);

/// The text is not 7 to 64 hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a commit; expected 7 to 64 hexadecimal digits, as `git rev-parse HEAD` prints"
)]
pub struct NotARevision(String);

impl SourceRevision {
    /// Parses a full or abbreviated commit hash.
    pub fn parse(text: &str) -> Result<Self, NotARevision> {
        let is_hex = text.bytes().all(|byte| byte.is_ascii_hexdigit());
        match is_hex && (7..=64).contains(&text.len()) {
            true => Ok(Self(text.to_ascii_lowercase())),
            false => Err(NotARevision(visible(text))),
        }
    }

    /// Returns the commit hash in lowercase.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn generated_by() -> String {
    format!("gwconform {VERSION}")
}

/// Data from which the site is generated.
#[derive(Debug, Clone, Copy)]
pub struct Input<'c> {
    /// Implementations with their reports and verdicts.
    pub catalog: &'c Catalog<'c>,
    /// Built-in release data, with additions from `--registry`.
    pub registry: &'c Registry,
    /// Release data including an unreleased version, which no verdict uses. `None` for that of
    /// `registry`.
    pub unreleased: Option<&'c Registry>,
    /// Findings in the reports tree.
    pub findings: &'c [Diagnostic],
    /// Markdown section on reproducing the reports, by submission folder.
    pub reproduce: &'c BTreeMap<PathBuf, String>,
    /// Site URL; `None` for relative links and fallback feed IDs.
    pub base: Option<&'c BaseUrl>,
    /// URL of the reports tree in its repository; `None` if not configured.
    pub source: Option<&'c str>,
    /// Commit of the reports tree to show on pages and in the data.
    pub revision: Option<&'c SourceRevision>,
    /// Build date; defaults to the date of the newest report or release.
    pub today: Option<Date>,
    /// Configured date of the next release review, as `YYYY-MM-DD`.
    pub next_review: Option<&'c str>,
    /// Configured facts for the page `about/`.
    pub about: Option<&'c About>,
    /// WebAssembly modules for the pages. Without a `check` module, no page checks files; without
    /// any module, the page `find` cannot read manifests.
    pub modules: &'c [Module],
}

/// Renders all files of the site, sorted by path.
pub fn files(input: &Input<'_>) -> Vec<File> {
    let made = Mutex::new(Vec::new());
    make(input, &|files| locked(&made).extend(files));
    let mut files = made.into_inner().unwrap_or_else(PoisonError::into_inner);
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files
}

/// Passes files to `out` in small batches to limit memory. `out` is called from any thread and in
/// any order.
pub fn make(input: &Input<'_>, out: &(dyn Fn(Vec<File>) + Sync)) {
    let pages = Mutex::new(Vec::new());
    let put = |files: Vec<File>| {
        locked(&pages).extend(addresses(&files));
        out(files);
    };
    let catalog = input.catalog;
    let set = ReportSet::new(catalog, input.registry);
    let model = SiteModel::new(&set, input.findings);
    let feeds = feed::files(&model, input.base);
    let feed_addresses = addresses(&feeds);
    out(former::feeds(&model, &feeds));
    out(feeds);
    api::make(&model, input, &feed_addresses, &|file| out(vec![file]));
    catalog.implementations.par_iter().for_each(|one| {
        let badges = badge::files_of(catalog, &model.issued, one).into_iter();
        out(badges.map(|(path, text)| File::new(path, text)).collect());
    });
    pages::make(input, &model, &put);
    let mut pages = std::mem::take(&mut *locked(&pages));
    pages.sort_unstable();
    former::pages(&model, &pages, input.base, out);
    out(crawl::files(&pages, input.base));
}

/// Locks a mutex. Ignores poisoning, because a panic in one thread already fails the run.
pub fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Renders the files below `api/v1/`, with matrices from newest to oldest minor.
pub fn data_files(input: &Input<'_>) -> Vec<File> {
    let set = ReportSet::new(input.catalog, input.registry);
    let model = SiteModel::new(&set, input.findings);
    let feeds = addresses(&feed::files(&model, input.base));
    let files = RefCell::new(Vec::new());
    api::make(&model, input, &feeds, &|file| files.borrow_mut().push(file));
    files.into_inner()
}

fn addresses(files: &[File]) -> Vec<String> {
    files.iter().map(|file| file.path.clone()).collect()
}
