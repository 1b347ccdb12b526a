//! `/implementations/<i>/`: what one implementation is and was, and what it supports.

use std::collections::{BTreeMap, BTreeSet};

use askama::Template;

use crate::badge::{About, Markup, snippet};
use crate::certify::{Status, short_name};
use crate::facts::Name;
use crate::formats::is_web_address;
use crate::registry::{Family, Minor};
use crate::site::File;
use crate::site::chart::{self, Line};
use crate::site::features::{self, FeatureTable};
use crate::site::history;
use crate::site::implementation_view::{FamilyVerdict, ImplementationView};
use crate::site::mark::Mark;
use crate::site::page::{self, Head, Page, SiteContext};
use crate::site::paths;
use crate::site::view::{ReportView, text};
use crate::text::escape::html;

#[derive(Template)]
#[template(path = "implementation.html")]
struct One<'s> {
    head: Head<'s>,
    shown: &'s ImplementationView<'s>,
    contacts: Vec<Contact<'s>>,
    minors: Vec<Minor>,
    grid: Vec<GridRow>,
    chart: String,
    now: Vec<Now<'s>>,
    reports: Vec<ReportRow<'s>>,
    badges: Vec<BadgeRow>,
}

/// Someone to turn to; a link only where it is an address of the web.
pub(super) struct Contact<'s> {
    pub(super) text: &'s str,
    pub(super) href: Option<String>,
}

/// A profile over the minors.
struct GridRow {
    profile: String,
    cells: Vec<Option<GridCell>>,
}

struct GridCell {
    mark: Mark,
    path: String,
}

/// What the report that a verdict rests on says of features.
struct Now<'s> {
    verdict: &'s FamilyVerdict<'s>,
    table: FeatureTable,
}

struct ReportRow<'s> {
    path: String,
    release: String,
    version: &'s str,
    channel: &'s str,
    mode: &'s str,
    day: Option<String>,
    profiles: Vec<(String, Mark)>,
    /// Its part of addresses, where another report looks the same.
    told_apart: Option<&'s str>,
}

struct BadgeRow {
    label: String,
    src: String,
    alt: String,
    markdown: String,
    /// In the other languages, as HTML.
    others: Vec<String>,
}

pub(super) fn files(site: &SiteContext<'_>) -> Vec<File> {
    site.shown.iter().map(|shown| one(site, shown)).collect()
}

fn one(site: &SiteContext<'_>, shown: &ImplementationView<'_>) -> File {
    let reports = site.view.reports_of(shown.at);
    let minors: BTreeSet<Minor> = reports.iter().filter_map(ReportView::minor).collect();
    let minors: Vec<_> = minors.into_iter().collect();
    let description = format!(
        "What {} supports of the Gateway API and how conformant it is, by its {} conformance reports.",
        shown.one.name,
        reports.len()
    );
    let page = One {
        head: site
            .head(
                &Page {
                    path: &shown.path,
                    title: &shown.one.name,
                    description: &description,
                },
                &[],
            )
            .with_feed(
                format!("{}: Gateway API conformance", shown.one.name),
                paths::implementation_feed(&shown.one.slug),
            ),
        contacts: contacts(shown.newest),
        grid: grid(reports, &minors),
        chart: step_chart(shown, &minors),
        now: now(site, shown),
        reports: report_rows(reports),
        badges: badges(site, shown),
        minors,
        shown,
    };
    page::file(&shown.path, &page)
}

/// The contacts of a report.
pub(super) fn contacts<'s>(seen: &'s ReportView<'_>) -> Vec<Contact<'s>> {
    let contacts = seen.facts().contact.iter();
    contacts
        .map(|contact| Contact {
            text: contact,
            href: is_web_address(contact).then(|| contact.clone()),
        })
        .collect()
}

