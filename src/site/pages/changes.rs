//! Renders `/changes/` and `/implementations/<i>/changes/`, with differences between consecutive
//! reports.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use askama::Template;
use rayon::prelude::*;

use super::history::{self, Event};
use super::layout::{self, Head, SiteContext};
use super::{MAX_ROWS, Out};
use crate::site::File;
use crate::site::model::{ImplementationView, ReportView, report_name};
use crate::site::paths;
use gwconform_base::api::Minor;
use gwconform_base::text::counted;

#[derive(Template)]
#[template(path = "changes.html")]
struct ChangesPage<'s> {
    head: Head<'s>,
    releases: Vec<ReleaseEvents>,
    more: usize,
}

struct ReleaseEvents {
    id: String,
    name: String,
    counts: String,
    events: Vec<Event>,
}

#[derive(Template)]
#[template(path = "implementation_changes.html")]
struct ImplementationChangesPage<'s> {
    head: Head<'s>,
    implementation: &'s ImplementationView<'s>,
    releases: Vec<ReleaseSteps<'s>>,
    /// Number of older reports that are not listed.
    more: usize,
}

struct ReleaseSteps<'s> {
    name: String,
    counts: String,
    steps: Vec<Step<'s>>,
}

struct Step<'s> {
    id: String,
    name: String,
    page: String,
    day: Option<String>,
    previous: Option<(String, String)>,
    groups: Vec<history::Group<'s>>,
}

pub(super) fn make(site: &SiteContext<'_>, out: &Out<'_>) {
    out(vec![changes_page(site)]);
    let all = site.model.implementations.par_iter();
    let changed = all.filter(|implementation| implementation.has_changes());
    changed.for_each(|implementation| out(vec![implementation_changes_page(site, implementation)]));
}

fn changes_page(site: &SiteContext<'_>) -> File {
    let mut events = history::newest(site);
    let mut by_minor: BTreeMap<Reverse<Option<Minor>>, Vec<Event>> = BTreeMap::new();
    for event in events.by_ref().take(MAX_ROWS) {
        by_minor
            .entry(Reverse(event.minor))
            .or_default()
            .push(event);
    }
    let releases = by_minor.into_iter().map(|(Reverse(minor), events)| {
        let newest = events.first().and_then(|event| event.day.as_deref());
        let of = newest.map_or_else(String::new, |day| format!(", newest {day}"));
        ReleaseEvents {
            name: release_name(minor),
            id: paths::changes_of(minor),
            counts: counted(events.len(), "submission") + &of,
            events,
        }
    });
    let about =
        "New conformance reports of Gateway API implementations, and what each gained and lost.";
    let page = ChangesPage {
        head: site
            .head(paths::CHANGES_PAGE, "Changes", about)
            .with_feed("Gateway API conformance reports", paths::FEED),
        releases: releases.collect(),
        more: events.count(),
    };
    layout::file(paths::CHANGES_PAGE, &page)
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
    let newest_first = implementation.reports.iter().rev();
    let reports: Vec<_> = newest_first.take(MAX_ROWS).collect();
    let minors = reports.chunk_by(|a, b| a.minor() == b.minor());
    let releases = minors.map(|reports| ReleaseSteps {
        name: release_name(reports.first().and_then(|report| report.minor())),
        counts: counted(reports.len(), "report"),
        steps: reports.iter().map(|report| step(site, report)).collect(),
    });
    let page = ImplementationChangesPage {
        head: site.head(&path, &title, &description).with_feed(
            format!("{}: Gateway API conformance", implementation.name),
            paths::implementation_feed(implementation.slug),
        ),
        releases: releases.collect(),
        more: implementation.reports.len() - reports.len(),
        implementation,
    };
    layout::file(&path, &page)
}

fn step<'s>(site: &SiteContext<'_>, report: &'s ReportView<'_>) -> Step<'s> {
    let before = site.model.previous(report);
    Step {
        id: paths::changes_section(&report.entry.release, &report.entry.slug),
        name: report_name(report),
        page: report.page(),
        day: history::day(report),
        previous: before.map(|before| (before.page(), history::compared(before, report))),
        groups: history::groups(site, report),
    }
}

fn release_name(minor: Option<Minor>) -> String {
    minor.map_or_else(
        || "Without a known release".to_owned(),
        |minor| minor.to_string(),
    )
}
