//! `/implementations/<i>/<release>/<report>/`: everything that one report says, and what was found
//! in it.

use askama::Template;
use rayon::prelude::*;

use super::implementation::{Contact, contacts, profile_name};
use crate::catalog::State;
use crate::diagnostic::Diagnostic;
use crate::facts::{Name, ProfileFacts};
use crate::formats::is_web_address;
use crate::readme;
use crate::site::chart;
use crate::site::features::{self, FeatureTable};
use crate::site::history;
use crate::site::mark::Mark;
use crate::site::page::{self, Head, Page, SiteContext};
use crate::site::view::{ReportView, text};
use crate::site::words::report_name;
use crate::site::{File, words};
use crate::text::counted;

/// The longest text of a README that a page repeats, in bytes.
const MAX_REPRODUCE: usize = 40_000;

/// Most findings of a file that a page tells.
const MAX_FINDINGS: usize = 200;

#[derive(Template)]
#[template(path = "report.html")]
struct Report<'s> {
    head: Head<'s>,
    seen: &'s ReportView<'s>,
    title: String,
    facts: Vec<(&'static str, String)>,
    website: Option<&'s str>,
    contacts: Vec<Contact<'s>>,
    sha256: String,
    profiles: Vec<Profile<'s>>,
    features: FeatureTable,
    has_unknown_proofs: bool,
    provisional: &'s [Name],
    found: Vec<Found<'s>>,
    before: Option<Before<'s>>,
    reproduce: Option<String>,
    is_cut: bool,
}

/// A profile of the report.
struct Profile<'s> {
    name: String,
    mark: Mark,
    reason: &'s str,
    blocks: Vec<&'s str>,
    always_passed: Option<String>,
    levels: Vec<LevelRow<'s>>,
}

struct LevelRow<'s> {
    name: &'static str,
    result: &'s str,
    numbers: [Option<u64>; 3],
    dots: String,
    skipped: &'s [Name],
    failed: &'s [Name],
}

/// Findings of a file.
struct Found<'s> {
    path: &'s str,
    findings: Vec<Finding<'s>>,
    more: usize,
}

struct Finding<'s> {
    severity: &'static str,
    rule: &'static str,
    place: String,
    message: Vec<(bool, &'s str)>,
    help: Vec<(bool, &'s str)>,
}

/// What changed since the report before.
struct Before<'s> {
    path: String,
    name: String,
    groups: Vec<history::Group<'s>>,
}

pub(super) fn files(site: &SiteContext<'_>) -> Vec<File> {
    site.view
        .reports
        .par_iter()
        .map(|seen| report(site, seen))
        .collect()
}

fn report(site: &SiteContext<'_>, seen: &ReportView<'_>) -> File {
    let path = seen.page();
    let title = report_name(seen);
    let facts = seen.facts();
    let verdicts = seen.report.judged.verdicts.iter();
    let verdicts: Vec<_> = verdicts
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
        words::listed(&verdicts)
    );
    let reproduce = site.reproduce.get(&facts.submission);
    let reproduce = reproduce.map(|text| clipped(text, MAX_REPRODUCE));
    let columns = seen.report.judged.verdicts.iter().enumerate();
    let mut columns: Vec<_> = columns
        .map(|(at, verdict)| (profile_name(verdict.family, &verdict.profile), at))
        .collect();
    columns.sort();
    let page = Report {
        head: site.head(
            &Page {
                path: &path,
                title: &title,
                description: &description,
            },
            &[],
        ),
        facts: fields(seen),
        website: facts.url.as_deref().filter(|url| is_web_address(url)),
        contacts: contacts(seen),
        sha256: facts
            .digest
            .0
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect(),
        profiles: facts
            .profiles
            .iter()
            .enumerate()
            .map(|(at, profile)| self::profile(seen, at, profile))
            .collect(),
        features: features::table(site, seen, &columns),
        has_unknown_proofs: seen.features.iter().any(|profile| {
            let mut states = profile.core.iter().chain(&profile.extended);
            states.any(|(_, state)| matches!(state, State::Claimed))
        }),
        provisional: &facts.succeeded_provisional,
        found: found(site, seen),
        before: before(site, seen),
        is_cut: reproduce.is_some_and(|(_, is_cut)| is_cut),
        reproduce: reproduce.map(|(text, _)| {
            readme::to_html(text, 3, &|target| {
                is_web_address(target).then(|| target.to_owned())
            })
        }),
        seen,
        title,
    };
    page::file(&path, &page)
}

/// What the report says of itself.
fn fields(seen: &ReportView<'_>) -> Vec<(&'static str, String)> {
    let facts = seen.facts();
    let or_silent = |text: Option<&str>| text.unwrap_or("not stated").to_owned();
    let release = seen.release().unwrap_or_else(|| "unknown".to_owned());
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

fn profile<'s>(seen: &'s ReportView<'_>, at: usize, profile: &'s ProfileFacts) -> Profile<'s> {
    let verdict = seen.report.judged.verdicts.get(at);
    let rows = profile.levels().map(|(name, level)| {
        let numbers = [level.passed, level.skipped, level.failed];
        LevelRow {
            name,
            result: level.result.as_deref().unwrap_or("not stated"),
            dots: chart::dots(numbers.map(Option::unwrap_or_default)),
            numbers,
            skipped: &level.skipped_tests,
            failed: &level.failed_tests,
        }
    });
    let blocks = verdict.map_or(&[][..], |verdict| &verdict.blocks).iter();
    Profile {
        name: profile.name.as_deref().filter(|name| !name.is_empty()).unwrap_or("A profile without a name").to_owned(),
        mark: verdict.map_or_else(|| Mark::state(&State::NotStated), |verdict| Mark::status(verdict.status)),
        reason: verdict.map_or("", |verdict| &verdict.reason),
        blocks: blocks.map(|block| block.message.as_str()).collect(),
        always_passed: verdict.and_then(|verdict| verdict.always_passed).map(|(some, all)| {
            format!("{} of {} always show as passed: the suite of this release writes the report before they have run", some, counted(all, "core test"))
        }),
        levels: rows.collect(),
    }
}

/// The findings of the report's file, then those of the other files of its submission.
fn found<'s>(site: &SiteContext<'s>, seen: &ReportView<'_>) -> Vec<Found<'s>> {
    let path = seen.facts().path.as_str();
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let readme = format!("{folder}/README.md");
    let own = site.findings.get_key_value(path);
    let others = [folder, &readme];
    let others = others
        .into_iter()
        .filter(|other| *other != path && !other.is_empty());
    let others = others.filter_map(|other| site.findings.get_key_value(other));
    own.into_iter()
        .chain(others)
        .map(|(path, findings)| Found {
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
        place: region.map_or_else(String::new, |region| {
            format!("line {}, column {}", region.start.line, region.start.column)
        }),
        message: parts(&finding.message),
        help: finding.help.as_deref().map(parts).unwrap_or_default(),
    }
}

/// A message in its parts; true for what stands between backticks.
fn parts(message: &str) -> Vec<(bool, &str)> {
    let parts = message.split('`').enumerate();
    parts
        .map(|(nth, part)| (nth % 2 == 1, part))
        .filter(|(_, part)| !part.is_empty())
        .collect()
}

fn before<'s>(site: &'s SiteContext<'_>, seen: &'s ReportView<'_>) -> Option<Before<'s>> {
    let before = site.view.reports.get(seen.before?)?;
    Some(Before {
        path: before.page(),
        name: history::compared(before, seen),
        groups: history::groups(site, seen),
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

impl Report<'_> {
    fn day(&self) -> Option<String> {
        history::day(self.seen)
    }
}
