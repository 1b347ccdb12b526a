mod change_lines;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

pub(super) use change_lines::{Group, groups};

use super::MAX_ROWS;
use super::layout::SiteContext;
use crate::site::model::{ReportView, report_name, submission_name, text};
use gwconform_base::api::{Family, Minor};
use gwconform_base::release::Seen;
use gwconform_base::text::counted;
use gwconform_report::review::diff::{Change, TestOutcome};

pub(super) struct Event {
    pub(super) minor: Option<Minor>,
    /// Date of the newest report.
    pub(super) day: Option<String>,
    /// Submission name, such as `Acme v2.14.0 for v1.5.1`. Includes channel and mode if the
    /// submission has only one report.
    pub(super) name: String,
    pub(super) page: String,
    /// Label and URL of each report if the submission has several, at most `MAX_ROWS`.
    pub(super) runs: Vec<(String, String)>,
    pub(super) more_runs: usize,
    pub(super) notes: Vec<Note>,
}

pub(super) struct Note {
    pub(super) class: &'static str,
    pub(super) text: String,
}

pub(super) fn newest(site: &SiteContext<'_>) -> impl Iterator<Item = Event> {
    let mut groups: BTreeMap<_, Vec<&ReportView<'_>>> = BTreeMap::new();
    for report in site.model.reports() {
        let facts = report.facts();
        let submission = (
            &facts.submission,
            text(&facts.version),
            &report.implementation.slug,
        );
        groups.entry(submission).or_default().push(report);
    }
    let mut groups: Vec<_> = groups.into_values().collect();
    groups.sort_by_cached_key(|reports| {
        let date = reports.iter().filter_map(|report| report.date).max();
        (
            Reverse(date),
            reports.first().map(|report| report.id.as_str()),
        )
    });
    let groups = groups.into_iter();
    groups.filter_map(|reports| event(site, &reports))
}

fn event(site: &SiteContext<'_>, reports: &[&ReportView<'_>]) -> Option<Event> {
    let first = reports.first()?;
    let newest = reports.iter().max_by_key(|report| report.date)?;
    let (name, runs) = match reports {
        [only] => (report_name(only), Vec::new()),
        several => (submission_name(first), runs(several)),
    };
    Some(Event {
        minor: first.minor(),
        day: day(newest),
        page: first.page(),
        notes: notes(site, reports),
        name,
        more_runs: if runs.is_empty() {
            0
        } else {
            reports.len() - runs.len()
        },
        runs,
    })
}

/// Label and URL of the first reports. If reports have the same channel and mode, the labels include the
/// report slug.
fn runs(reports: &[&ReportView<'_>]) -> Vec<(String, String)> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for report in reports {
        *counts.entry(run(report)).or_default() += 1;
    }
    let named = reports.iter().take(MAX_ROWS).map(|report| {
        let (name, slug) = (run(report), &report.entry.slug);
        let name = match counts.get(&name) {
            Some(2..) if name != *slug => format!("{name} ({slug})"),
            _ => name,
        };
        (name, report.page())
    });
    named.collect()
}

fn run(report: &ReportView<'_>) -> String {
    match report.run() {
        run if run.is_empty() => report.entry.slug.clone(),
        run => run,
    }
}

pub(super) fn compared(before: &ReportView<'_>, report: &ReportView<'_>) -> String {
    let name = report_name(before);
    let name = match day(before) {
        Some(day) if before.date > report.date => {
            format!("{name}, submitted later, on {day}, for an older release")
        }
        Some(day) => format!("{name} of {day}"),
        None => name,
    };
    let chosen = report.entry.before.as_ref();
    match chosen.and_then(|before| before.first.as_ref()) {
        Some(first) => format!("{name} ({first})"),
        None => name,
    }
}

pub(super) fn day(report: &ReportView<'_>) -> Option<String> {
    let date = report.date?.to_string();
    Some(date.get(..10)?.to_owned())
}

fn seen(site: &SiteContext<'_>, report: &ReportView<'_>, test: &str) -> Seen {
    site.model.catalog.proofs.seen(report.facts(), test)
}

fn notes(site: &SiteContext<'_>, reports: &[&ReportView<'_>]) -> Vec<Note> {
    let note = |class, text| Note { class, text };
    let first = reports.iter().filter(|report| report.previous.is_none());
    let first = first.count();
    let mut notes = changed(site, reports, |_| true);
    match (first, reports.len()) {
        (0, _) => {}
        (1, 1) => notes.push(note(
            "same",
            "first report for this channel and mode".to_owned(),
        )),
        (first, all) if first == all => {
            notes.push(note(
                "same",
                "first reports for their channels and modes".to_owned(),
            ));
        }
        (first, _) => {
            let text = match first {
                1 => "1 report is the first for its channel and mode".to_owned(),
                _ => format!("{first} reports are the first for their channels and modes"),
            };
            notes.push(note("same", text));
        }
    }
    or_nothing(notes)
}

