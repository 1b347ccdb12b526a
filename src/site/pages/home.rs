//! `/`: who is conformant now, and what changed last.

use std::cmp::Reverse;

use askama::Template;

use crate::certify::Standing;
use crate::registry::{Family, Minor};
use crate::site::File;
use crate::site::chart;
use crate::site::history::{self, Event};
use crate::site::implementation_view::{FamilyVerdict, ImplementationView};
use crate::site::page::{self, Head, Page, SiteContext};
use crate::site::paths;
use crate::text::counted;

/// How many changes are told.
const CHANGES: usize = 8;

#[derive(Template)]
#[template(path = "home.html")]
struct Home<'s> {
    head: Head<'s>,
    headline: String,
    /// The newest minor and who is conformant with it, family by family.
    newest: Option<Minor>,
    first: Vec<(&'static str, Vec<&'s ImplementationView<'s>>)>,
    unreported: Option<String>,
    next_review: Option<&'s str>,
    boards: Vec<Board<'s>>,
    rows: Vec<Row<'s>>,
    spark_from: String,
    spark_to: String,
    not_current: usize,
    changes: Vec<Event>,
}

/// The implementations of a family by verdict.
struct Board<'s> {
    name: &'static str,
    groups: Vec<Group<'s>>,
}

struct Group<'s> {
    class: &'static str,
    label: String,
    members: Vec<Square<'s>>,
}

struct Square<'s> {
    shown: &'s ImplementationView<'s>,
    verdict: &'s FamilyVerdict<'s>,
}

/// A line of the list.
struct Row<'s> {
    shown: &'s ImplementationView<'s>,
    gateway: Option<&'s FamilyVerdict<'s>>,
    mesh: Option<&'s FamilyVerdict<'s>>,
    extended: Option<usize>,
    spark: String,
}

pub(super) fn files(site: &SiteContext<'_>) -> Vec<File> {
    let catalog = site.view.catalog;
    let minors = catalog.minors.newest_ones(catalog.windows.conformant);
    let most = most_extended(&site.shown);
    let all_minors = minors_of(&site.shown);
    let mut current: Vec<_> = site
        .shown
        .iter()
        .filter(|shown| shown.standing() != Standing::NotCurrent)
        .collect();
    current.sort_by_cached_key(|shown| {
        let best = shown.families.iter().map(order).min();
        (best, shown.one.name.to_lowercase(), shown.at)
    });
    let families = [Family::Gateway, Family::Mesh];
    let first = families.map(|family| {
        let is_first = |shown: &&&ImplementationView<'_>| {
            let verdict = shown.family(family).map(|verdict| verdict.certified);
            verdict.is_some_and(|verdict| {
                verdict.standing == Standing::Conformant
                    && verdict.basis.minor == catalog.minors.newest()
            })
        };
        let names = current.iter().filter(is_first).copied().collect::<Vec<_>>();
        (plural(family), names)
    });
    let home = Home {
        head: site
            .head(
                &Page {
                    path: paths::HOME_PAGE,
                    title: "Who is conformant",
                    description: "Which implementations of the Kubernetes Gateway API are conformant, by their own reports.",
                },
                &[],
            )
            .with_feed("Gateway API conformance reports", paths::FEED),
        headline: headline(&site.shown, &minors),
        newest: catalog.minors.newest(),
        first: first.into_iter().filter(|(_, names)| !names.is_empty()).collect(),
        unreported: page::unreported(site),
        next_review: site.next_review,
        boards: families.map(|family| board(family, &site.shown)).into(),
        not_current: site.shown.len() - current.len(),
        spark_from: all_minors.first().map(ToString::to_string).unwrap_or_default(),
        spark_to: all_minors.last().map(ToString::to_string).unwrap_or_default(),
        rows: current.into_iter().map(|shown| row(shown, &all_minors, most)).collect(),
        changes: history::newest(site).into_iter().take(CHANGES).collect(),
    };
    vec![page::file(paths::HOME_PAGE, &home)]
}

/// `12 gateways and 2 meshes are conformant with Gateway API v1.5 or v1.4`
fn headline(all: &[ImplementationView<'_>], minors: &[Minor]) -> String {
    let count = |family| {
        let verdicts = all.iter().filter_map(|shown| shown.family(family));
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

/// Better verdicts first, then newer ones.
fn order(verdict: &FamilyVerdict<'_>) -> (Reverse<Standing>, bool, Reverse<Option<Minor>>) {
    let certified = verdict.certified;
    let minor = match certified.standing {
        Standing::Conformant => certified.basis.minor,
        _ => None,
    };
    (
        Reverse(certified.standing),
        verdict.is_aged(),
        Reverse(minor),
    )
}

fn board<'s>(family: Family, all: &'s [ImplementationView<'s>]) -> Board<'s> {
    let mut members: Vec<_> = all
        .iter()
        .filter_map(|shown| {
            Some(Square {
                verdict: shown.family(family)?,
                shown,
            })
        })
        .collect();
    members
        .sort_by_cached_key(|square| (order(square.verdict), square.shown.one.name.to_lowercase()));
    let mut groups: Vec<Group<'_>> = Vec::new();
    let mut last = None;
    for square in members {
        let key = order(square.verdict);
        match groups.last_mut() {
            Some(group) if last == Some(key) => group.members.push(square),
            _ => groups.push(Group {
                class: square.verdict.mark.class,
                label: label(square.verdict),
                members: vec![square],
            }),
        }
        last = Some(key);
    }
    Board {
        name: plural(family),
        groups,
    }
}

fn label(verdict: &FamilyVerdict<'_>) -> String {
    match verdict.certified.standing {
        Standing::Conformant => format!("conformant with {}", verdict.minor()),
        Standing::PartiallyConformant if verdict.is_aged() => "partial, older release".to_owned(),
        Standing::PartiallyConformant => "partial, tests skipped".to_owned(),
        Standing::NotCurrent => "not current".to_owned(),
    }
}

fn row<'s>(shown: &'s ImplementationView<'s>, minors: &[Minor], most: usize) -> Row<'s> {
    Row {
        gateway: shown.family(Family::Gateway),
        mesh: shown.family(Family::Mesh),
        extended: shown.numbers.last().map(|numbers| numbers.extended),
        spark: spark(shown, minors, most),
        shown,
    }
}

/// The minors that any implementation has a report for.
pub(super) fn minors_of(all: &[ImplementationView<'_>]) -> Vec<Minor> {
    let minors = all.iter().flat_map(|shown| &shown.numbers);
    let minors: std::collections::BTreeSet<_> = minors.map(|numbers| numbers.minor).collect();
    minors.into_iter().collect()
}

/// The most extended features of any report.
pub(super) fn most_extended(all: &[ImplementationView<'_>]) -> usize {
    let numbers = all.iter().flat_map(|shown| &shown.numbers);
    numbers
        .map(|numbers| numbers.extended)
        .max()
        .unwrap_or_default()
}

/// Extended features over the minors, as bars.
pub(super) fn spark(shown: &ImplementationView<'_>, minors: &[Minor], most: usize) -> String {
    let of = |minor: &Minor| {
        let mut numbers = shown.numbers.iter();
        numbers
            .find(|numbers| numbers.minor == *minor)
            .map(|numbers| numbers.extended)
    };
    chart::bars(&minors.iter().map(of).collect::<Vec<_>>(), most)
}
