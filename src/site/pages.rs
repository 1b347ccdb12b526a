//! The pages, one module for each kind: a function of the [`SiteContext`] that returns files. Its template
//! has the same name in `templates/`.

mod assets;
mod chart;
mod feature_table;
mod history;
mod mark;
mod page;

mod about;
mod badges;
mod calendar;
mod changes;
mod compare;
mod features;
mod find;
mod home;
mod implementation;
mod implementations;
mod matrix;
mod report;
mod rules;

use rayon::prelude::*;

use super::File;
use super::Input;
use super::model::SiteModel;
use page::SiteContext;

/// All pages, and the static files that they use.
pub(super) fn files(input: &Input<'_>, model: &SiteModel<'_>) -> Vec<File> {
    let site = SiteContext::of(input, model);
    let mut files = site.assets.files();
    files.extend(pages(&site));
    files
}

fn pages(site: &SiteContext<'_>) -> Vec<File> {
    let kinds: &[fn(&SiteContext<'_>) -> Vec<File>] = &[
        home::files,
        implementations::files,
        implementation::files,
        report::files,
        changes::files,
        features::files,
        matrix::files,
        calendar::files,
        rules::files,
        about::files,
        find::files,
        compare::files,
        badges::files,
    ];
    kinds.par_iter().flat_map_iter(|kind| kind(site)).collect()
}
