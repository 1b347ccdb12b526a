//! Renders the files of the static site: pages, the data below `api/v1/`, feeds and badges.
//!
//! Rendering depends only on the catalog and on the READMEs that [`Sections`] reads. It reads no
//! clock. Report text becomes part of a path only through [`gwconform_report::certify::catalog::address`] and
//! [`gwconform_report::certify::catalog::slug`].
//!
//! `model` computes the data that `pages`, `api` and `feed` render independently.

pub mod badge;
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
pub use model::left_out;
pub use module::{MAX_MODULE_BYTES, Module, ModuleKind, NOTICES_FILE, NotAModule};
pub use paths::{BaseUrl, DATA_FOLDER, FALLBACK_AUTHORITY, NotABaseUrl};

use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

use gwconform_base::release::Registry;
use gwconform_base::text::diagnostic::Diagnostic;
use gwconform_base::text::visible;
use gwconform_report::certify::catalog::Catalog;
use gwconform_report::rules::configuration::Config;
use gwconform_report::tree::load::Sections;
use model::{ReportSet, SiteModel};

/// A generated file of the site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Relative to the site folder, with `/` as the separator.
    pub path: String,
    /// Content of the file, or a part of it.
    pub bytes: Vec<u8>,
    /// Whether `bytes` continue the file with the same path that was passed on before.
    pub continues: bool,
}

impl File {
    /// Creates a text file.
    pub fn new(path: impl Into<String>, text: impl Into<Vec<u8>>) -> Self {
        Self {
            path: path.into(),
            bytes: text.into(),
            continues: false,
        }
    }

    fn rendered(path: &str, template: &impl askama::Template) -> Self {
        // Most pages fit, so that the text is not copied while it grows.
        let mut text = String::with_capacity(32 * 1024);
        let rendered = template.render_into(&mut text);
        // Rendering into a string cannot fail.
        debug_assert!(rendered.is_ok());
        Self::new(path, text)
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
        if is_hex && (7..=64).contains(&text.len()) {
            Ok(Self(text.to_ascii_lowercase()))
        } else {
            Err(NotARevision(visible(text)))
        }
    }

    /// Returns the commit hash in lowercase.
    pub fn as_str(&self) -> &str {
        &self.0
    }
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
    /// Folder of the tree in its repository, such as `conformance/reports`.
    pub tree: &'c str,
    /// Configuration of the tree, with the URL of the tree in its repository.
    pub config: &'c Config,
    /// Findings in the reports tree.
    pub findings: &'c [Diagnostic],
    /// Reads the sections on reproducing the reports. `None` for pages without them.
    pub sections: Option<&'c Sections>,
    /// Site URL; `None` for relative links and fallback feed IDs.
    pub base: Option<&'c BaseUrl>,
    /// Commit of the reports tree to show on pages and in the data.
    pub revision: Option<&'c SourceRevision>,
    /// WebAssembly modules for the pages. Without a `check` module, no page checks files; without
    /// any module, the page `find` cannot read manifests.
    pub modules: &'c [Module],
}

/// Size in bytes from which a JSON file below `api/v1/` is split into parts. With escaped characters, the
/// parts have at most 5 MB.
const MAX_JSON: usize = 4_900_000;

/// Maximum number of reports in a `support` data file. With all features, such a file has about 500 KB.
const MAX_PART: usize = 500;

/// Renders all files of the site, sorted by path.
pub fn files(input: &Input<'_>) -> Vec<File> {
    files_up_to(input, MAX_JSON)
}

/// Like [`files`], with another size from which a JSON file is split.
pub fn files_up_to(input: &Input<'_>, max_json: usize) -> Vec<File> {
    let made = Mutex::new(Vec::new());
    make_up_to(input, max_json, &|files| locked(&made).extend(files));
    let files = made.into_inner().unwrap_or_else(PoisonError::into_inner);
    let mut files = joined(files);
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files
}

fn joined(files: Vec<File>) -> Vec<File> {
    let mut whole: Vec<File> = Vec::new();
    for file in files {
        let mut known = whole.iter_mut().rev();
        if file.continues {
            if let Some(known) = known.find(|known| known.path == file.path) {
                known.bytes.extend(file.bytes);
            }
        } else {
            whole.push(file)
        }
    }
    whole
}

/// Passes files to `out` in small batches to limit memory. `out` is called from any thread and in
/// any order, except that a file is passed on before the files that continue it.
pub fn make(input: &Input<'_>, out: &(dyn Fn(Vec<File>) + Sync)) {
    make_up_to(input, MAX_JSON, out);
}

fn make_up_to(input: &Input<'_>, max_json: usize, out: &(dyn Fn(Vec<File>) + Sync)) {
    let pages = Mutex::new(Vec::new());
    let put = |files: Vec<File>| {
        locked(&pages).extend(files.iter().map(|file| file.path.clone()));
        out(files);
    };
    let catalog = input.catalog;
    let set = ReportSet::new(catalog, input.registry, input.tree);
    let model = SiteModel::new(&set, input.findings, MAX_PART);
    feed::make(&model, input.base, out);
    let feeds = feed::addresses(&model);
    let data = api::make(&model, input, &feeds, max_json, &|file| out(vec![file]));
    catalog.implementations.par_iter().for_each(|one| {
        let badges = badge::files_of(catalog, &model.issued, one).into_iter();
        out(badges.map(|(path, text)| File::new(path, text)).collect());
    });
    pages::make(input, &model, &data, &put);
    let mut pages = std::mem::take(&mut *locked(&pages));
    pages.sort_unstable();
    former::pages(&model, &pages, input.base, out);
    out(crawl::files(&pages, input.base));
}

/// Locks a mutex. Ignores poisoning, because a panic in one thread already fails the run.
pub fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Renders the files below `api/v1/`, with matrices from newest to oldest minor. No file is split.
pub fn data_files(input: &Input<'_>) -> Vec<File> {
    let set = ReportSet::new(input.catalog, input.registry, input.tree);
    let model = SiteModel::new(&set, input.findings, usize::MAX);
    let feeds = feed::addresses(&model);
    let files = Mutex::new(Vec::new());
    api::make(&model, input, &feeds, usize::MAX, &|file| {
        locked(&files).push(file);
    });
    joined(files.into_inner().unwrap_or_else(PoisonError::into_inner))
}
