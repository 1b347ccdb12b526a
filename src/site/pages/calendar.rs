//! `/calendar/`: when each verdict expires if no newer report is submitted.

use std::collections::{BTreeMap, BTreeSet};

use askama::Template;

use super::implementation::{Contact, contacts};
use super::page::{self, Head, Page, SiteContext};
use crate::certify::{Certified, Standing};
use crate::registry::Minor;
use crate::site::File;
use crate::site::model::{FamilyVerdict, ImplementationView};
use crate::site::paths;

#[derive(Template)]
#[template(path = "calendar.html")]
struct CalendarPage<'s> {
    head: Head<'s>,
    newest: Option<Minor>,
    unreported: Option<String>,
    next_review: Option<&'s str>,
    /// The next minor, where there is a page about it.
    upcoming: Option<Minor>,
    minors: Vec<Minor>,
    reviews: Vec<Review<'s>>,
}

/// The verdicts that change at one review.
struct Review<'s> {
    minor: Minor,
    rows: Vec<Row<'s>>,
}

struct Row<'s> {
    implementation: &'s ImplementationView<'s>,
    verdict: &'s FamilyVerdict<'s>,
    /// For each minor: whether the verdict holds then.
    bar: Vec<bool>,
    /// The review after which even a partial verdict is gone, where it is not this one.
    then_partial: Option<Minor>,
    contacts: Vec<Contact<'s>>,
}

pub(super) fn files(site: &SiteContext<'_>) -> Vec<File> {
    let mut reviews: BTreeMap<Minor, Vec<(&ImplementationView<'_>, &FamilyVerdict<'_>)>> =
        BTreeMap::new();
    for implementation in &site.model.implementations {
        for verdict in &implementation.families {
            if let Some(until) = verdict.certified.until {
                reviews
                    .entry(until)
                    .or_default()
                    .push((implementation, verdict));
            }
        }
    }
    let newest = site.model.catalog.minors.newest();
    let from = reviews
        .values()
        .flatten()
        .filter_map(|(_, verdict)| verdict.certified.basis.minor);
    let known: BTreeSet<Minor> = from.chain(reviews.keys().copied()).chain(newest).collect();
    let minors = filled(&known);
    let reviews = reviews.into_iter().map(|(minor, mut rows)| {
        rows.sort_by_cached_key(|(implementation, verdict)| {
            (implementation.name.to_lowercase(), verdict.family)
        });
        Review {
            minor,
            rows: rows
                .into_iter()
                .map(|(implementation, verdict)| Row {
                    bar: minors
                        .iter()
                        .map(|at| {
                            verdict
                                .certified
                                .basis
                                .minor
                                .is_some_and(|from| *at >= from && *at < minor)
                        })
                        .collect(),
                    then_partial: then_partial(site, verdict.certified, minor),
                    contacts: contacts(verdict.basis),
                    implementation,
                    verdict,
                })
                .collect(),
        }
    });
    let page = CalendarPage {
        head: site.head(
            &Page {
                path: paths::CALENDAR_PAGE,
                title: "Calendar",
                description: "When each Gateway API conformance verdict expires unless a newer report is submitted.",
            },
            &[],
        ),
        newest,
        unreported: page::unreported(site),
        next_review: site.next_review,
        upcoming: site
            .model
            .registry
            .upcoming()
            .map(|release| release.version().minor()),
        reviews: reviews.collect(),
        minors,
    };
    vec![page::file(paths::CALENDAR_PAGE, &page)]
}

/// The minor until which a conformant report that has become too old counts as partial.
fn then_partial(site: &SiteContext<'_>, certified: &Certified, until: Minor) -> Option<Minor> {
    let catalog = site.model.catalog;
    let is_conformant = certified.standing == Standing::Conformant;
    let from = certified.basis.minor.filter(|_| is_conformant)?;
    let end = catalog.minors.end(from, catalog.windows.partial)?;
    (end > until).then_some(end)
}

/// All minors between the first and the last of one major, named or not.
fn filled(minors: &BTreeSet<Minor>) -> Vec<Minor> {
    const MOST: u64 = 20;
    match (minors.first(), minors.last()) {
        (Some(first), Some(last))
            if first.major == last.major && last.minor - first.minor <= MOST =>
        {
            let all = first.minor..=last.minor;
            all.map(|minor| Minor {
                major: first.major,
                minor,
            })
            .collect()
        }
        _ => minors.iter().copied().collect(),
    }
}
