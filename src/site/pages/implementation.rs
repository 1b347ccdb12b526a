use std::collections::{BTreeMap, BTreeSet};

use askama::Template;
use rayon::prelude::*;

use super::badges::BadgeImage;
use super::chart::{self, Line};
use super::feature_table::{self, Column, ColumnHead, FeatureTable};
use super::finding::{self, Finding, finding};
use super::history::{self, Note};
use super::layout::{self, Head, SiteContext};
use super::mark::Mark;
use super::{MAX_ROWS, Out};
use crate::site::File;
use crate::site::badge::{About, Markup, snippet};
use crate::site::model::{
    FamilyVerdict, FeatureCounts, FindingView, ImplementationView, ReportView, listed, report_name,
    text,
};
use crate::site::paths;
use gwconform_base::api::{Family, Minor};
use gwconform_base::text::escape::html;
use gwconform_base::text::{breakable, capitalized, counted};
use gwconform_report::certify::catalog::{UnsubmittedProfile, release_of};
use gwconform_report::certify::{Status, short_name};
use gwconform_report::report::facts::Name;
use gwconform_report::report::formats::{is_contact, is_web_address};

const TERMS: &[&str] = &[
    "conformant",
    "partial",
    "review",
    "core",
    "extended",
    "not-seen",
];

/// Tests that are listed without a click.
const OPEN_TESTS: usize = 15;

#[derive(Template)]
#[template(path = "implementation.html")]
struct ImplementationPage<'s> {
    head: Head<'s>,
    implementation: &'s ImplementationView<'s>,
    contacts: Vec<Contact<'s>>,
    profiles: Vec<String>,
    releases: Vec<ReleaseRow<'s>>,
    chart: String,
    changes: String,
    gaps: String,
    feed: String,
    verdicts: Vec<Verdict<'s>>,
    features: FeatureTable,
    findings: Vec<SubmissionFindings<'s>>,
    found: String,
    more: usize,
    proved_by_log: Vec<(String, String)>,
    reports: Vec<ReportRow<'s>>,
    /// Number of older reports that are not listed.
    more_reports: usize,
    badges: Vec<BadgeRow>,
}

/// Web URLs, email addresses and GitHub names become links, because the README of the reports tree
/// requires one of these forms.
pub(super) struct Contact<'s> {
    pub(super) text: &'s str,
    pub(super) href: Option<String>,
}

impl Contact<'_> {
    pub(super) fn parts(&self) -> Vec<&str> {
        breakable(self.text)
    }
}

struct ReleaseRow<'s> {
    minor: Minor,
    counts: Option<FeatureCounts<'s>>,
    cells: Vec<Option<GridCell>>,
}

struct GridCell {
    mark: Mark,
    page: String,
}

struct Verdict<'s> {
    family: &'s FamilyVerdict<'s>,
    holds: String,
    badge: BadgeImage,
    since: Vec<Since>,
    blockers: Vec<Blocker<'s>>,
    /// Minor whose report would make a conformant verdict possible, if this report is too old.
    needs_report_for: Option<Minor>,
    /// Note on unseen results, shown only for the first verdict based on the same report.
    note: Option<String>,
    unsubmitted: Vec<UnsubmittedProfile>,
}

/// Profile that did not pass, with the tests that prevent it.
struct Blocker<'s> {
    profile: String,
    /// Skipped tests, then failed tests.
    tests: [Vec<&'s Name>; 2],
    /// Command that shows what a run for the profile tests.
    command: String,
}

impl Blocker<'_> {
    fn count(&self) -> usize {
        self.tests.iter().map(Vec::len).sum()
    }
}

struct Since {
    /// Report name, such as `v1.5.1 (standard, default)`; `None` for the report behind the verdict.
    report: Option<String>,
    before: String,
    page: String,
    notes: Vec<Note>,
}

struct SubmissionFindings<'s> {
    folder: &'s str,
    counts: String,
    findings: Vec<(&'s str, Finding<'s>)>,
}

struct ReportRow<'s> {
    page: String,
    release: String,
    version: &'s str,
    channel: &'s str,
    mode: &'s str,
    day: Option<String>,
    profiles: Vec<(String, Mark)>,
    difference: Option<&'s str>,
}

