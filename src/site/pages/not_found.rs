//! `404.html`: what a server shows for an address that leads nowhere. The address can be any, so links are
//! absolute where that of the site is known; without it they hold at the top of the site.

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
