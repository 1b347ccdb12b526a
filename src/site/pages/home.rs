//! Renders `/`, with current verdicts and recent changes.

use std::collections::BTreeMap;

use askama::Template;

use super::MAX_ROWS;
use super::chart;
use super::dataset;
use super::field::{self, PROFILES, Row};
use super::history::{self, Event};
use super::layout::{self, Head, SiteContext};
use crate::site::File;
use crate::site::model::{ImplementationView, NEXT_REVIEWS, Stages};
use crate::site::paths;
use gwconform_base::api::{Family, Minor};
use gwconform_base::text::{counted, joined};
use gwconform_report::certify::Standing;

const CHANGES: usize = 8;

#[derive(Template)]
#[template(path = "home.html")]
struct HomePage<'s> {
    head: Head<'s>,
    headline: String,
    unreported: Option<String>,
    next_review: Option<&'s str>,
    /// Unreleased minor with an outlook page.
    upcoming: Option<Minor>,
    effects: String,
    minors: &'s [Minor],
    reviews: &'s [Minor],
    /// Rows with the best verdicts.
    rows: Vec<Row<'s>>,
    more: usize,
    changes: Vec<Event>,
    dataset: String,
}

impl HomePage<'_> {
    /// Columns of the table: button, name, verdict, releases, profiles, mesh, and expiry.
    fn columns(&self) -> usize {
        3 + self.minors.len() + self.reviews.len() + PROFILES.len() + 2
    }
}

pub(super) fn files(site: &SiteContext<'_>) -> Vec<File> {
    let catalog = site.model.catalog;
    let minors = catalog.minors.newest_ones(catalog.windows.conformant);
    let timeline = site.model.timeline();
    let headline = headline(&site.model.implementations, &minors);
    let description = format!("{headline}, based on their conformance reports.");
    let rows = timeline.rows.iter().take(MAX_ROWS);
    let home = HomePage {
        head: site
            .head(
                paths::HOME_PAGE,
                "Conformant gateways and meshes",
                &description,
            )
            .with_feed("Gateway API conformance reports", paths::FEED),
        headline,
        unreported: layout::unreported(site),
        next_review: site.next_review,
        upcoming: site.coming.map(|(_, release)| release.version().minor()),
        effects: effects(site),
        rows: rows.map(|row| field::row(site, &timeline, row)).collect(),
        more: timeline.rows.len().saturating_sub(MAX_ROWS),
        minors: &timeline.minors,
        reviews: &timeline.reviews[..timeline.reviews.len().min(NEXT_REVIEWS)],
        changes: history::newest(site).into_iter().take(CHANGES).collect(),
        dataset: dataset::json(site),
    };
    vec![layout::file(paths::HOME_PAGE, &home)]
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

/// Number of verdicts that change at each review, such as `9 at the v1.7 review and 11 at the v1.8
/// review`. Empty if no verdict is current.
fn effects(site: &SiteContext<'_>) -> String {
    let mut counts: BTreeMap<Minor, usize> = BTreeMap::new();
    let all = site.model.implementations.iter();
    for verdict in all.flat_map(|implementation| &implementation.families) {
        let stages = Stages::new(site.model.catalog, verdict);
        if let Some(next) = stages.and_then(|stages| stages.next()) {
            *counts.entry(next).or_default() += 1;
        }
    }
    let parts = counts.iter().enumerate().map(|(at, (minor, count))| {
        let what = match (at, count) {
            (0, 1) => "1 verdict changes".to_owned(),
            (0, _) => format!("{count} verdicts change"),
            _ => count.to_string(),
        };
        format!("{what} at the {minor} review")
    });
    joined(&Vec::from_iter(parts), "and")
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
