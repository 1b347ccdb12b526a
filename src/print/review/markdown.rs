//! A review as Markdown of GitHub's kind.

use super::facts::{self, SiteChanges, Style};
use super::human::short;
use crate::print::diff::shortened;
use crate::review::Review;
use crate::text::counted;
use crate::text::escape::{markdown_code, markdown_text};

const STYLE: Style = Style {
    text: |value| markdown_text(&shortened(value)),
    code: markdown_code,
};

/// Most reports that are listed without being asked for.
const MAX_OPEN: usize = 20;

/// A part of a page: a line or two, and a list below it.
pub(in crate::print) struct Section {
    /// Markdown above the list; for a folded one, its name.
    pub(in crate::print) head: String,
    /// The items, as Markdown in one line each.
    pub(in crate::print) items: Vec<String>,
    /// Shown only on demand.
    pub(in crate::print) is_folded: bool,
}

/// What the site will show, then the reports, then losses and gains.
pub(in crate::print) fn sections(review: &Review) -> Vec<Section> {
    let mut sections = Vec::new();
    let mut add = |head: String, items: Vec<String>, is_folded| {
        sections.push(Section {
            head,
            items,
            is_folded,
        });
    };
    let site = SiteChanges::of(review, STYLE);
    if !review.verdicts.is_empty() {
        add(
            "### What the site will show".to_owned(),
            site.touched,
            false,
        );
        if !site.others.is_empty() {
            add(format!("{}:", site.reason), site.others, false);
        }
    }
    let (revision, commit) = (markdown_code(&review.revision), short(&review.commit));
    let touched = counted(review.touched.len(), "submission");
    let head = format!("### Reports\n\nSince {revision} (commit `{commit}`): {touched} changed.");
    let reports = review.reports.iter();
    let reports: Vec<String> = reports.map(|one| facts::report(one, STYLE)).collect();
    match reports.len() {
        0..=MAX_OPEN => add(head, reports, false),
        count => {
            add(head, Vec::new(), false);
            add(format!("All reports: {count}"), reports, true);
        }
    }
    for (name, items) in facts::groups(review, STYLE) {
        if !items.is_empty() {
            add(format!("{name}: {}", items.len()), items, true);
        }
    }
    sections
}
