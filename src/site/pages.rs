//! The pages, one module for each kind: a function of the [`SiteContext`] that returns files. Its template
//! has the same name in `templates/`.

mod assets;
mod chart;
mod dataset;
mod feature_table;
mod history;
mod mark;
mod page;
mod timeline;

mod about;
mod badges;
mod calendar;
mod changes;
mod check;
mod compare;
mod features;
mod find;
mod finding;
mod home;
mod implementation;
mod implementations;
mod matrix;
mod not_found;
mod outlook;
mod report;
mod rules;

use rayon::prelude::*;

use super::File;
use super::Input;
use super::model::SiteModel;
use super::paths;
use page::SiteContext;

/// A kind of page.
struct PageKind {
    /// The shapes of its addresses: `*` stands for one name.
    addresses: &'static [&'static str],
    files: Files,
}

/// What makes the pages of a kind.
enum Files {
    /// All at once.
    All(fn(&SiteContext<'_>) -> Vec<File>),
    /// So many that they are handed on a few at a time.
    Each(fn(&SiteContext<'_>, &Out<'_>)),
}

/// Where pages go, a few at a time.
type Out<'o> = dyn Fn(Vec<File>) + Sync + 'o;

/// All kinds of pages. The tests of the site expect each address among the pages of the sample tree.
const KINDS: &[PageKind] = &[
    PageKind {
        addresses: &[""],
        files: Files::All(home::files),
    },
    PageKind {
        addresses: &["implementations/"],
        files: Files::All(implementations::files),
    },
    PageKind {
        addresses: &["implementations/*/"],
        files: Files::All(implementation::files),
    },
    PageKind {
        addresses: &["implementations/*/*/*/"],
        files: Files::Each(report::make),
    },
    PageKind {
        addresses: &["changes/", "implementations/*/changes/"],
        files: Files::All(changes::files),
    },
    PageKind {
        addresses: &["features/", "features/*/"],
        files: Files::All(features::files),
    },
    PageKind {
        addresses: &["matrix/", "matrix/*/*/"],
        files: Files::All(matrix::files),
    },
    PageKind {
        addresses: &["calendar/"],
        files: Files::All(calendar::files),
    },
    PageKind {
        addresses: &["outlook/", "outlook/*/"],
        files: Files::All(outlook::files),
    },
    PageKind {
        addresses: &["rules/", "rules/*/*/"],
        files: Files::All(rules::files),
    },
    PageKind {
        addresses: &["about/"],
        files: Files::All(about::files),
    },
    PageKind {
        addresses: &["find/"],
        files: Files::All(find::files),
    },
    // Where there is a module for it.
    PageKind {
        addresses: &["check/"],
        files: Files::All(check::files),
    },
    PageKind {
        addresses: &["findings/"],
        files: Files::All(finding::files),
    },
    PageKind {
        addresses: &["compare/"],
        files: Files::All(compare::files),
    },
    PageKind {
        addresses: &["badges/"],
        files: Files::All(badges::files),
    },
    PageKind {
        addresses: &[paths::NOT_FOUND],
        files: Files::All(not_found::files),
    },
];

/// The shapes of the addresses of all pages, below the site's folder: `*` stands for one name.
pub fn page_addresses() -> impl Iterator<Item = &'static str> {
    KINDS.iter().flat_map(|kind| kind.addresses).copied()
}

/// Makes all pages, and the static files that they use.
pub(super) fn make(input: &Input<'_>, model: &SiteModel<'_>, out: &Out<'_>) {
    let site = SiteContext::new(input, model);
    KINDS.par_iter().for_each(|kind| match kind.files {
        Files::All(files) => out(files(&site)),
        Files::Each(make) => make(&site, out),
    });
    out(site.assets.files());
}