fn grid(reports: &[ReportView<'_>], minors: &[Minor]) -> Vec<GridRow> {
    type Best<'s> = BTreeMap<Minor, (Status, &'s ReportView<'s>)>;
    let mut best: BTreeMap<(Option<Family>, &Name), Best<'_>> = BTreeMap::new();
    for seen in reports {
        let Some(minor) = seen.minor() else { continue };
        for verdict in &seen.report.judged.verdicts {
            let cells = best.entry((verdict.family, &verdict.profile)).or_default();
            let cell = cells.entry(minor).or_insert((verdict.status, seen));
            // Of equal verdicts the newest report's.
            if verdict.status >= cell.0 {
                *cell = (verdict.status, seen);
            }
        }
    }
    let rows = best.into_iter().map(|((_, profile), cells)| GridRow {
        profile: profile.to_string(),
        cells: minors
            .iter()
            .map(|minor| {
                let (status, seen) = cells.get(minor)?;
                Some(GridCell {
                    mark: Mark::status(*status),
                    path: seen.page(),
                })
            })
            .collect(),
    });
    rows.collect()
}

fn step_chart(shown: &ImplementationView<'_>, minors: &[Minor]) -> String {
    let of = |pick: fn(&crate::site::implementation_view::Numbers) -> usize| {
        let value = |minor: &Minor| {
            let mut numbers = shown.numbers.iter();
            numbers.find(|numbers| numbers.minor == *minor).map(pick)
        };
        minors.iter().map(value).collect::<Vec<_>>()
    };
    let (core, extended) = (of(|numbers| numbers.core), of(|numbers| numbers.extended));
    let names: Vec<_> = minors.iter().map(ToString::to_string).collect();
    let lines = [
        Line {
            class: "extended",
            name: "extended",
            values: &extended,
        },
        Line {
            class: "core",
            name: "core",
            values: &core,
        },
    ];
    chart::steps(&names, &lines)
}

fn now<'s>(site: &SiteContext<'_>, shown: &'s ImplementationView<'s>) -> Vec<Now<'s>> {
    shown
        .families
        .iter()
        .map(|verdict| now_in(site, verdict))
        .collect()
}

fn now_in<'s>(site: &SiteContext<'_>, verdict: &'s FamilyVerdict<'s>) -> Now<'s> {
    let profiles = verdict.basis.report.judged.verdicts.iter().enumerate();
    let own = profiles.filter(|(_, profile)| profile.family == Some(verdict.family));
    let mut own: Vec<_> = own
        .map(|(at, profile)| (short_name(&profile.profile).to_owned(), at))
        .collect();
    own.sort_unstable();
    Now {
        table: features::table(site, verdict.basis, &own),
        verdict,
    }
}

/// The reports of an implementation, the newest first.
fn report_rows<'s>(reports: &'s [ReportView<'s>]) -> Vec<ReportRow<'s>> {
    let key = |seen: &'s ReportView<'_>| {
        let facts = seen.facts();
        (
            seen.release(),
            text(&facts.version),
            text(&facts.channel),
            text(&facts.mode),
        )
    };
    let mut alike: BTreeMap<_, usize> = BTreeMap::new();
    for seen in reports {
        *alike.entry(key(seen)).or_default() += 1;
    }
    let rows = reports.iter().rev().map(|seen| {
        let facts = seen.facts();
        let verdicts = seen.report.judged.verdicts.iter();
        let mut profiles: Vec<_> = verdicts
            .map(|verdict| {
                (
                    profile_name(verdict.family, &verdict.profile),
                    Mark::status(verdict.status),
                )
            })
            .collect();
        profiles.sort_by(|a, b| a.0.cmp(&b.0));
        ReportRow {
            path: seen.page(),
            release: seen.release().unwrap_or_else(|| "unknown".to_owned()),
            version: text(&facts.version).unwrap_or("not stated"),
            channel: text(&facts.channel).unwrap_or("–"),
            mode: text(&facts.mode).unwrap_or("–"),
            day: history::day(seen),
            profiles,
            told_apart: (alike.get(&key(seen)) > Some(&1)).then_some(&*seen.report.slug),
        }
    });
    rows.collect()
}

/// `HTTP`, `Mesh HTTP`
pub(super) fn profile_name(family: Option<Family>, profile: &str) -> String {
    let short = short_name(profile);
    match family {
        Some(Family::Mesh) if !short.eq_ignore_ascii_case("mesh") => format!("Mesh {short}"),
        _ => short.to_owned(),
    }
}

fn badges(site: &SiteContext<'_>, shown: &ImplementationView<'_>) -> Vec<BadgeRow> {
    let mut abouts = vec![("The implementation", About::Whole)];
    if shown.families.len() > 1 {
        abouts.push(("As a gateway", About::Family(Family::Gateway)));
        abouts.push(("As a mesh", About::Family(Family::Mesh)));
    }
    let address = |path: &str| {
        site.base
            .map_or_else(|| path.to_owned(), |base| base.join(path))
    };
    abouts
        .into_iter()
        .map(|(label, about)| {
            let src = paths::badge_image(&about, &shown.one.slug);
            let alt = site.issued.alternative(shown.one, about);
            let of = |markup| {
                let text = snippet(markup, &alt, &address(&src), &address(&shown.path));
                text.trim_end().to_owned()
            };
            let others = [Markup::Rst, Markup::AsciiDoc, Markup::Html].map(of);
            // Line by line: an escaped line end would be shown as one.
            let lines = |text: String| text.lines().map(html).collect::<Vec<_>>().join("\n");
            BadgeRow {
                label: label.to_owned(),
                markdown: of(Markup::Markdown),
                others: others.map(lines).into(),
                src,
                alt,
            }
        })
        .collect()
}