struct BadgeRow {
    label: String,
    badge: BadgeImage,
    markdown: String,
    others: Vec<String>,
}

pub(super) fn make(site: &SiteContext<'_>, out: &Out<'_>) {
    let all = site.model.implementations.par_iter();
    all.for_each(|implementation| out(vec![implementation_page(site, implementation)]));
}

fn implementation_page(site: &SiteContext<'_>, implementation: &ImplementationView<'_>) -> File {
    let reports = implementation.reports;
    let distinct_minors: BTreeSet<Minor> = reports.iter().filter_map(ReportView::minor).collect();
    let minors = Vec::from_iter(distinct_minors);
    let (profiles, releases) = grid(implementation, &minors);
    let (findings, found, more) = findings(site, implementation);
    let families = implementation.families.iter();
    let spoken: Vec<_> = families
        .map(|verdict| {
            format!(
                "{} {} ({})",
                verdict.name(),
                verdict.wording,
                verdict.minor()
            )
        })
        .collect();
    let description = format!(
        "{}: {}, by {}.",
        implementation.name,
        listed(&spoken),
        counted(reports.len(), "conformance report")
    );
    let page = ImplementationPage {
        head: site
            .head(&implementation.page, &implementation.title, &description)
            .with_terms(TERMS)
            .with_feed(
                format!("{}: Gateway API conformance", implementation.name),
                paths::implementation_feed(implementation.slug),
            ),
        contacts: contacts(implementation.newest),
        chart: step_chart(implementation, &minors),
        profiles,
        releases,
        verdicts: verdicts(site, implementation),
        features: feature_table::table(site, &current_columns(implementation)),
        findings,
        found,
        more,
        proved_by_log: proved_by_log(reports),
        changes: paths::implementation_changes_page(implementation.slug),
        gaps: paths::gaps_page(implementation.slug),
        feed: paths::implementation_feed(implementation.slug),
        reports: report_rows(reports),
        more_reports: reports.len().saturating_sub(MAX_ROWS),
        badges: badges(site, implementation),
        implementation,
    };
    layout::file(&implementation.page, &page)
}

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
    if let Some(address) = without_scheme(contact) {
        return Some(address);
    }
    // An address must not inject mail headers.
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

fn without_scheme(contact: &str) -> Option<String> {
    let (host, _) = contact.split_once('/')?;
    let is_host = host.contains('.') && !host.contains(['@', ':']);
    let address = format!("https://{contact}");
    (is_host && is_web_address(&address)).then_some(address)
}

fn grid<'s>(
    implementation: &ImplementationView<'s>,
    minors: &[Minor],
) -> (Vec<String>, Vec<ReleaseRow<'s>>) {
    type Best<'s> = BTreeMap<Minor, (Status, &'s ReportView<'s>)>;
    let mut best: BTreeMap<(bool, Option<Family>, bool, String), Best<'_>> = BTreeMap::new();
    for report in implementation.reports {
        let Some(minor) = report.minor() else {
            continue;
        };
        let mut counts = implementation.counts.iter();
        let with_numbers = counts.find(|counts| counts.minor == minor);
        let has_numbers = |one| with_numbers.is_some_and(|counts| std::ptr::eq(counts.report, one));
        for verdict in &report.entry.judged.verdicts {
            let family = verdict.family;
            let name = profile_name(family, &verdict.profile);
            let key = (family.is_none(), family, !name.ends_with("HTTP"), name);
            let cells = best.entry(key).or_default();
            let cell = cells.entry(minor).or_insert((verdict.status, report));
            // If verdicts are equal, a report with statistics is preferred, then the newest.
            let order = |status, one| (status, has_numbers(one));
            if order(verdict.status, report) >= order(cell.0, cell.1) {
                *cell = (verdict.status, report);
            }
        }
    }
    let rows = minors.iter().rev().map(|minor| {
        let mut counts = implementation.counts.iter();
        let cells = best.values().map(|cells| {
            let (status, report) = cells.get(minor)?;
            Some(GridCell {
                mark: Mark::result(*status),
                page: report.page(),
            })
        });
        ReleaseRow {
            minor: *minor,
            counts: counts.find(|counts| counts.minor == *minor).copied(),
            cells: cells.collect(),
        }
    });
    let rows = rows.collect();
    (best.into_keys().map(|(.., name)| name).collect(), rows)
}

