//! `/implementations/<i>/<release>/<report>/`: one report, and the findings about it.

use askama::Template;
use rayon::prelude::*;

use super::chart;
use super::feature_table::{self, FeatureTable};
use super::history;
use super::implementation::{Contact, contacts, profile_name};
use super::mark::Mark;
use super::page::{self, Head, Page, SiteContext};
use crate::catalog::State;
use crate::diagnostic::Diagnostic;
use crate::facts::{self, Name};
use crate::formats::is_web_address;
use crate::message::{Message, Part};
use crate::model::{Level, List};
use crate::readme;
use crate::site::File;
use crate::site::model::{ReportView, listed, report_name, text};
use crate::site::paths;

/// The longest text of a README that a page repeats, in bytes.
const MAX_REPRODUCE: usize = 40_000;

/// Most findings of a file that a page lists.
const MAX_FINDINGS: usize = 200;

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
    features: FeatureTable,
    has_unknown_proofs: bool,
    provisional: &'s [Name],
    findings: Vec<FileFindings<'s>>,
    previous: Option<Previous<'s>>,
    reproduce: Option<String>,
    is_cut: bool,
}

/// A profile of the report.
struct Profile<'s> {
    /// Of its section in the page.
    id: String,
    name: String,
    mark: Mark,
    reason: &'s str,
    blocks: Vec<&'s str>,
    levels: Vec<LevelRow<'s>>,
}

struct LevelRow<'s> {
    name: Level,
    result: &'s str,
    numbers: [Option<u64>; 3],
    dots: String,
    skipped: Vec<&'s Name>,
    failed: Vec<&'s Name>,
}

/// Findings of a file.
struct FileFindings<'s> {
    path: &'s str,
    findings: Vec<Finding<'s>>,
    more: usize,
}

struct Finding<'s> {
    severity: &'static str,
    rule: &'static str,
    page: String,
    place: String,
    message: Vec<(bool, &'s str)>,
    help: Vec<(bool, &'s str)>,
}

/// What changed since the report before.
struct Previous<'s> {
    page: String,
    name: String,
    groups: Vec<history::Group<'s>>,
}

pub(super) fn files(site: &SiteContext<'_>) -> Vec<File> {
    site.model
        .reports()
        .par_iter()
        .map(|report| report_page(site, report))
        .collect()
}

fn report_page(site: &SiteContext<'_>, report: &ReportView<'_>) -> File {
    let path = report.page();
    let title = report_name(report);
    let facts = report.facts();
    let verdicts: Vec<_> = report
        .entry
        .judged
        .verdicts
        .iter()
        .map(|verdict| {
            format!(
                "{} {}",
                profile_name(verdict.family, &verdict.profile),
                verdict.status.as_str()
            )
        })
        .collect();
    let description = format!(
        "The Gateway API conformance report of {title}: {}.",
        listed(&verdicts)
    );
    let reproduce = site
        .reproduce
        .get(&facts.submission)
        .map(|text| clipped(text, MAX_REPRODUCE));
    let mut columns: Vec<_> = report
        .entry
        .judged
        .verdicts
        .iter()
        .enumerate()
        .map(|(at, verdict)| (profile_name(verdict.family, &verdict.profile), at))
        .collect();
    columns.sort();
    let page = ReportPage {
        head: site.head(
            &Page {
                path: &path,
                title: &title,
                description: &description,
            },
            &[],
        ),
        implementation: paths::implementation_page(&report.implementation.slug),
        facts: fields(report),
        website: facts.url.as_deref().filter(|url| is_web_address(url)),
        contacts: contacts(report),
        sha256: report.sha256(),
        profiles: facts
            .profiles
            .iter()
            .enumerate()
            .map(|(at, profile)| self::profile(report, at, profile))
            .collect(),
        features: feature_table::table(site, report, &columns),
        has_unknown_proofs: report.features.iter().any(|profile| {
            let mut states = profile.core.iter().chain(&profile.extended);
            states.any(|(_, state)| matches!(state, State::Claimed))
        }),
        provisional: &facts.succeeded_provisional,
        findings: findings(site, report),
        previous: previous(site, report),
        is_cut: reproduce.is_some_and(|(_, is_cut)| is_cut),
        reproduce: reproduce.map(|(text, _)| {
            readme::to_html(text, 3, &|target| {
                is_web_address(target).then(|| target.to_owned())
            })
        }),
        report,
        title,
    };
    page::file(&path, &page)
}

/// Fields of the report.
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

fn profile<'s>(report: &'s ReportView<'_>, at: usize, profile: &'s facts::Profile) -> Profile<'s> {
    let verdict = report.entry.judged.verdicts.get(at);
    let rows = profile.levels().map(|(name, level)| {
        let numbers = [level.passed(), level.skipped(), level.failed()];
        let names = |list: &'s Option<List<Name>>| list.iter().flatten().collect();
        LevelRow {
            name,
            result: level.result.text().unwrap_or("not stated"),
            dots: chart::dots(numbers.map(Option::unwrap_or_default)),
            numbers,
            skipped: names(&level.skipped_tests),
            failed: names(&level.failed_tests),
        }
    });
    let blocks = verdict.map_or(&[][..], |verdict| &verdict.blocks).iter();
    Profile {
        id: format!("profile-{}", at + 1),
        name: profile
            .name()
            .filter(|name| !name.is_empty())
            .unwrap_or("Unnamed profile")
            .to_owned(),
        mark: verdict.map_or_else(
            || Mark::state(&State::NotStated),
            |verdict| Mark::status(verdict.status),
        ),
        reason: verdict.map_or("", |verdict| &verdict.reason),
        blocks: blocks.map(|block| block.message.as_str()).collect(),
        levels: rows.collect(),
    }
}

/// The findings of the report's file, then those of the other files of its submission.
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
                .take(MAX_FINDINGS)
                .map(|finding| self::finding(finding))
                .collect(),
            more: findings.len().saturating_sub(MAX_FINDINGS),
        })
        .collect()
}

fn finding(finding: &Diagnostic) -> Finding<'_> {
    let region = finding.place.region.as_ref();
    Finding {
        severity: finding.severity.as_str(),
        rule: finding.rule,
        page: paths::rule_page(finding.rule),
        place: region.map_or_else(String::new, |region| {
            format!("line {}, column {}", region.start.line, region.start.column)
        }),
        message: parts(&finding.message),
        help: finding.help.as_ref().map(parts).unwrap_or_default(),
    }
}

/// A message in its parts; true for a value.
fn parts(message: &Message) -> Vec<(bool, &str)> {
    let parts = message.parts().iter();
    parts
        .map(|part| match part {
            Part::Words(words) => (false, words.as_ref()),
            Part::Code(value) => (true, value.as_ref()),
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

/// A text up to a length, and whether something was cut off.
fn clipped(text: &str, most: usize) -> (&str, bool) {
    let mut end = most.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    (&text[..end], end < text.len())
}

impl ReportPage<'_> {
    fn day(&self) -> Option<String> {
        history::day(self.report)
    }
}
