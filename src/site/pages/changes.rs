//! `/changes/` and `/implementations/<i>/changes/`: what changed from report to report.

use askama::Template;

use super::history::{self, Event};
use super::page::{self, Head, Page, SiteContext};
use crate::site::File;
use crate::site::model::{ImplementationView, report_name};
use crate::site::paths;

/// Most reports on the page of all changes; each implementation's own page has all of its.
const MAX_EVENTS: usize = 150;

#[derive(Template)]
#[template(path = "changes.html")]
struct ChangesPage<'s> {
    head: Head<'s>,
    months: Vec<(String, Vec<Event>)>,
    more: usize,
}

#[derive(Template)]
#[template(path = "implementation_changes.html")]
struct ImplementationChangesPage<'s> {
    head: Head<'s>,
    implementation: &'s ImplementationView<'s>,
    steps: Vec<Step<'s>>,
}

/// From a report to the next.
struct Step<'s> {
    /// Of its section in the page.
    id: String,
    name: String,
    page: String,
    day: Option<String>,
    previous: Option<(String, String)>,
    groups: Vec<history::Group<'s>>,
}

pub(super) fn files(site: &SiteContext<'_>) -> Vec<File> {
    let own = site
        .model
        .implementations
        .iter()
        .map(|implementation| implementation_changes_page(site, implementation));
    [changes_page(site)].into_iter().chain(own).collect()
}

fn changes_page(site: &SiteContext<'_>) -> File {
    let events = history::newest(site);
    let more = events.len().saturating_sub(MAX_EVENTS);
    let mut months: Vec<(String, Vec<Event>)> = Vec::new();
    for event in events.into_iter().take(MAX_EVENTS) {
        let month = event
            .day
            .as_deref()
            .and_then(|day| day.get(..7))
            .unwrap_or("Without a date that can be read")
            .to_owned();
        match months.last_mut() {
            Some((last, events)) if *last == month => events.push(event),
            _ => months.push((month, vec![event])),
        }
    }
    let page = ChangesPage {
        head: site
            .head(
                &Page {
                    path: paths::CHANGES_PAGE,
                    title: "Changes",
                    description: "New conformance reports of Gateway API implementations, and what each gained and lost.",
                },
                &[],
            )
            .with_feed("Gateway API conformance reports", paths::FEED),
        months,
        more,
    };
    page::file(paths::CHANGES_PAGE, &page)
}

fn implementation_changes_page(
    site: &SiteContext<'_>,
    implementation: &ImplementationView<'_>,
) -> File {
    let path = paths::implementation_changes_page(implementation.slug);
    let title = format!("Changes of {}", implementation.title);
    let description = format!(
        "What {} gained and lost from one Gateway API conformance report to the next.",
        implementation.name
    );
    let reports = implementation.reports.iter().rev();
    let steps = reports.map(|report| {
        let before = site.model.previous(report);
        Step {
            id: paths::changes_section(&report.entry.release, &report.entry.slug),
            name: report_name(report),
            page: report.page(),
            day: history::day(report),
            previous: before.map(|before| (before.page(), history::compared(before, report))),
            groups: history::groups(site, report),
        }
    });
    let page = ImplementationChangesPage {
        head: site
            .head(
                &Page {
                    path: &path,
                    title: &title,
                    description: &description,
                },
                &[],
            )
            .with_feed(
                format!("{}: Gateway API conformance", implementation.name),
                paths::implementation_feed(implementation.slug),
            ),
        steps: steps.collect(),
        implementation,
    };
    page::file(&path, &page)
}
