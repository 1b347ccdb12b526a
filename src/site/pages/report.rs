use std::collections::BTreeMap;
use std::path::Path;

use askama::Template;
use rayon::prelude::*;

use super::chart;
use super::feature_table::{self, Column, ColumnHead, FeatureTable};
use super::finding::{Finding, finding};
use super::history;
use super::implementation::{Contact, contacts, profile_name};
use super::layout::{self, Head, SiteContext};
use super::mark::Mark;
use super::{MAX_ROWS, Out};
use crate::site::File;
use crate::site::model::{ReportView, listed, report_name, text};
use crate::site::paths;
use gwconform_base::api::Level;
use gwconform_base::text::capitalized;
use gwconform_report::certify::{Status, UnseenByLevel};
use gwconform_report::report::facts::{self, Name};
use gwconform_report::report::formats::is_web_address;
use gwconform_report::report::model::List;
use gwconform_report::tree::readme;

/// Maximum bytes of README text on a report page.
const MAX_REPRODUCE: usize = 40_000;

const TERMS: &[&str] = &["result", "core", "extended", "not-seen"];

#[derive(Template)]
#[template(path = "report.html")]
struct ReportPage<'s> {
    head: Head<'s>,
    implementation: String,
    report: &'s ReportView<'s>,
    title: String,
    facts: Vec<(&'static str, String)>,
    website: Option<&'s str>,
    contacts: Vec<Contact<'s>>,
    sha256: String,
    profiles: Vec<Profile<'s>>,
    verdicts: Vec<(Mark, String)>,
    blocks: Vec<(&'s str, String)>,
    features: FeatureTable,
    provisional: &'s [Name],
    findings: Vec<FileFindings<'s>>,
    /// Newest report, if this one is for an older minor.
    newer: Option<Next>,
    /// Verdicts of the implementation.
    standings: Vec<(&'static str, Mark)>,
    previous: Option<Previous<'s>>,
    next: Option<Next>,
    in_repository: Option<[String; 2]>,
    reproduce: Option<&'s Reproduce>,
}

struct Profile<'s> {
    name: String,
    mark: Mark,
    reason: Option<&'s str>,
    /// Column head, if results were not seen.
    unseen: Option<String>,
    levels: Vec<LevelRow<'s>>,
}

struct LevelRow<'s> {
    name: Level,
    /// Passed, not seen, skipped and failed tests.
    numbers: [Option<u64>; 4],
    dots: String,
    skipped: Vec<&'s Name>,
    failed: Vec<&'s Name>,
}

struct FileFindings<'s> {
    path: &'s str,
    findings: Vec<Finding<'s>>,
    more: usize,
}

struct Next {
    page: String,
    name: String,
}

struct Previous<'s> {
    page: String,
    name: String,
    groups: Vec<history::Group<'s>>,
}

pub(super) fn make(site: &SiteContext<'_>, out: &Out<'_>) {
    let mut submissions: BTreeMap<&Path, Vec<&ReportView<'_>>> = BTreeMap::new();
    for report in site.model.reports() {
        let of_submission = submissions.entry(&report.facts().submission).or_default();
        of_submission.push(report);
    }
    submissions.par_iter().for_each(|(_, reports)| {
        let facts = reports.first().map(|report| report.facts());
        let section =
            facts.and_then(|facts| site.sections?.read(&facts.submission, facts.reproduce?));
        let section = section.as_deref().map(reproduce);
        let section = section.as_ref();
        let pages = reports.par_iter();
        pages.for_each(|report| out(vec![report_page(site, report, section)]));
    });
}

/// HTML of a README section on reproducing reports, and whether it is cut.
struct Reproduce {
    html: String,
    is_cut: bool,
}

fn reproduce(section: &str) -> Reproduce {
    let (text, is_cut) = clipped(section, MAX_REPRODUCE);
    Reproduce {
        html: readme::to_html(text, 3, &|target| {
            is_web_address(target).then(|| target.to_owned())
        }),
        is_cut,
    }
}