fn step_chart(implementation: &ImplementationView<'_>, minors: &[Minor]) -> String {
    let of = |pick: fn(&FeatureCounts<'_>) -> usize| {
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

fn verdicts<'s>(
    site: &SiteContext<'_>,
    implementation: &'s ImplementationView<'s>,
) -> Vec<Verdict<'s>> {
    let mut noted = BTreeSet::new();
    let verdicts = implementation.families.iter().map(|family| {
        let about = About::Family(family.family);
        let is_new = noted.insert(&family.basis.id);
        Verdict {
            badge: BadgeImage::new(site, implementation, about),
            holds: capitalized(&family.certified.basis.holds_for()),
            since: since(site, implementation, family),
            blockers: blockers(site, family),
            needs_report_for: needs_report_for(site, family),
            note: family.basis.note().filter(|_| is_new),
            unsubmitted: site
                .model
                .catalog
                .unsubmitted(implementation.entry, family.family),
            family,
        }
    });
    verdicts.collect()
}

/// The newest reviewed minor, if the report behind the verdict is too old for a conformant verdict.
fn needs_report_for(site: &SiteContext<'_>, family: &FamilyVerdict<'_>) -> Option<Minor> {
    let (catalog, certified) = (site.model.catalog, family.certified);
    let counts = certified.basis.minor.is_some_and(|minor| {
        let minors = &catalog.minors;
        minors.is_among_newest(minor, catalog.windows.conformant)
    });
    catalog.minors.newest().filter(|_| !counts)
}

/// Profiles of the family that did not pass, if the report still counts.
fn blockers<'s>(site: &SiteContext<'_>, family: &FamilyVerdict<'s>) -> Vec<Blocker<'s>> {
    let facts = family.basis.facts();
    let Some((release, _)) = release_of(facts, site.model.registry) else {
        return Vec::new();
    };
    let verdicts = family.basis.entry.judged.verdicts.iter();
    let own = verdicts.zip(&facts.profiles).filter(|(verdict, _)| {
        verdict.family == Some(family.family)
            && matches!(verdict.status, Status::Partial | Status::Failing)
            && family.certified.standing.is_current()
    });
    own.map(|(verdict, profile)| {
        let levels = || profile.levels().map(|(_, level)| level);
        let supported = profile.extended.iter();
        let supported = supported.flat_map(|level| level.supported_features.iter().flatten());
        // The names become words of a shell.
        let known = supported.filter(|name| release.feature(name).is_some());
        let known: Vec<&str> = known.map(|name| &**name).collect();
        Blocker {
            profile: profile_name(verdict.family, &verdict.profile),
            tests: [
                levels()
                    .flat_map(|level| level.skipped_tests.iter().flatten())
                    .collect(),
                levels()
                    .flat_map(|level| level.failed_tests.iter().flatten())
                    .collect(),
            ],
            command: format!(
                "gwconform plan --release {} --profile {} --supported-features {}",
                release.version(),
                verdict.profile,
                if known.is_empty() {
                    "''".to_owned()
                } else {
                    known.join(",")
                }
            ),
        }
    })
    .collect()
}

/// Lists changes in the report behind the verdict, then regressions in reports of the same
/// submission or for newer minors.
fn since(
    site: &SiteContext<'_>,
    implementation: &ImplementationView<'_>,
    family: &FamilyVerdict<'_>,
) -> Vec<Since> {
    let basis = family.basis;
    let others = implementation.reports.iter().filter(|report| {
        !std::ptr::eq(*report, basis)
            && has_family(report, family.family)
            && (report.minor() > basis.minor() || is_same_submission(report, basis))
    });
    let changes = |report: &ReportView<'_>| {
        let before = site.model.previous(report)?;
        let section = paths::changes_section(&report.entry.release, &report.entry.slug);
        let page = paths::implementation_changes_page(implementation.slug);
        Some(Since {
            report: (!std::ptr::eq(report, basis)).then(|| release_and_run(report)),
            before: if before.run() == report.run() {
                release(before)
            } else {
                release_and_run(before)
            },
            page: format!("{page}#{section}"),
            notes: history::notes_of_family(site, report, family.family),
        })
    };
    let others = others.filter_map(changes);
    let worse = others.filter(|since| since.notes.iter().any(|note| note.class == "worse"));
    changes(basis).into_iter().chain(worse).collect()
}

