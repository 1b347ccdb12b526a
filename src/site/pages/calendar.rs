//! Renders `/calendar/`, which shows when each verdict expires without a newer report.

use askama::Template;

use super::implementation::{Contact, contacts};
use super::page::{self, Head, SiteContext};
use super::timeline::{Bars, Chart};
use crate::api::{Family, Minor};
use crate::certify::{Certified, Standing};
use crate::site::File;
use crate::site::model::{FamilyVerdict, ImplementationView};
use crate::site::paths;

/// Maximum rows with bars. Larger pages list reviews as text to limit the page size.
const MAX_BARS: usize = 250;

#[derive(Template)]
#[template(path = "calendar.html")]
struct CalendarPage<'s> {
    head: Head<'s>,
    newest: Option<Minor>,
    unreported: Option<String>,
    next_review: Option<&'s str>,
    /// Unreleased minor with an outlook page.
    upcoming: Option<Minor>,
    chart: Chart,
    rows: Vec<ReleaseRow<'s>>,
    has_bars: bool,
    changes: Vec<(Minor, usize)>,
}

struct ReleaseRow<'s> {
    implementation: &'s ImplementationView<'s>,
    verdict: &'s FamilyVerdict<'s>,
    bars: Bars,
    stages: Stages,
    contacts: Vec<Contact<'s>>,
}

struct Stages {
    /// Last conformant minor; `None` if the verdict is already partial.
    conformant: Option<Minor>,
    /// Last partially conformant minor; `None` if the verdict is never partial.
    partial: Option<Minor>,
}

impl Stages {
    fn next(&self) -> Option<Minor> {
        self.conformant.or(self.partial)
    }
}

pub(super) fn files(site: &SiteContext<'_>) -> Vec<File> {
    let timelines = [Family::Gateway, Family::Mesh].map(|family| site.model.timeline(family));
    let [first, _] = &timelines;
    let chart = Chart::new(first, first.reviews.len());
    let all = timelines.iter().flat_map(|timeline| &timeline.rows);
    let rows = all.filter_map(|row| {
        Some(ReleaseRow {
            implementation: row.implementation,
            verdict: row.verdict,
            bars: chart.bars(row),
            stages: stages(site, row.verdict.certified)?,
            contacts: contacts(row.verdict.basis),
        })
    });
    let mut rows: Vec<_> = rows.collect();
    rows.sort_by_cached_key(|row| {
        let name = row.implementation.name.to_lowercase();
        (
            row.stages.next(),
            row.stages.partial,
            name,
            row.verdict.family,
        )
    });
    let reviews = rows.chunk_by(|a, b| a.stages.next() == b.stages.next());
    let changes = reviews.filter_map(|rows| Some((rows.first()?.stages.next()?, rows.len())));
    let page = CalendarPage {
        head: site.head(
            paths::CALENDAR_PAGE,
            "Calendar",
            "When each Gateway API conformance verdict expires unless a newer report is submitted.",
        ),
        newest: site.model.catalog.minors.newest(),
        unreported: page::unreported(site),
        next_review: site.next_review,
        upcoming: site
            .model
            .registry
            .upcoming()
            .map(|release| release.version().minor()),
        changes: changes.collect(),
        has_bars: rows.len() <= MAX_BARS,
        chart,
        rows,
    };
    vec![page::file(paths::CALENDAR_PAGE, &page)]
}

fn stages(site: &SiteContext<'_>, certified: &Certified) -> Option<Stages> {
    let catalog = site.model.catalog;
    let until = certified.until?;
    if certified.standing != Standing::Conformant {
        return Some(Stages {
            conformant: None,
            partial: Some(until),
        });
    }
    let from = certified.basis.minor;
    let end = from.and_then(|from| catalog.minors.end(from, catalog.windows.partial));
    Some(Stages {
        conformant: Some(until),
        partial: end.filter(|end| *end > until),
    })
}