fn report_page(
    site: &SiteContext<'_>,
    report: &ReportView<'_>,
    reproduce: Option<&Reproduce>,
) -> File {
    let path = report.page();
    let title = title(site, report);
    let facts = report.facts();
    let verdicts = report.entry.judged.verdicts.iter();
    let verdicts = verdicts.map(|verdict| {
        let profile = profile_name(verdict.family, &verdict.profile);
        format!("{profile} {}", Mark::result(verdict.status).word)
    });
    let verdicts = match Vec::from_iter(verdicts).as_slice() {
        [] => "no profile".to_owned(),
        verdicts => listed(verdicts),
    };
    let description = format!("The Gateway API conformance report of {title}: {verdicts}.");
    let order = profile_order(report);
    let columns = order.iter().map(|&at| Column {
        head: ColumnHead {
            name: profile_title(report, at),
            note: None,
        },
        report,
        profiles: vec![at],
    });
    let next = report.next.and_then(|next| site.model.reports().get(next));
    let implementation = site.model.implementation(report.implementation);
    let newer = implementation.filter(|one| one.newest.minor() > report.minor());
    let newest = newer.map(|one| one.newest.page());
    let profiles = order.iter();
    let profiles = profiles.filter_map(|&at| Some(profile(report, at, facts.profiles.get(at)?)));
    let profiles: Vec<_> = profiles.collect();
    let page = ReportPage {
        head: site
            .head(&path, &title, &description)
            .with_terms(TERMS)
            .with_newer(site.base, newest.as_deref()),
        standings: newer.map_or_else(Vec::new, |one| {
            let families = one.families.iter();
            let standing = families.map(|verdict| (verdict.name(), verdict.mark()));
            standing.collect()
        }),
        newer: newer.zip(newest).map(|(one, page)| Next {
            page,
            name: title_of(one.newest),
        }),
        implementation: paths::implementation_page(&report.implementation.slug),
        facts: fields(report),
        website: facts.url().filter(|url| is_web_address(url)),
        contacts: contacts(report),
        sha256: report.sha256(),
        verdicts: by_verdict(&profiles),
        profiles,
        blocks: blocks(report, &order),
        features: feature_table::table(site, &columns.collect::<Vec<_>>()),
        provisional: &facts.succeeded_provisional,
        findings: findings(site, report),
        previous: previous(site, report),
        next: next.map(|next| Next {
            page: next.page(),
            name: title_of(next),
        }),
        in_repository: site.source.map(|source| {
            let path = report.path_in_tree;
            let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
            [path, folder].map(|path| paths::in_repository(source, path))
        }),
        reproduce,
        report,
        title,
    };
    layout::file(&path, &page)
}

fn by_verdict(profiles: &[Profile<'_>]) -> Vec<(Mark, String)> {
    let mut found: Vec<(Mark, String)> = Vec::new();
    for profile in profiles {
        match found.iter_mut().find(|(mark, _)| *mark == profile.mark) {
            Some((_, names)) => {
                names.push_str(", ");
                names.push_str(&profile.name);
            }
            None => found.push((profile.mark.clone(), profile.name.clone())),
        }
    }
    found
}

fn fields(report: &ReportView<'_>) -> Vec<(&'static str, String)> {
    let facts = report.facts();
    let or_silent = |text: Option<&str>| text.unwrap_or("not stated").to_owned();
    let release = report.release().unwrap_or_else(|| "unknown".to_owned());
    vec![
        ("Gateway API release", release),
        ("Channel", or_silent(text(&facts.channel))),
        ("Mode", or_silent(text(&facts.mode))),
        ("Organization", or_silent(text(&facts.organization))),
        ("Project", or_silent(text(&facts.project))),
        ("Version", or_silent(text(&facts.version))),
        ("Date", or_silent(text(&facts.date))),
        ("apiVersion", or_silent(facts.api_version.as_deref())),
    ]
}

/// Page title, which is unique among all pages.
fn title(site: &SiteContext<'_>, report: &ReportView<'_>) -> String {
    let name = &report.implementation.name;
    let title = title_of(report);
    match title.strip_prefix(name.as_str()) {
        Some(rest) => site.model.set.title(report.implementation) + rest,
        None => title,
    }
}

fn title_of(report: &ReportView<'_>) -> String {
    match report.difference {
        Some(difference) => format!("{}, {difference}", report_name(report)),
        None => report_name(report),
    }
}

fn profile_order(report: &ReportView<'_>) -> Vec<usize> {
    let profiles = report.facts().profiles.iter().enumerate();
    let mut order: Vec<usize> = profiles.map(|(at, _)| at).collect();
    order.sort_by_cached_key(|&at| {
        let verdict = report.entry.judged.verdicts.get(at);
        let family = verdict.and_then(|verdict| verdict.family);
        let name = profile_title(report, at);
        (family.is_none(), family, !name.ends_with("HTTP"), name)
    });
    order
}

fn profile_title(report: &ReportView<'_>, at: usize) -> String {
    let verdict = report.entry.judged.verdicts.get(at);
    let name = verdict.map(|verdict| profile_name(verdict.family, &verdict.profile));
    let name = name.filter(|name| !name.is_empty());
    name.unwrap_or_else(|| "Unnamed profile".to_owned())
}

fn blocks<'s>(report: &ReportView<'s>, order: &[usize]) -> Vec<(&'s str, String)> {
    let verdicts = &report.entry.judged.verdicts;
    let mut blocks: Vec<(&str, Vec<String>)> = Vec::new();
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for &at in order {
        let of_profile = verdicts.get(at).map_or(&[][..], |verdict| &verdict.blocks);
        for block in of_profile {
            let place = *places.entry(&block.message).or_insert(blocks.len());
            match blocks.get_mut(place) {
                Some((_, names)) => names.push(profile_title(report, at)),
                None => blocks.push((&block.message, vec![profile_title(report, at)])),
            }
        }
    }
    blocks
        .into_iter()
        .map(|(text, names)| (text, names.join(", ")))
        .collect()
}

