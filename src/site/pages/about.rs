//! `/about/`: how to read the site, its data, and what was left out.

use askama::Template;

use crate::registry::Minor;
use crate::site::mark::{self, Mark};
use crate::site::page::{self, Head, Page, SiteContext};
use crate::site::paths;
use crate::site::{File, left_out};

#[derive(Template)]
#[template(path = "about.html")]
struct About<'s> {
    head: Head<'s>,
    made_from: &'s str,
    newest: Option<Minor>,
    conformant: u32,
    partial: u32,
    key: Vec<(Mark, &'static str)>,
    /// Path and reason of what is not shown at all.
    left_out: Vec<(&'s str, &'s str)>,
    /// The same of what is shown in part.
    partly: Vec<(&'s str, &'s str)>,
    api: &'static str,
}

pub(super) fn files(site: &SiteContext<'_>) -> Vec<File> {
    let catalog = site.view.catalog;
    let left_out: Vec<_> = left_out(catalog)
        .into_iter()
        .map(|one| (&*one.path, &*one.reason))
        .collect();
    let partly = site.view.reports.iter().flat_map(|seen| {
        let remarks = seen.remarks.iter();
        remarks.map(|reason| (seen.facts().path.as_str(), *reason))
    });
    let page = About {
        head: site.head(
            &Page {
                path: paths::ABOUT_PAGE,
                title: "How to read this site",
                description: "How verdicts on Gateway API implementations are made from their conformance reports, what the signs mean, and where the data is.",
            },
            &[],
        ),
        made_from: &site.made_from,
        newest: catalog.minors.newest(),
        conformant: catalog.windows.conformant,
        partial: catalog.windows.partial,
        key: mark::key(),
        left_out,
        partly: partly.collect(),
        api: paths::DATA_FOLDER,
    };
    vec![page::file(paths::ABOUT_PAGE, &page)]
}
