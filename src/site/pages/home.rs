//! Renders `/`, with current verdicts and recent changes.

use askama::Template;

use super::chart;
use super::dataset;
use super::history::{self, Event};
use super::page::{self, Head, SiteContext};
use super::timeline::{Bars, Chart};
use crate::api::{Family, Minor};
use crate::certify::Standing;
use crate::site::File;
use crate::site::model::{FamilyVerdict, ImplementationView, NEXT_REVIEWS, Timeline};
use crate::site::paths;
use crate::text::counted;

const CHANGES: usize = 8;

/// Maximum rows per family. The best verdicts are kept.
const MAX_ROWS: usize = 200;

#[derive(Template)]
#[template(path = "home.html")]
struct HomePage<'s> {
    head: Head<'s>,
    headline: String,
    unreported: Option<String>,
    next_review: Option<&'s str>,
    families: Vec<FamilyChart<'s>>,
    changes: Vec<Event>,
    dataset: String,
}

/// Title, counts, chart, rows, and number of omitted rows.
type FamilyChart<'s> = (
    &'static str,
    Vec<Count>,
    Chart,
    Vec<ImplementationRow<'s>>,
    usize,
);

struct Count {
    class: &'static str,
    number: usize,
    label: String,
}

struct ImplementationRow<'s> {
    implementation: &'s ImplementationView<'s>,
    verdict: &'s FamilyVerdict<'s>,
    bars: Bars,
}

pub(super) fn files(site: &SiteContext<'_>) -> Vec<File> {
    let catalog = site.model.catalog;
    let minors = catalog.minors.newest_ones(catalog.windows.conformant);
    let timelines = [Family::Gateway, Family::Mesh].map(|family| site.model.timeline(family));
    let families = timelines
        .iter()
        .filter(|timeline| !timeline.rows.is_empty());
    let headline = headline(&site.model.implementations, &minors);
    let description = format!("{headline}, based on their conformance reports.");
    let home = HomePage {
        head: site
            .head(
                paths::HOME_PAGE,
                "Conformant gateways and meshes",
                &description,
            )
            .with_feed("Gateway API conformance reports", paths::FEED),
        headline,
        unreported: page::unreported(site),
        next_review: site.next_review,
        families: families.map(family).collect(),
        changes: history::newest(site).into_iter().take(CHANGES).collect(),
        dataset: dataset::json(site),
    };
    vec![page::file(paths::HOME_PAGE, &home)]
}

fn family<'s>(timeline: &Timeline<'s, 's>) -> FamilyChart<'s> {
    let chart = Chart::new(timeline, NEXT_REVIEWS);
    let rows = timeline
        .rows
        .iter()
        .take(MAX_ROWS)
        .map(|row| ImplementationRow {
            bars: chart.bars(row),
            implementation: row.implementation,
            verdict: row.verdict,
        });
    let rows = rows.collect();
    let more = timeline.rows.len().saturating_sub(MAX_ROWS);
    (plural(timeline.family), counts(timeline), chart, rows, more)
}

fn headline(all: &[ImplementationView<'_>], minors: &[Minor]) -> String {
    let count = |family| {
        let verdicts = all
            .iter()
            .filter_map(|implementation| implementation.family(family));
        verdicts
            .filter(|verdict| verdict.certified.standing == Standing::Conformant)
            .count()
    };
    let (gateways, meshes) = (count(Family::Gateway), count(Family::Mesh));
    let mut parts = vec![counted(gateways, "gateway")];
    if meshes > 0 {
        parts.push(if meshes == 1 {
            "1 mesh".to_owned()
        } else {
            format!("{meshes} meshes")
        });
    }
    let verb = if gateways + meshes == 1 { "is" } else { "are" };
    let minors: Vec<_> = minors.iter().map(ToString::to_string).collect();
    let with = match minors.as_slice() {
        [] => String::new(),
        [one] => format!(" {one}"),
        [rest @ .., last] => format!(" {} or {last}", rest.join(", ")),
    };
    format!(
        "{} {verb} conformant with Gateway API{with}",
        parts.join(" and ")
    )
}

fn plural(family: Family) -> &'static str {
    match family {
        Family::Gateway => "Gateways",
        Family::Mesh => "Meshes",
    }
}

fn counts(timeline: &Timeline<'_, '_>) -> Vec<Count> {
    let groups = timeline
        .rows
        .chunk_by(|a, b| a.verdict.order() == b.verdict.order());
    let counts = groups.filter_map(|rows| {
        let verdict = rows.first()?.verdict;
        Some(Count {
            class: verdict.mark().class,
            number: rows.len(),
            label: label(verdict),
        })
    });
    counts.collect()
}

fn label(verdict: &FamilyVerdict<'_>) -> String {
    match verdict.certified.standing {
        Standing::Conformant => format!("conformant in {}", verdict.minor()),
        Standing::PartiallyConformant if verdict.is_aged() => "partial, older release".to_owned(),
        Standing::PartiallyConformant => "partial, tests skipped or failed".to_owned(),
        Standing::Disputed => "disputed".to_owned(),
        Standing::NotCurrent => "not current".to_owned(),
    }
}

pub(super) fn minors_of(all: &[ImplementationView<'_>]) -> Vec<Minor> {
    let minors: std::collections::BTreeSet<_> = all
        .iter()
        .flat_map(|implementation| &implementation.counts)
        .map(|counts| counts.minor)
        .collect();
    minors.into_iter().collect()
}

pub(super) fn most_extended(all: &[ImplementationView<'_>]) -> usize {
    let counts = all.iter().flat_map(|implementation| &implementation.counts);
    counts
        .map(|counts| counts.extended)
        .max()
        .unwrap_or_default()
}

pub(super) fn spark(
    implementation: &ImplementationView<'_>,
    minors: &[Minor],
    most: usize,
) -> String {
    let of = |minor: &Minor| {
        let mut counts = implementation.counts.iter();
        counts
            .find(|counts| counts.minor == *minor)
            .map(|counts| counts.extended)
    };
    chart::bars(&minors.iter().map(of).collect::<Vec<_>>(), most)
}
