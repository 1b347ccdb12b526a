//! `/`: who is conformant now, and what changed last.

use std::cmp::Reverse;

use askama::Template;

use super::chart;
use super::history::{self, Event};
use super::page::{self, Head, Page, SiteContext};
use crate::certify::Standing;
use crate::registry::{Family, Minor};
use crate::site::File;
use crate::site::model::{FamilyVerdict, ImplementationView};
use crate::site::paths;
use crate::text::counted;

/// How many changes are listed.
const CHANGES: usize = 8;

#[derive(Template)]
#[template(path = "home.html")]
struct HomePage<'s> {
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
    implementation: &'s ImplementationView<'s>,
    verdict: &'s FamilyVerdict<'s>,
}

/// A line of the list.
struct Row<'s> {
    implementation: &'s ImplementationView<'s>,
    gateway: Option<&'s FamilyVerdict<'s>>,
    mesh: Option<&'s FamilyVerdict<'s>>,
    extended: Option<usize>,
    spark: String,
}

pub(super) fn files(site: &SiteContext<'_>) -> Vec<File> {
    let catalog = site.model.catalog;
    let minors = catalog.minors.newest_ones(catalog.windows.conformant);
    let most = most_extended(&site.model.implementations);
    let all_minors = minors_of(&site.model.implementations);
    let mut current: Vec<_> = site
        .model
        .implementations
        .iter()
        .filter(|implementation| implementation.standing() != Standing::NotCurrent)
        .collect();
    current.sort_by_cached_key(|implementation| {
        let best = implementation.families.iter().map(order).min();
        (best, implementation.name.to_lowercase())
    });
    let families = [Family::Gateway, Family::Mesh];
    let first = families.map(|family| {
        let is_first = |implementation: &&&ImplementationView<'_>| {
            let verdict = implementation
                .family(family)
                .map(|verdict| verdict.certified);
            verdict.is_some_and(|verdict| {
                verdict.standing == Standing::Conformant
                    && verdict.basis.minor == catalog.minors.newest()
            })
        };
        let names = current.iter().filter(is_first).copied().collect::<Vec<_>>();
        (plural(family), names)
    });
    let home = HomePage {
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
        headline: headline(&site.model.implementations, &minors),
        newest: catalog.minors.newest(),
        first: first.into_iter().filter(|(_, names)| !names.is_empty()).collect(),
        unreported: page::unreported(site),
        next_review: site.next_review,
        boards: families.map(|family| board(family, &site.model.implementations)).into(),
        not_current: site.model.implementations.len() - current.len(),
        spark_from: all_minors.first().map(ToString::to_string).unwrap_or_default(),
        spark_to: all_minors.last().map(ToString::to_string).unwrap_or_default(),
        rows: current.into_iter().map(|implementation| row(implementation, &all_minors, most)).collect(),
        changes: history::newest(site).into_iter().take(CHANGES).collect(),
    };
    vec![page::file(paths::HOME_PAGE, &home)]
}

/// `12 gateways and 2 meshes are conformant with Gateway API v1.5 or v1.4`
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
        .filter_map(|implementation| {
            Some(Square {
                verdict: implementation.family(family)?,
                implementation,
            })
        })
        .collect();
    members.sort_by_cached_key(|square| {
        (
            order(square.verdict),
            square.implementation.name.to_lowercase(),
        )
    });
    let mut groups: Vec<Group<'_>> = Vec::new();
    let mut last = None;
    for square in members {
        let key = order(square.verdict);
        match groups.last_mut() {
            Some(group) if last == Some(key) => group.members.push(square),
            _ => groups.push(Group {
                class: square.verdict.mark().class,
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

fn row<'s>(implementation: &'s ImplementationView<'s>, minors: &[Minor], most: usize) -> Row<'s> {
    Row {
        gateway: implementation.family(Family::Gateway),
        mesh: implementation.family(Family::Mesh),
        extended: implementation.counts.last().map(|counts| counts.extended),
        spark: spark(implementation, minors, most),
        implementation,
    }
}

/// The minors that any implementation has a report for.
pub(super) fn minors_of(all: &[ImplementationView<'_>]) -> Vec<Minor> {
    let minors: std::collections::BTreeSet<_> = all
        .iter()
        .flat_map(|implementation| &implementation.counts)
        .map(|counts| counts.minor)
        .collect();
    minors.into_iter().collect()
}

/// The most extended features of any report.
pub(super) fn most_extended(all: &[ImplementationView<'_>]) -> usize {
    let counts = all.iter().flat_map(|implementation| &implementation.counts);
    counts
        .map(|counts| counts.extended)
        .max()
        .unwrap_or_default()
}

/// Extended features over the minors, as bars.
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
