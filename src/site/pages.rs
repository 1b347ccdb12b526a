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
struct Kind {
    /// The shapes of its addresses: `*` stands for one name.
    addresses: &'static [&'static str],
    files: fn(&SiteContext<'_>) -> Vec<File>,
}

/// All kinds of pages. The tests of the site expect each address among the pages of the sample tree.
const KINDS: &[Kind] = &[
    Kind {
        addresses: &[""],
        files: home::files,
    },
    Kind {
        addresses: &["implementations/"],
        files: implementations::files,
    },
    Kind {
        addresses: &["implementations/*/"],
        files: implementation::files,
    },
    Kind {
        addresses: &["implementations/*/*/*/"],
        files: report::files,
    },
    Kind {
        addresses: &["changes/", "implementations/*/changes/"],
        files: changes::files,
    },
    Kind {
        addresses: &["features/", "features/*/"],
        files: features::files,
    },
    Kind {
        addresses: &["matrix/", "matrix/*/*/"],
        files: matrix::files,
    },
    Kind {
        addresses: &["calendar/"],
        files: calendar::files,
    },
    Kind {
        addresses: &["outlook/", "outlook/*/"],
        files: outlook::files,
    },
    Kind {
        addresses: &["rules/", "rules/*/*/"],
        files: rules::files,
    },
    Kind {
        addresses: &["about/"],
        files: about::files,
    },
    Kind {
        addresses: &["find/"],
        files: find::files,
    },
    // Where there is a module for it.
    Kind {
        addresses: &["check/"],
        files: check::files,
    },
    Kind {
        addresses: &["findings/"],
        files: finding::files,
    },
    Kind {
        addresses: &["compare/"],
        files: compare::files,
    },
    Kind {
        addresses: &["badges/"],
        files: badges::files,
    },
    Kind {
        addresses: &[paths::NOT_FOUND],
        files: not_found::files,
    },
];

/// The shapes of the addresses of all pages, below the site's folder: `*` stands for one name.
pub fn page_addresses() -> impl Iterator<Item = &'static str> {
    KINDS.iter().flat_map(|kind| kind.addresses).copied()
}

/// All pages, and the static files that they use.
pub(super) fn files(input: &Input<'_>, model: &SiteModel<'_>) -> Vec<File> {
    let site = SiteContext::of(input, model);
    let pages = KINDS.par_iter().flat_map_iter(|kind| (kind.files)(&site));
    let mut files: Vec<File> = pages.collect();
    files.extend(site.assets.files());
    files
}
