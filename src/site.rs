//! The files of the site: the pages, the data under `api/v1/`, the feeds and the badges.
//!
//! A pure function of the catalog: nothing here reads, writes, or knows what day it is. Paths of
//! files are relative to the site's folder, with `/`, and made of what is safe in an address and in
//! a file name; no text of a report becomes part of one without [`crate::certify::catalog::slug`].
//!
//! `paths` has every address, `module` what browsers run, `model` the data that is shown, computed once. Three renderers read them, and
//! none uses another: `pages` (askama), `api` (serde structs of its own) and `feed` (XML). `crawl` lists
//! the pages that were made, and `former` redirects to them from the addresses of aliases.

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

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use jiff::civil::Date;

use crate::VERSION;
use crate::certify::catalog::Catalog;
use crate::release::Registry;
use crate::text::diagnostic::Diagnostic;
use crate::text::visible;
use model::{ReportSet, SiteModel};

/// A file of the site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Its path below the site's folder.
    pub path: String,
    /// Its content.
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

    /// A file by a template.
    fn rendered(path: &str, template: &impl askama::Template) -> Self {
        let text = template.render();
        // Rendering into a string cannot fail.
        debug_assert!(text.is_ok());
        Self::new(path, text.unwrap_or_default())
    }
}

/// The commit of a reports tree: 7 to 64 hexadecimal digits, in small letters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceRevision(String);

/// Why a text is not the commit of a reports tree.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a commit; expected 7 to 64 hexadecimal digits, as `git rev-parse HEAD` prints"
)]
pub struct NotARevision(String);

impl SourceRevision {
    /// Reads a commit, full or abbreviated.
    ///
    /// # Errors
    /// When it is none.
    pub fn parse(text: &str) -> Result<Self, NotARevision> {
        let is_hex = text.bytes().all(|byte| byte.is_ascii_hexdigit());
        match is_hex && (7..=64).contains(&text.len()) {
            true => Ok(Self(text.to_ascii_lowercase())),
            false => Err(NotARevision(visible(text))),
        }
    }

    /// Its digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// `gwconform 1.2.3`: what makes the site.
fn generated_by() -> String {
    format!("gwconform {VERSION}")
}

/// The inputs of a site.
#[derive(Debug, Clone, Copy)]
pub struct Input<'c> {
    /// The implementations and their reports.
    pub catalog: &'c Catalog<'c>,
    /// The facts of the releases.
    pub registry: &'c Registry,
    /// The findings in the tree.
    pub findings: &'c [Diagnostic],
    /// How to reproduce the reports of a submission, by the path of its folder: the Markdown of its
    /// README's section.
    pub reproduce: &'c BTreeMap<PathBuf, String>,
    /// The address at which it will be served.
    pub base: Option<&'c BaseUrl>,
    /// Where the reports tree can be seen in its repository.
    pub source: Option<&'c str>,
    /// The commit of the reports tree.
    pub revision: Option<&'c SourceRevision>,
    /// The day it is made for; without it that of the newest report or release.
    pub today: Option<Date>,
    /// The day of the next review, `YYYY-MM-DD`.
    pub next_review: Option<&'c str>,
    /// The modules that pages load: without one that checks there is no page for it, and without any
    /// the page `find` reads no manifests.
    pub modules: &'c [Module],
}

/// All files of the site, by path.
pub fn files(input: &Input<'_>) -> Vec<File> {
    let made = Mutex::new(Vec::new());
    make(input, &|files| locked(&made).extend(files));
    let mut files = made.into_inner().unwrap_or_else(PoisonError::into_inner);
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files
}

/// Makes the files of the site and gives them to `out` a few at a time, from any thread and in any order: a
/// site of thousands of reports does not have to be in memory.
pub fn make(input: &Input<'_>, out: &(dyn Fn(Vec<File>) + Sync)) {
    let paths = Mutex::new(Vec::new());
    let put = |files: Vec<File>| {
        locked(&paths).extend(addresses(&files));
        out(files);
    };
    let catalog = input.catalog;
    let set = ReportSet::new(catalog, input.registry);
    let model = SiteModel::new(&set, input.findings);
    let feeds = feed::files(&model, input.base);
    let feed_addresses = addresses(&feeds);
    out(former::feeds(&model, &feeds));
    put(feeds);
    put(api::files(&model, input, &feed_addresses));
    let badges = badge::files(catalog).into_iter();
    put(badges.map(|(path, text)| File::new(path, text)).collect());
    pages::make(input, &model, &put);
    let mut paths = std::mem::take(&mut *locked(&paths));
    paths.sort_unstable();
    former::pages(&model, &paths, input.base, out);
    out(crawl::files(&paths, input.base));
}

/// What is locked; a thread that failed with it has failed the run as well.
pub fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The files of the site below `api/v1/`: matrices in the order of the site, the newest minor first.
pub fn data_files(input: &Input<'_>) -> Vec<File> {
    let set = ReportSet::new(input.catalog, input.registry);
    let model = SiteModel::new(&set, input.findings);
    let feeds = addresses(&feed::files(&model, input.base));
    api::files(&model, input, &feeds)
}

fn addresses(files: &[File]) -> Vec<String> {
    files.iter().map(|file| file.path.clone()).collect()
}
