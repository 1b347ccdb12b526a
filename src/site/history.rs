//! What changed from report to report, for the pages that tell it.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::page::SiteContext;
use super::view::ReportView;
use super::words::report_name;
use crate::diff::Change;
use crate::text::counted;

/// A report as an event.
pub(super) struct Event {
    /// `2026-07-16`; `None` when the report has no date that can be read.
    pub(super) day: Option<String>,
    /// `Acme v2.14.0 for v1.5.1 (standard, default)`
    pub(super) name: String,
    /// The folder of the report's page.
    pub(super) path: String,
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
    let mut reports: Vec<&ReportView<'_>> = site.view.reports.iter().collect();
    reports.sort_by(|a, b| (Reverse(a.date), &a.id).cmp(&(Reverse(b.date), &b.id)));
    reports.into_iter().map(event).collect()
}

/// A report as an event.
pub(super) fn event(seen: &ReportView<'_>) -> Event {
    Event {
        day: day(seen),
        name: report_name(seen),
        path: seen.page(),
        notes: notes(seen),
    }
}

/// The report that another is compared with: its name, its day, and whether it was made later.
pub(super) fn compared(before: &ReportView<'_>, seen: &ReportView<'_>) -> String {
    let name = report_name(before);
    match day(before) {
        Some(day) if before.date > seen.date => {
            format!("{name}, made later, on {day}, for an older release")
        }
        Some(day) => format!("{name} of {day}"),
        None => name,
    }
}

/// The day of a report in UTC.
pub(super) fn day(seen: &ReportView<'_>) -> Option<String> {
    let date = seen.date?.to_string();
    Some(date.get(..10)?.to_owned())
}

/// Most changes that are told in a few words.
const MAX_NOTES: usize = 20;

fn notes(seen: &ReportView<'_>) -> Vec<Note> {
    if seen.before.is_none() {
        return vec![Note {
            class: "same",
            text: "first report of its kind".to_owned(),
        }];
    }
    let mut notes = Vec::new();
    for (changes, class) in [
        (&seen.diff.regressions, "worse"),
        (&seen.diff.gains, "better"),
    ] {
        for change in changes {
            if let Some(text) = verdict(change) {
                notes.push(Note { class, text });
            }
        }
        let features = changes.iter().filter_map(|change| match change {
            Change::Feature { feature, .. } => Some(feature),
            _ => None,
        });
        // A feature that several profiles have is one.
        let features = features.collect::<BTreeSet<_>>().len();
        if features > 0 {
            let what = if class == "worse" { "lost" } else { "gained" };
            let text = format!("{} {what}", counted(features, "feature"));
            notes.push(Note { class, text });
        }
        let tests = changes
            .iter()
            .filter(|change| matches!(change, Change::Test { .. }))
            .count();
        if tests > 0 {
            let what = if class == "worse" {
                "newly skipped or failed"
            } else {
                "no longer skipped or failed"
            };
            let text = format!("{} {what}", counted(tests, "test"));
            notes.push(Note { class, text });
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
        Change::ProfileNew { profile } => Some(format!("{profile} reported")),
        _ => None,
    }
}

/// Changes of one kind: its heading, its class in `site/style.css`, and they themselves.
pub(super) type Group<'c> = (&'static str, &'static str, Vec<Told<'c>>);

/// The changes since the report before, worse ones first; without kinds of which there are none.
pub(super) fn groups<'c>(site: &SiteContext<'_>, seen: &'c ReportView<'_>) -> Vec<Group<'c>> {
    let groups = [
        ("Lost", "worse", &seen.diff.regressions),
        ("Gained", "better", &seen.diff.gains),
        ("Otherwise", "same", &seen.diff.metadata),
    ];
    groups
        .into_iter()
        .filter(|(_, _, changes)| !changes.is_empty())
        .map(|(name, class, changes)| {
            let changes = changes.iter().map(|change| told(site, change));
            (name, class, changes.collect())
        })
        .collect()
}

/// A change as a page tells it.
pub(super) struct Told<'c> {
    /// The profile that it is in.
    pub(super) profile: Option<&'c str>,
    /// Its name.
    pub(super) name: &'c str,
    /// The folder of its page, for a feature.
    pub(super) path: Option<String>,
    /// `supported, was not stated`
    pub(super) what: String,
}

/// A change as a page tells it.
fn told<'c>(site: &SiteContext<'_>, change: &'c Change) -> Told<'c> {
    match change {
        Change::Verdict { profile, old, new } => Told {
            profile: None,
            name: profile,
            path: None,
            what: format!("{}, was {}", new.as_str(), old.as_str()),
        },
        Change::ProfileGone { profile } => Told {
            profile: None,
            name: profile,
            path: None,
            what: "no longer reported".to_owned(),
        },
        Change::ProfileNew { profile } => Told {
            profile: None,
            name: profile,
            path: None,
            what: "reported, was not".to_owned(),
        },
        Change::Test {
            profile,
            test,
            old,
            new,
        } => Told {
            profile: Some(profile),
            name: test,
            path: None,
            what: format!("{}, was {}", new.as_str(), old.as_str()),
        },
        Change::Feature {
            profile,
            feature,
            old,
            new,
        } => Told {
            profile: Some(profile),
            name: feature,
            path: site.view.feature_path(feature),
            what: format!("{}, was {}", new.as_str(), old.as_str()),
        },
        Change::Field { field, old, new } => Told {
            profile: None,
            name: field,
            path: None,
            what: format!(
                "{}, was {}",
                or_nothing(new.as_deref()),
                or_nothing(old.as_deref())
            ),
        },
    }
}

fn or_nothing(text: Option<&str>) -> &str {
    text.unwrap_or("not there")
}
