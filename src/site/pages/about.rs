//! Renders `/about/`, which explains the site and its data, and lists omitted inputs.

use askama::Template;

use super::layout::{self, Head, SiteContext};
use super::mark::{self, Mark};
use crate::site::model::{TERMS, Term};
use crate::site::paths;
use crate::site::{File, left_out};
use gwconform_base::api::Minor;

#[derive(Template)]
#[template(path = "about.html")]
struct AboutPage<'s> {
    head: Head<'s>,
    made_from: &'s str,
    newest: Option<Minor>,
    conformant: u32,
    partial: u32,
    key: Vec<(Mark, &'static str)>,
    terms: &'static [Term],
    facts: Facts<'s>,
    next_review: Option<&'s str>,
    has_check: bool,
    left_out: Vec<(&'s str, &'s str)>,
    partly: Vec<(&'s str, &'s str)>,
}

/// Configured facts about the site. A name has a URL if one is configured.
struct Facts<'s> {
    operator: Option<&'s str>,
    operator_url: Option<&'s str>,
    is_official: bool,
    license: Option<&'s str>,
    license_url: Option<&'s str>,
    submit_url: Option<&'s str>,
    source: Option<&'s str>,
}

impl<'s> Facts<'s> {
    fn new(site: &SiteContext<'s>) -> Self {
        let about = site.about;
        macro_rules! text {
            ($key:ident) => {
                about.$key.as_ref().map(|text| text.get_ref().as_str())
            };
        }
        Self {
            operator: text!(operator),
            operator_url: text!(operator_url),
            is_official: about.official,
            license: text!(license),
            license_url: text!(license_url),
            submit_url: text!(submit_url),
            source: site.source,
        }
    }
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
    let about = "Who runs this site, how verdicts on Gateway API implementations are decided, and what the words and symbols mean.";
    let page = AboutPage {
        head: site.head(paths::ABOUT_PAGE, "How to read this site", about),
        made_from: &site.made_from,
        newest: catalog.minors.newest(),
        conformant: catalog.windows.conformant,
        partial: catalog.windows.partial,
        key: mark::key(),
        terms: TERMS,
        facts: Facts::new(site),
        next_review: site.next_review,
        has_check: site.checker().is_some(),
        left_out,
        partly: partly.collect(),
    };
    vec![layout::file(paths::ABOUT_PAGE, &page)]
}