pub(super) fn notes_of_family(
    site: &SiteContext<'_>,
    report: &ReportView<'_>,
    family: Family,
) -> Vec<Note> {
    let of_family = |change: &Change| {
        let profile = change
            .profile()
            .and_then(|name| site.model.registry.profile(name));
        profile.is_some_and(|profile| profile.family == family)
    };
    or_nothing(changed(site, &[report], of_family))
}

fn or_nothing(mut notes: Vec<Note>) -> Vec<Note> {
    if notes.is_empty() {
        notes.push(Note {
            class: "same",
            text: "nothing gained or lost".to_owned(),
        });
    }
    notes
}

/// Notes for verdicts, features and tests, regressions first. A change in several profiles or
/// reports is counted once.
fn changed(
    site: &SiteContext<'_>,
    reports: &[&ReportView<'_>],
    is_wanted: impl Fn(&Change) -> bool,
) -> Vec<Note> {
    let note = |class, text| Note { class, text };
    let mut notes = Vec::new();
    for class in ["worse", "better"] {
        let changes = reports.iter().flat_map(|report| {
            let changes = match class {
                "worse" => &report.diff.regressions,
                _ => &report.diff.gains,
            };
            changes.iter().map(move |change| (*report, change))
        });
        let changes: Vec<_> = changes.filter(|(_, change)| is_wanted(change)).collect();
        let verdicts = changes.iter().filter_map(|(_, change)| verdict(change));
        let verdicts: BTreeSet<String> = verdicts.collect();
        notes.extend(verdicts.into_iter().map(|text| note(class, text)));
        let names = changes.iter().filter_map(|(_, change)| match change {
            Change::Feature { feature, .. } => Some(feature),
            _ => None,
        });
        let features = names.collect::<BTreeSet<_>>().len();
        if features > 0 {
            let what = if class == "worse" { "lost" } else { "gained" };
            notes.push(note(
                class,
                format!("{} {what}", counted(features, "feature")),
            ));
        }
        if class == "worse" {
            notes.extend(first_runs(reports, &is_wanted));
        }
        let (of_seen, others) = tests(&changes, |report, test| {
            class != "better" || seen(site, report, test) == Seen::Yes
        });
        let what = match (class, of_seen) {
            ("worse", _) => "newly skipped or failed",
            (_, 1) => "now passes",
            _ => "now pass",
        };
        for (tests, what) in [(of_seen, what), (others, "no longer skipped or failed")] {
            if tests > 0 {
                notes.push(note(class, format!("{} {what}", counted(tests, "test"))));
            }
        }
    }
    notes
}

fn first_runs(reports: &[&ReportView<'_>], is_wanted: impl Fn(&Change) -> bool) -> Option<Note> {
    let changes = reports.iter().flat_map(|report| &report.diff.metadata);
    let changes = changes.filter(|change| is_bad_first_run(change) && is_wanted(change));
    let tests: BTreeSet<_> = changes.filter_map(Change::test).collect();
    (!tests.is_empty()).then(|| Note {
        class: "worse",
        text: match tests.len() {
            1 => "1 test skipped or failed in its first run".to_owned(),
            several => format!("{several} tests skipped or failed in their first run"),
        },
    })
}

fn is_bad_first_run(change: &Change) -> bool {
    matches!(
        change,
        Change::Test { old, new: TestOutcome::Skipped | TestOutcome::Failed, .. } if !old.has_run()
    )
}

fn tests(
    changes: &[(&ReportView<'_>, &Change)],
    is_seen: impl Fn(&ReportView<'_>, &str) -> bool,
) -> (usize, usize) {
    let tests = changes.iter().filter_map(|(report, change)| match change {
        Change::Test { test, .. } => Some((*report, test)),
        _ => None,
    });
    let (mut of_seen, mut others) = (BTreeSet::new(), BTreeSet::new());
    for (report, test) in tests {
        if is_seen(report, test) {
            of_seen.insert(test)
        } else {
            others.insert(test)
        };
    }
    let others = others.difference(&of_seen).count();
    (of_seen.len(), others)
}

fn verdict(change: &Change) -> Option<String> {
    match change {
        Change::Verdict { profile, old, new } => {
            Some(format!("{profile} {}, was {}", new.as_str(), old.as_str()))
        }
        Change::ProfileGone { profile } => Some(format!("{profile} no longer reported")),
        Change::ProfileNew { profile } => Some(format!("new profile: {profile}")),
        _ => None,
    }
}
