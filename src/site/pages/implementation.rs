//! `/implementations/<i>/`: what one implementation is and was, and what it supports.

use std::collections::{BTreeMap, BTreeSet};

use askama::Template;

use super::chart::{self, Line};
use super::feature_table::{self, FeatureTable};
use super::history;
use super::mark::Mark;
use super::page::{self, Head, Page, SiteContext};
use crate::badge::{About, Markup, snippet};
use crate::certify::{Status, short_name};
use crate::facts::Name;
use crate::formats::{is_contact, is_web_address};
use crate::registry::{Family, Minor};
use crate::site::File;
use crate::site::model::{FamilyVerdict, FeatureCounts, ImplementationView, ReportView, text};
use crate::site::paths;
use crate::text::escape::html;

#[derive(Template)]
#[template(path = "implementation.html")]
struct ImplementationPage<'s> {
    head: Head<'s>,
    implementation: &'s ImplementationView<'s>,
    contacts: Vec<Contact<'s>>,
    minors: Vec<Minor>,
    grid: Vec<GridRow>,
    chart: String,
    changes: String,
    feed: String,
    current: Vec<CurrentFeatures<'s>>,
    reports: Vec<ReportRow<'s>>,
    badges: Vec<BadgeRow>,
}

/// Someone to turn to; a link where it is an address of the web or of mail, or a name on GitHub, as
/// the README of the reports asks for.
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
    page: String,
}

/// The features of the report that a verdict rests on.
struct CurrentFeatures<'s> {
    verdict: &'s FamilyVerdict<'s>,
    table: FeatureTable,
}

struct ReportRow<'s> {
    page: String,
    release: String,
    version: &'s str,
    channel: &'s str,
    mode: &'s str,
    day: Option<String>,
    profiles: Vec<(String, Mark)>,
    /// Its part of addresses, where another report looks the same.
    difference: Option<&'s str>,
}

struct BadgeRow {
    label: String,
    image: String,
    alt: String,
    markdown: String,
    /// In the other languages, as HTML.
    others: Vec<String>,
}

pub(super) fn files(site: &SiteContext<'_>) -> Vec<File> {
    site.model
        .implementations
        .iter()
        .map(|implementation| implementation_page(site, implementation))
        .collect()
}

fn implementation_page(site: &SiteContext<'_>, implementation: &ImplementationView<'_>) -> File {
    let reports = implementation.reports;
    let distinct_minors: BTreeSet<Minor> = reports.iter().filter_map(ReportView::minor).collect();
    let minors = Vec::from_iter(distinct_minors);
    let description = format!(
        "What {} supports of the Gateway API and how conformant it is, by its {} conformance reports.",
        implementation.name,
        reports.len()
    );
    let page = ImplementationPage {
        head: site
            .head(
                &Page {
                    path: &implementation.page,
                    title: implementation.name,
                    description: &description,
                },
                &[],
            )
            .with_feed(
                format!("{}: Gateway API conformance", implementation.name),
                paths::implementation_feed(implementation.slug),
            ),
        contacts: contacts(implementation.newest),
        grid: grid(reports, &minors),
        chart: step_chart(implementation, &minors),
        changes: paths::implementation_changes_page(implementation.slug),
        feed: paths::implementation_feed(implementation.slug),
        current: current_features(site, implementation),
        reports: report_rows(reports),
        badges: badges(site, implementation),
        minors,
        implementation,
    };
    page::file(&implementation.page, &page)
}

/// The contacts of a report.
pub(super) fn contacts<'s>(report: &'s ReportView<'_>) -> Vec<Contact<'s>> {
    let contacts = report.facts().contact.iter();
    contacts
        .map(|contact| Contact {
            text: contact,
            href: contact_address(contact),
        })
        .collect()
}

fn contact_address(contact: &str) -> Option<String> {
    if is_web_address(contact) {
        return Some(contact.to_owned());
    }
    // Nothing in an address of mail may add to its headers.
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "@/._+-".contains(c);
    let contact = contact.strip_prefix("mailto:").unwrap_or(contact);
    if !is_contact(contact) || !contact.chars().all(is_plain) {
        return None;
    }
    match contact.strip_prefix('@') {
        Some(name) => Some(match name.split_once('/') {
            Some((organization, team)) => {
                format!("https://github.com/orgs/{organization}/teams/{team}")
            }
            None => format!("https://github.com/{name}"),
        }),
        None => Some(format!("mailto:{contact}")),
    }
}

