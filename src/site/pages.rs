//! HTML pages. Each module renders one kind of page: a function from [`SiteContext`] to files, and
//! a template in `templates/` with the same name.

mod assets;
mod chart;
mod dataset;
mod feature_badge;
mod feature_table;
mod history;
mod mark;
mod layout;
mod search;

mod about;
mod answer;
mod api;
mod badges;
mod changes;
mod check;
mod coming;
mod compare;
mod features;
mod field;
mod find;
mod finding;
mod gaps;
mod home;
mod implementation;
mod matrix;
mod inline;
mod not_found;
mod outlook;
mod report;
mod rules;
mod test_pages;

use rayon::prelude::*;

use super::File;
use super::Input;
use super::api::PartCounts;
use super::model::SiteModel;
use layout::SiteContext;

/// Maximum rows of a list, so that pages of large trees stay below one megabyte. The data files
/// contain all rows.
const MAX_ROWS: usize = 200;

type Out<'o> = dyn Fn(Vec<File>) + Sync + 'o;

/// Kinds with few pages.
const KINDS: [fn(&SiteContext<'_>) -> Vec<File>; 12] = [
    home::files,
    outlook::files,
    about::files,
    api::files,
    find::files,
    check::files,
    finding::files,
    compare::files,
    answer::files,
    badges::files,
    feature_badge::files,
    not_found::files,
];

/// Kinds with many pages. They pass on each page to limit memory.
const LARGE_KINDS: [fn(&SiteContext<'_>, &Out<'_>); 8] = [
    report::make,
    gaps::make,
    matrix::make,
    implementation::make,
    changes::make,
    features::make,
    test_pages::make,
    rules::make,
];

pub(super) fn make(input: &Input<'_>, model: &SiteModel<'_>, data: &PartCounts, out: &Out<'_>) {
    let site = SiteContext::new(input, model, data);
    rayon::join(
        || LARGE_KINDS.par_iter().for_each(|make| make(&site, out)),
        || KINDS.par_iter().for_each(|files| out(files(&site))),
    );
    out(site.assets.files());
}
