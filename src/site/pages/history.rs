//! What changed from report to report, for pages.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::page::SiteContext;
use crate::diff::{Change, TestOutcome};
use crate::registry::Seen;
use crate::site::model::{ReportView, report_name};
use crate::text::counted;

/// A report as an event.
pub(super) struct Event {
    /// `2026-07-16`; `None` when the report has no date that can be read.
    pub(super) day: Option<String>,
    /// `Acme v2.14.0 for v1.5.1 (standard, default)`
    pub(super) name: String,
    /// The report's page.
    pub(super) page: String,
    /// `first report`, or what changed, in a few words each, worse first.
    pub(super) notes: Vec<Note>,
}

/// A change in a few words.
pub(super) struct Note {
    /// `worse`, `better` or `same`.
    pub(super) class: &'static str,
    pub(super) text: String,
}

/// All reports, the newest first; those without a date last.
pub(super) fn newest(site: &SiteContext<'_>) -> Vec<Event> {
    let mut reports: Vec<&ReportView<'_>> = site.model.reports().iter().collect();
    reports.sort_by(|a, b| (Reverse(a.date), &a.id).cmp(&(Reverse(b.date), &b.id)));
    reports
        .into_iter()
        .map(|report| event(site, report))
        .collect()
}

/// A report as an event.
pub(super) fn event(site: &SiteContext<'_>, report: &ReportView<'_>) -> Event {
    Event {
        day: day(report),
        name: report_name(report),
        page: report.page(),
        notes: notes(site, report),
    }
}

/// The report that another is compared with: its name, its day, and whether it was made later.
pub(super) fn compared(before: &ReportView<'_>, report: &ReportView<'_>) -> String {
    let name = report_name(before);
    let name = match day(before) {
        Some(day) if before.date > report.date => {
            format!("{name}, made later, on {day}, for an older release")
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

/// The day of a report in UTC.
pub(super) fn day(report: &ReportView<'_>) -> Option<String> {
    let date = report.date?.to_string();
    Some(date.get(..10)?.to_owned())
}

/// Most changes in a summary.
const MAX_NOTES: usize = 20;

/// Whether a report shows the result of a test that it does not name.
fn seen(site: &SiteContext<'_>, report: &ReportView<'_>, test: &str) -> Seen {
    site.model.catalog.proofs.seen(report.facts(), test)
}

fn notes(site: &SiteContext<'_>, report: &ReportView<'_>) -> Vec<Note> {
    if report.previous.is_none() {
        return vec![Note {
            class: "same",
            text: "first report for this channel and mode".to_owned(),
        }];
    }
    let mut notes = Vec::new();
    for (changes, class) in [
        (&report.diff.regressions, "worse"),
        (&report.diff.gains, "better"),
    ] {
        for change in changes {
            if let Some(text) = verdict(change) {
                notes.push(Note { class, text });
            }
        }
        let names = changes.iter().filter_map(|change| match change {
            Change::Feature { feature, .. } => Some(feature),
            _ => None,
        });
        // A feature of several profiles counts once.
        let features = names.collect::<BTreeSet<_>>().len();
        if features > 0 {
            let what = if class == "worse" { "lost" } else { "gained" };
            let text = format!("{} {what}", counted(features, "feature"));
            notes.push(Note { class, text });
        }
        let tests = changes.iter().filter_map(|change| match change {
            Change::Test { test, .. } => Some(test),
            _ => None,
        });
        let is_better = class == "better";
        let (seen, others): (Vec<_>, Vec<_>) =
            tests.partition(|test| !is_better || seen(site, report, test) == Seen::Yes);
        let of_seen = if is_better {
            "now pass"
        } else {
            "newly skipped or failed"
        };
        for (tests, what) in [(seen, of_seen), (others, "no longer skipped or failed")] {
            if !tests.is_empty() {
                let text = format!("{} {what}", counted(tests.len(), "test"));
                notes.push(Note { class, text });
            }
        }
    }
    let more = notes.len().saturating_sub(MAX_NOTES);
    if more > 0 {
        notes.truncate(MAX_NOTES);
        notes.push(Note {
            class: "same",
            text: format!("{more} more"),
        });
    }
    if notes.is_empty() {
        notes.push(Note {
            class: "same",
            text: "nothing gained or lost".to_owned(),
        });
    }
    notes
}

/// A change of a verdict, or a profile that came or went.
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

/// Changes of one kind: its heading, its class in `site/style.css`, and they themselves.
pub(super) type Group<'c> = (&'static str, &'static str, Vec<ChangeLine<'c>>);

/// The changes since the report before, worse ones first, without empty groups.
pub(super) fn groups<'c>(site: &SiteContext<'_>, report: &'c ReportView<'_>) -> Vec<Group<'c>> {
    let groups = [
        ("Lost", "worse", &report.diff.regressions),
        ("Gained", "better", &report.diff.gains),
        ("Otherwise", "same", &report.diff.metadata),
    ];
    groups
        .into_iter()
        .filter(|(_, _, changes)| !changes.is_empty())
        .map(|(name, class, changes)| {
            let changes = changes.iter();
            let changes = changes.map(|change| change_line(site, report, change));
            (name, class, changes.collect())
        })
        .collect()
}