fn grid(reports: &[ReportView<'_>], minors: &[Minor]) -> Vec<GridRow> {
    type Best<'s> = BTreeMap<Minor, (Status, &'s ReportView<'s>)>;
    let mut best: BTreeMap<(Option<Family>, &Name), Best<'_>> = BTreeMap::new();
    for report in reports {
        let Some(minor) = report.minor() else {
            continue;
        };
        for verdict in &report.entry.judged.verdicts {
            let cells = best.entry((verdict.family, &verdict.profile)).or_default();
            let cell = cells.entry(minor).or_insert((verdict.status, report));
            // Of equal verdicts the newest report's.
            if verdict.status >= cell.0 {
                *cell = (verdict.status, report);
            }
        }
    }
    let rows = best.into_iter().map(|((_, profile), cells)| GridRow {
        profile: profile.to_string(),
        cells: minors
            .iter()
            .map(|minor| {
                let (status, report) = cells.get(minor)?;
                Some(GridCell {
                    mark: Mark::status(*status),
                    page: report.page(),
                })
            })
            .collect(),
    });
    rows.collect()
}

fn step_chart(implementation: &ImplementationView<'_>, minors: &[Minor]) -> String {
    let of = |pick: fn(&FeatureCounts) -> usize| {
        let value = |minor: &Minor| {
            let mut counts = implementation.counts.iter();
            counts.find(|counts| counts.minor == *minor).map(pick)
        };
        minors.iter().map(value).collect::<Vec<_>>()
    };
    let (core, extended) = (of(|counts| counts.core), of(|counts| counts.extended));
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

fn current_features<'s>(
    site: &SiteContext<'_>,
    implementation: &'s ImplementationView<'s>,
) -> Vec<CurrentFeatures<'s>> {
    implementation
        .families
        .iter()
        .map(|verdict| current_features_in(site, verdict))
        .collect()
}

fn current_features_in<'s>(
    site: &SiteContext<'_>,
    verdict: &'s FamilyVerdict<'s>,
) -> CurrentFeatures<'s> {
    let profiles = verdict.basis.entry.judged.verdicts.iter().enumerate();
    let mut own: Vec<_> = profiles
        .filter(|(_, profile)| profile.family == Some(verdict.family))
        .map(|(at, profile)| (short_name(&profile.profile).to_owned(), at))
        .collect();
    own.sort_unstable();
    CurrentFeatures {
        table: feature_table::table(site, verdict.basis, &own),
        verdict,
    }
}

/// The reports of an implementation, the newest first.
fn report_rows<'s>(reports: &'s [ReportView<'s>]) -> Vec<ReportRow<'s>> {
    let key = |report: &'s ReportView<'_>| {
        let facts = report.facts();
        (
            report.release(),
            text(&facts.version),
            text(&facts.channel),
            text(&facts.mode),
        )
    };
    let mut alike: BTreeMap<_, usize> = BTreeMap::new();
    for report in reports {
        *alike.entry(key(report)).or_default() += 1;
    }
    let rows = reports.iter().rev().map(|report| {
        let facts = report.facts();
        let verdicts = report.entry.judged.verdicts.iter();
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
            page: report.page(),
            release: report.release().unwrap_or_else(|| "unknown".to_owned()),
            version: text(&facts.version).unwrap_or("not stated"),
            channel: text(&facts.channel).unwrap_or("–"),
            mode: text(&facts.mode).unwrap_or("–"),
            day: history::day(report),
            profiles,
            difference: (alike.get(&key(report)) > Some(&1)).then_some(&*report.entry.slug),
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

fn badges(site: &SiteContext<'_>, implementation: &ImplementationView<'_>) -> Vec<BadgeRow> {
    let mut abouts = vec![("The implementation", About::Whole)];
    if implementation.families.len() > 1 {
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
            let image = paths::badge_image(&about, implementation.slug);
            let alt = site.model.issued.alternative(implementation.entry, about);
            let of = |markup| {
                let text = snippet(
                    markup,
                    &alt,
                    &address(&image),
                    &address(&implementation.page),
                );
                text.trim_end().to_owned()
            };
            let others = [Markup::Rst, Markup::AsciiDoc, Markup::Html].map(of);
            // Line by line: an escaped line end would be implementation as one.
            let lines = |text: String| text.lines().map(html).collect::<Vec<_>>().join("\n");
            BadgeRow {
                label: label.to_owned(),
                markdown: of(Markup::Markdown),
                others: others.map(lines).into(),
                image,
                alt,
            }
        })
        .collect()
}

impl ImplementationPage<'_> {
    /// What the report behind a verdict does not show; said once of a report, with its first verdict.
    fn note(&self, verdict: &usize) -> Option<String> {
        let verdicts = &self.implementation.families;
        let basis = verdicts.get(*verdict)?.basis;
        let mut earlier = verdicts.iter().take(*verdict);
        let is_new = earlier.all(|other| other.basis.id != basis.id);
        basis.note().filter(|_| is_new)
    }
}
