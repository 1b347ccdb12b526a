//! `/changes/` and `/implementations/<i>/changes/`: what changed from report to report.

use askama::Template;

use crate::site::File;
use crate::site::history::{self, Event};
use crate::site::implementation_view::ImplementationView;
use crate::site::page::{self, Head, Page, SiteContext};
use crate::site::paths;
use crate::site::words::report_name;

/// Most reports on the page of all changes; each implementation's own page has all of its.
const MAX_EVENTS: usize = 150;

#[derive(Template)]
#[template(path = "changes.html")]
struct Changes<'s> {
    head: Head<'s>,
    months: Vec<(String, Vec<Event>)>,
    more: usize,
}

#[derive(Template)]
#[template(path = "implementation_changes.html")]
struct Own<'s> {
    head: Head<'s>,
    shown: &'s ImplementationView<'s>,
    steps: Vec<Step<'s>>,
}

/// From a report to the next.
struct Step<'s> {
    name: String,
    path: String,
    day: Option<String>,
    before: Option<(String, String)>,
    groups: Vec<history::Group<'s>>,
}

pub(super) fn files(site: &SiteContext<'_>) -> Vec<File> {
    let own = site.shown.iter().map(|shown| own(site, shown));
    [all(site)].into_iter().chain(own).collect()
}

fn all(site: &SiteContext<'_>) -> File {
    let events = history::newest(site);
    let more = events.len().saturating_sub(MAX_EVENTS);
    let mut months: Vec<(String, Vec<Event>)> = Vec::new();
    for event in events.into_iter().take(MAX_EVENTS) {
        let month = event.day.as_deref().and_then(|day| day.get(..7));
        let month = month
            .unwrap_or("Without a date that can be read")
            .to_owned();
        match months.last_mut() {
            Some((last, events)) if *last == month => events.push(event),
            _ => months.push((month, vec![event])),
        }
    }
    let page = Changes {
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

fn own(site: &SiteContext<'_>, shown: &ImplementationView<'_>) -> File {
    let path = paths::implementation_changes_page(&shown.one.slug);
    let title = format!("Changes of {}", shown.one.name);
    let description = format!(
        "What {} gained and lost from one Gateway API conformance report to the next.",
        shown.one.name
    );
    let reports = site.view.reports_of(shown.at).iter().rev();
    let steps = reports.map(|seen| {
        let before = seen.before.and_then(|at| site.view.reports.get(at));
        Step {
            name: report_name(seen),
            path: seen.page(),
            day: history::day(seen),
            before: before.map(|before| (before.page(), history::compared(before, seen))),
            groups: history::groups(site, seen),
        }
    });
    let page = Own {
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
                format!("{}: Gateway API conformance", shown.one.name),
                paths::implementation_feed(&shown.one.slug),
            ),
        steps: steps.collect(),
        shown,
    };
    page::file(&path, &page)
}