/// A change as pages show it.
pub(super) struct ChangeLine<'c> {
    /// The profile that it is in.
    pub(super) profile: Option<&'c str>,
    /// Its name.
    pub(super) name: &'c str,
    /// Its page, for a feature.
    pub(super) page: Option<String>,
    /// `supported, was not stated`
    pub(super) text: String,
}

/// A change as pages show it.
fn change_line<'c>(
    site: &SiteContext<'_>,
    report: &ReportView<'_>,
    change: &'c Change,
) -> ChangeLine<'c> {
    match change {
        Change::Verdict { profile, old, new } => ChangeLine {
            profile: None,
            name: profile,
            page: None,
            text: format!("{}, was {}", new.as_str(), old.as_str()),
        },
        Change::ProfileGone { profile } => ChangeLine {
            profile: None,
            name: profile,
            page: None,
            text: "no longer reported".to_owned(),
        },
        Change::ProfileNew { profile } => ChangeLine {
            profile: None,
            name: "new profile",
            page: None,
            text: profile.to_string(),
        },
        Change::Test {
            profile,
            test,
            old,
            new,
        } => ChangeLine {
            profile: Some(profile),
            name: test,
            page: None,
            text: test_change(*old, *new, seen(site, report, test)),
        },
        Change::Feature {
            profile,
            feature,
            old,
            new,
        } => ChangeLine {
            profile: Some(profile),
            name: feature,
            page: site.model.set.feature_page(feature),
            text: format!("{}, was {}", new.as_str(), old.as_str()),
        },
        Change::Field { field, old, new } => ChangeLine {
            profile: None,
            name: field,
            page: None,
            text: format!(
                "{}, was {}",
                or_nothing(new.as_deref()),
                or_nothing(old.as_deref())
            ),
        },
    }
}

fn or_nothing(text: Option<&str>) -> &str {
    text.unwrap_or("absent")
}

/// `now passes (was skipped)`, where the report shows the result of the test.
fn test_change(old: TestOutcome, new: TestOutcome, seen: Seen) -> String {
    match (old, new, seen) {
        (old, TestOutcome::NotNamed, Seen::Yes) => format!("now passes (was {})", old.as_str()),
        (old, TestOutcome::NotNamed, Seen::No) => {
            format!("result not seen (was {})", old.as_str())
        }
        (old, TestOutcome::NotNamed, Seen::NotKnown) => format!("no longer {}", old.as_str()),
        (TestOutcome::NotNamed, new, _) => format!("now {}", new.as_str()),
        (old, new, _) => format!("{} (was {})", new.as_str(), old.as_str()),
    }
}