fn profile<'s>(report: &'s ReportView<'_>, at: usize, profile: &'s facts::Profile) -> Profile<'s> {
    let verdict = report.entry.judged.verdicts.get(at);
    let unseen = verdict.map(|verdict| verdict.unseen).unwrap_or_default();
    let rows = profile.levels().map(|(name, level)| {
        let unseen = unseen.of(name).min(level.passed().unwrap_or_default());
        let passed = level.passed().map(|passed| passed - unseen);
        let numbers = [passed, Some(unseen), level.skipped(), level.failed()];
        let names = |list: &'s Option<List<Name>>| list.iter().flatten().collect();
        LevelRow {
            name,
            dots: chart::dots(numbers.map(Option::unwrap_or_default)),
            numbers,
            skipped: names(&level.skipped_tests),
            failed: names(&level.failed_tests),
        }
    });
    Profile {
        name: profile_title(report, at),
        mark: verdict.map_or_else(
            || Mark::result(Status::Unreadable),
            |verdict| Mark::result(verdict.status),
        ),
        reason: verdict
            .filter(|verdict| verdict.blocks.is_empty())
            .map(|verdict| verdict.reason.as_str()),
        unseen: (unseen != UnseenByLevel::default()).then(|| capitalized(unseen.word())),
        levels: rows.collect(),
    }
}

fn findings<'s>(site: &SiteContext<'s>, report: &ReportView<'_>) -> Vec<FileFindings<'s>> {
    let path = report.facts().path.as_str();
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let readme = format!("{folder}/README.md");
    let own = site.findings.get_key_value(path);
    let others = [folder, &readme]
        .into_iter()
        .filter(|other| *other != path && !other.is_empty())
        .filter_map(|other| site.findings.get_key_value(other));
    own.into_iter()
        .chain(others)
        .map(|(path, findings)| FileFindings {
            path,
            findings: findings
                .iter()
                .take(MAX_ROWS)
                .map(|one| finding(one))
                .collect(),
            more: findings.len().saturating_sub(MAX_ROWS),
        })
        .collect()
}

fn previous<'s>(site: &'s SiteContext<'_>, report: &'s ReportView<'_>) -> Option<Previous<'s>> {
    let before = site.model.reports().get(report.previous?)?;
    Some(Previous {
        page: before.page(),
        name: history::compared(before, report),
        groups: history::groups(site, report),
    })
}

fn clipped(text: &str, most: usize) -> (&str, bool) {
    let mut end = most.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    (&text[..end], end < text.len())
}

impl ReportPage<'_> {
    /// Head of the column of unseen results; `None` if all results were seen.
    fn unseen(&self) -> Option<&str> {
        self.profiles
            .iter()
            .find_map(|profile| profile.unseen.as_deref())
    }

    fn day(&self) -> Option<String> {
        history::day(self.report)
    }
}
