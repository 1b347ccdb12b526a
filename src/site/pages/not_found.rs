//! Renders `404.html`. Servers return the page for any path, so links are absolute if the base URL
//! is known.

use askama::Template;

use super::page::{Head, SiteContext};
use crate::site::File;
use crate::site::paths;

#[derive(Template)]
#[template(path = "not_found.html")]
struct NotFoundPage<'s> {
    head: Head<'s>,
}

pub(super) fn files(site: &SiteContext<'_>) -> Vec<File> {
    let about = "This page does not exist.";
    let head = site.head(paths::HOME_PAGE, "Page not found", about);
    let page = NotFoundPage {
        head: head.at_any_address(site.base),
    };
    vec![File::rendered(paths::NOT_FOUND, &page)]
}
