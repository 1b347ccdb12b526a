//! Renders redirect pages for aliases and removed pages. They are omitted from the sitemap and from
//! indexes. [`crate::site::badge::files_of`] writes the badges of former names.

use askama::Template;

use super::File;
use super::model::SiteModel;
use super::paths::{self, BaseUrl};

#[derive(Template)]
#[template(path = "former.html")]
struct FormerPage<'s> {
    title: &'s str,
    to: String,
    canonical: Option<String>,
}

/// Renders redirect pages for removed pages and for each alias. `written` contains the sorted paths of all other pages.
pub(super) fn pages(
    model: &SiteModel<'_>,
    written: &[String],
    base: Option<&BaseUrl>,
    out: &dyn Fn(Vec<File>),
) {
    let is_written = |page: &String| written.binary_search(&paths::page_file(page)).is_ok();
    let redirect = |title: &str, from: &str, to: &str| {
        let page = FormerPage {
            title,
            to: paths::relative(&paths::to_root(from), to),
            canonical: base.map(|base| base.join(to)),
        };
        File::rendered(&paths::page_file(from), &page)
    };
    let removed = [
        ("When conformance expires", paths::CALENDAR_PAGE),
        ("All implementations", paths::IMPLEMENTATIONS_PAGE),
    ];
    let removed = removed.map(|(title, from)| redirect(title, from, paths::HOME_PAGE));
    out(removed.into());
    for view in &model.implementations {
        for alias in &view.entry.aliases {
            let of_slug = |page: fn(&str) -> String| (page(alias), page(view.slug));
            let mut moves = vec![
                of_slug(paths::implementation_page),
                of_slug(paths::implementation_changes_page),
                of_slug(paths::gaps_page),
                of_slug(paths::outlook_page),
            ];
            for (address, at) in view.entry.former_addresses(alias) {
                let report = view.reports.get(at);
                moves.extend(
                    report.map(|report| {
                        (paths::report_page(&address), paths::report_page(&report.id))
                    }),
                );
            }
            moves.retain(|(_, to)| is_written(to));
            let files = moves.iter().map(|(from, to)| redirect(view.name, from, to));
            out(files.collect());
        }
    }
}
