//! Renders `404.html`. Servers return the page for any path, so links are absolute if the base URL
//! is known. Otherwise `site/not-found.js` finds the root of the site. The page includes its style,
//! because it cannot rely on a path to the style file.

use askama::Template;

use super::inline::Inline;
use super::layout::{Head, SiteContext};
use crate::site::File;
use crate::site::paths;

#[derive(Template)]
#[template(path = "not_found.html")]
struct NotFoundPage<'s> {
    head: Head<'s>,
}

const STYLE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/site/style.css"));
const SCRIPT: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/site/not-found.js"));

pub(super) fn files(site: &SiteContext<'_>) -> Vec<File> {
    let about = "This page does not exist.";
    let head = site.head(paths::HOME_PAGE, "Page not found", about);
    let script = site.base.is_none().then_some(SCRIPT);
    let page = NotFoundPage {
        head: head.at_any_address(site.base, Inline::new(STYLE, script)),
    };
    vec![File::rendered(paths::NOT_FOUND, &page)]
}
