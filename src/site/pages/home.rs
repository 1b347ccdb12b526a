//! Renders `/`, with current verdicts and recent changes.

use std::collections::{BTreeMap, BTreeSet};

use askama::Template;

use super::MAX_ROWS;
use super::dataset;
use super::field::{self, PROFILES, Row};
use super::history::{self, Event};
use super::layout::{self, Head, SiteContext};
use crate::site::File;
use crate::site::model::{ImplementationView, NEXT_REVIEWS, Stages, is_claimed};
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
    /// Features that the filter offers, by name.
    features: Vec<&'s str>,
    /// Rows with the best verdicts.
    rows: Vec<(Filtered, Row<'s>)>,
    /// Implementations without a row.
    others: Vec<(Filtered, &'s ImplementationView<'s>)>,
    changes: Vec<Event>,
    dataset: String,
}

/// Values of an implementation for the filters, separated by spaces.
struct Filtered {
    words: String,
    profiles: String,
    families: String,
    /// A hexadecimal number, whose bits are those of [`HomePage::features`], the first lowest.
    features: String,
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
    let supported = supported(site);
    let filtered = |one: &ImplementationView<'_>| filtered(one, &supported);
    let (rows, others) = timeline.rows.split_at(timeline.rows.len().min(MAX_ROWS));
    let rows = rows.iter();
    let others = others.iter().map(|row| row.implementation);
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
        rows: rows
            .map(|row| {
                (
                    filtered(row.implementation),
                    field::row(site, &timeline, row),
                )
            })
            .collect(),
        others: others.map(|one| (filtered(one), one)).collect(),
        features: supported.keys().copied().collect(),
        minors: &timeline.minors,
        reviews: &timeline.reviews[..timeline.reviews.len().min(NEXT_REVIEWS)],
        changes: history::newest(site).take(CHANGES).collect(),
        dataset: dataset::json(site),
    };
    vec![layout::file(paths::HOME_PAGE, &home)]
}

/// Paths of the implementations that support each feature in a report for their newest minor.
/// Features that none supports are left out.
fn supported<'s>(site: &'s SiteContext<'_>) -> BTreeMap<&'s str, BTreeSet<&'s str>> {
    let model = site.model;
    let named = model.features.iter().filter(|view| view.page.is_some());
    let supported = named.map(|view| {
        let states = model.states(view.name).iter();
        let claiming = states.filter_map(|(nth, cells)| {
            let implementation = model.implementations.get(nth)?;
            let now = cells.now(implementation)?;
            is_claimed(now.state).then_some(implementation.slug)
        });
        (view.name, claiming.collect::<BTreeSet<_>>())
    });
    supported.filter(|(_, all)| !all.is_empty()).collect()
}

fn filtered(
    implementation: &ImplementationView<'_>,
    supported: &BTreeMap<&str, BTreeSet<&str>>,
) -> Filtered {
    let families = implementation.families.iter();
    let profiles: BTreeSet<&str> = families
        .clone()
        .flat_map(|verdict| &verdict.profiles)
        .map(|profile| profile.short.as_str())
        .collect();
    let own = supported
        .values()
        .map(|all| all.contains(implementation.slug));
    let bits: Vec<bool> = own.collect();
    let digits = bits.chunks(4).rev().map(|bits| {
        let bits = bits.iter().rev();
        bits.fold(0, |digit, bit| digit * 2 + u8::from(*bit))
    });
    Filtered {
        words: implementation.words(),
        profiles: Vec::from_iter(profiles).join(" "),
        families: Vec::from_iter(families.map(|verdict| verdict.family.as_str())).join(" "),
        features: digits.map(|digit| format!("{digit:x}")).collect(),
    }
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
