//! Renders `/about/`, which explains the site and its data, and lists omitted inputs.

use askama::Template;

use super::mark::{self, Mark};
use super::page::{self, Head, SiteContext};
use crate::api::Minor;
use crate::site::paths;
use crate::site::{File, left_out};

#[derive(Template)]
#[template(path = "about.html")]
struct AboutPage<'s> {
    head: Head<'s>,
    made_from: &'s str,
    newest: Option<Minor>,
    conformant: u32,
    partial: u32,
    key: Vec<(Mark, &'static str)>,
    left_out: Vec<(&'s str, &'s str)>,
    partly: Vec<(&'s str, &'s str)>,
}

pub(super) fn files(site: &SiteContext<'_>) -> Vec<File> {
    let catalog = site.model.catalog;
    let left_out: Vec<_> = left_out(catalog)
        .into_iter()
        .map(|one| (&*one.path, &*one.reason))
        .collect();
    let partly = site.model.reports().iter().flat_map(|report| {
        let remarks = report.remarks.iter();
        remarks.map(|reason| (report.facts().path.as_str(), *reason))
    });
    let about = "How verdicts on Gateway API implementations are decided, what the symbols mean, and where to find the data.";
    let page = AboutPage {
        head: site.head(paths::ABOUT_PAGE, "How to read this site", about),
        made_from: &site.made_from,
        newest: catalog.minors.newest(),
        conformant: catalog.windows.conformant,
        partial: catalog.windows.partial,
        key: mark::key(),
        left_out,
        partly: partly.collect(),
    };
    vec![page::file(paths::ABOUT_PAGE, &page)]
}
