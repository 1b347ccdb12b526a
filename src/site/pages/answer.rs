//! Renders `/answer/`, where `site/search.js` shows the answer to a query.

use askama::Template;

use super::layout::{self, Head, SiteContext};
use crate::site::File;
use crate::site::paths;

#[derive(Template)]
#[template(path = "answer.html")]
struct AnswerPage<'s> {
    head: Head<'s>,
}

pub(super) fn files(site: &SiteContext<'_>) -> Vec<File> {
    let about = "Answer to a question about implementations and features of the Gateway API.";
    let head = site.head(paths::ANSWER_PAGE, "Answer", about);
    let (index, search) = (&site.assets.index, &site.assets.search);
    let page = AnswerPage {
        head: head.with_scripts(&[index, search]),
    };
    vec![layout::file(paths::ANSWER_PAGE, &page)]
}