fn has_family(report: &ReportView<'_>, family: Family) -> bool {
    let mut verdicts = report.entry.judged.verdicts.iter();
    verdicts.any(|verdict| verdict.family == Some(family))
}

fn is_same_submission(a: &ReportView<'_>, b: &ReportView<'_>) -> bool {
    let (a, b) = (a.facts(), b.facts());
    a.submission == b.submission && text(&a.version) == text(&b.version)
}

fn release_and_run(report: &ReportView<'_>) -> String {
    let release = release(report);
    match report.run().as_str() {
        "" => release,
        run => format!("{release} ({run})"),
    }
}

fn release(report: &ReportView<'_>) -> String {
    let release = report.release();
    release.unwrap_or_else(|| "an unknown release".to_owned())
}

fn current_columns<'s>(implementation: &'s ImplementationView<'s>) -> Vec<Column<'s>> {
    let columns = implementation.current.iter().map(|current| {
        let minor = current.report.minor();
        let minor = minor.map_or_else(|| "unknown release".to_owned(), |minor| minor.to_string());
        let note = format!("{minor}, {} extended", current.counts.extended);
        Column {
            head: ColumnHead {
                name: current.setting.as_str().to_owned(),
                note: Some((note, current.report.page())),
            },
            report: current.report,
            profiles: current.profiles.clone(),
        }
    });
    columns.collect()
}

fn findings<'s>(
    site: &'s SiteContext<'_>,
    implementation: &ImplementationView<'_>,
) -> (Vec<SubmissionFindings<'s>>, String, usize) {
    let all = site.findings_of.get(implementation.slug);
    let all = all.map_or(&[][..], Vec::as_slice);
    let mut by_folder: BTreeMap<&str, Vec<&FindingView<'_>>> = BTreeMap::new();
    for view in all {
        by_folder.entry(view.folder()).or_default().push(view);
    }
    let mut left = MAX_ROWS;
    let folders = by_folder.into_iter().rev().map(|(folder, views)| {
        let listed = views.iter().take(left).map(|view| {
            let path = &*view.finding.place.path;
            let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
            (name, finding(view.finding))
        });
        let findings: Vec<_> = listed.collect();
        left -= findings.len();
        SubmissionFindings {
            folder,
            counts: finding::counts(&views),
            findings,
        }
    });
    let folders: Vec<_> = folders.collect();
    (
        folders,
        finding::counts(all),
        all.len().saturating_sub(MAX_ROWS),
    )
}

fn proved_by_log(reports: &[ReportView<'_>]) -> Vec<(String, String)> {
    let proved = reports.iter().rev();
    let proved = proved.filter(|report| report.facts().by_log.is_some());
    proved
        .take(MAX_ROWS)
        .map(|report| (report_name(report), report.page()))
        .collect()
}

fn report_rows<'s>(reports: &'s [ReportView<'s>]) -> Vec<ReportRow<'s>> {
    let newest_first = reports.iter().rev();
    let rows = newest_first.take(MAX_ROWS).map(|report| {
        let facts = report.facts();
        let verdicts = report.entry.judged.verdicts.iter();
        let mut profiles: Vec<_> = verdicts
            .map(|verdict| {
                (
                    profile_name(verdict.family, &verdict.profile),
                    Mark::result(verdict.status),
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
            difference: report.difference,
        }
    });
    rows.collect()
}

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
            let badge = BadgeImage::new(site, implementation, about);
            let of = |markup| {
                let text = snippet(
                    markup,
                    &badge.alt,
                    &address(&badge.path),
                    &address(&implementation.page),
                );
                text.trim_end().to_owned()
            };
            let others = [Markup::Rst, Markup::AsciiDoc, Markup::Html].map(of);
            // The escape function replaces line breaks, so lines are escaped separately.
            let lines = |text: String| text.lines().map(html).collect::<Vec<_>>().join("\n");
            BadgeRow {
                label: label.to_owned(),
                markdown: of(Markup::Markdown),
                others: others.map(lines).into(),
                badge,
            }
        })
        .collect()
}
