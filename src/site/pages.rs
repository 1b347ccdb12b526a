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
use page::SiteContext;

/// Where pages go, a few at a time.
type Out<'o> = dyn Fn(Vec<File>) + Sync + 'o;

/// The kinds of pages, but for those of reports, which are so many that they are handed on a few at a
/// time. The tests of the site list the addresses of each kind.
const KINDS: [fn(&SiteContext<'_>) -> Vec<File>; 16] = [
    home::files,
    implementations::files,
    implementation::files,
    changes::files,
    features::files,
    matrix::files,
    calendar::files,
    outlook::files,
    rules::files,
    about::files,
    find::files,
    check::files,
    finding::files,
    compare::files,
    badges::files,
    not_found::files,
];

/// Makes all pages, and the static files that they use.
pub(super) fn make(input: &Input<'_>, model: &SiteModel<'_>, out: &Out<'_>) {
    let site = SiteContext::new(input, model);
    rayon::join(
        || report::make(&site, out),
        || KINDS.par_iter().for_each(|files| out(files(&site))),
    );
    out(site.assets.files());
}
