//! What the entries of feeds tell.

use super::super::paths::{report_page, tag};
use super::super::view::{ReportView, View};
use super::super::words::{is_claimed, listed, report_name};
use super::Entry;
use crate::diff::{Change, Claim};
use crate::facts::Name;
use crate::site::BaseUrl;

/// The entries about a report: that it is there, each verdict that changed, and for each profile
/// the features gained and those lost. None, when it has no date.
pub(super) fn of_report(
    seen: &ReportView<'_>,
    view: &View<'_>,
    base: Option<&BaseUrl>,
) -> Vec<Entry> {
    let Some(date) = seen.date else {
        return Vec::new();
    };
    let entry = |parts: &[&str], title: String, text: String| Entry {
        id: id(seen, parts, base),
        title,
        date,
        text,
        page: report_page(&seen.id),
    };
    let name = report_name(seen);
    let mut entries = vec![entry(&[], format!("New report: {name}"), verdicts(seen))];
    let before = seen.before.and_then(|at| view.reports.get(at));
    let before = before.map(report_name).unwrap_or_default();
    for change in seen.diff.regressions.iter().chain(&seen.diff.gains) {
        if let Change::Verdict { profile, old, new } = change {
            let title = format!(
                "{profile} is {}, was {}: {name}",
                new.as_str(),
                old.as_str()
            );
            let text = format!("{}. The report before: {before}.", verdicts(seen));
            entries.push(entry(&["verdict", profile], title, text));
        }
    }
    for (what, features) in [("gained", gained(seen)), ("lost", lost(seen))] {
        for (profile, features) in by_profile(&features) {
            let count = crate::text::counted(features.len(), "feature");
            let title = format!("{count} {what} in {profile}: {name}");
            let text = format!("{}. The report before: {before}.", listed(&features));
            entries.push(entry(&[what, profile], title, text));
        }
    }
    entries
}

/// The entries about a feature in a report: in each profile, that its support is new or gone. The
/// first report of its kind gains what it claims. None, when it has no date.
pub(super) fn of_feature(
    seen: &ReportView<'_>,
    feature: &str,
    base: Option<&BaseUrl>,
) -> Vec<Entry> {
    let Some(date) = seen.date else {
        return Vec::new();
    };
    let name = report_name(seen);
    let mut entries = Vec::new();
    let mut add = |what: &str, profile: &str, is_new: bool| {
        let title = if is_new {
            format!("{feature} is supported in {profile}: {name}")
        } else {
            format!("{feature} is no longer stated as supported in {profile}: {name}")
        };
        entries.push(Entry {
            id: id(seen, &[what, profile, feature], base),
            title,
            date,
            text: verdicts(seen),
            page: report_page(&seen.id),
        });
    };
    if seen.before.is_none() {
        for features in &seen.features {
            let profile = seen.facts().profiles.get(features.profile);
            let profile = profile.and_then(|profile| profile.name.as_deref());
            let mut extended = features.extended.iter();
            if extended.any(|(name, state)| &**name == feature && is_claimed(state)) {
                add("gained", profile.unwrap_or_default(), true);
            }
        }
    }
    for (profile, _) in gained(seen).iter().filter(|(_, name)| &***name == feature) {
        add("gained", profile, true);
    }
    for (profile, _) in lost(seen).iter().filter(|(_, name)| &***name == feature) {
        add("lost", profile, false);
    }
    // A report that has a profile twice would have two entries with one id.
    let mut seen = std::collections::BTreeSet::new();
    entries.retain(|entry: &Entry| seen.insert(entry.id.clone()));
    entries
}

type Of<'c> = (&'c Name, &'c Name);

fn gained<'c>(seen: &'c ReportView<'_>) -> Vec<Of<'c>> {
    let gains = seen.diff.gains.iter();
    gains
        .filter_map(|change| match change {
            Change::Feature {
                profile,
                feature,
                new: Claim::Supported,
                ..
            } => Some((profile, feature)),
            _ => None,
        })
        .collect()
}

fn lost<'c>(seen: &'c ReportView<'_>) -> Vec<Of<'c>> {
    let regressions = seen.diff.regressions.iter();
    regressions
        .filter_map(|change| match change {
            Change::Feature {
                profile, feature, ..
            } => Some((profile, feature)),
            _ => None,
        })
        .collect()
}

fn by_profile<'c>(features: &[Of<'c>]) -> Vec<(&'c Name, Vec<&'c Name>)> {
    let groups = features.chunk_by(|a, b| a.0 == b.0);
    let groups = groups.filter_map(|group| {
        let (profile, _) = group.first()?;
        Some((
            *profile,
            group.iter().map(|(_, feature)| *feature).collect(),
        ))
    });
    groups.collect()
}

/// `GATEWAY-HTTP: conformant; GATEWAY-GRPC: partial, 1 of 13 core tests skipped: …`
fn verdicts(seen: &ReportView<'_>) -> String {
    let verdicts = seen.report.judged.verdicts.iter();
    let verdicts: Vec<_> = verdicts
        .map(|verdict| {
            format!(
                "{}: {}, {}",
                verdict.profile,
                verdict.status.as_str(),
                verdict.reason
            )
        })
        .collect();
    if verdicts.is_empty() {
        "It has no profiles".to_owned()
    } else {
        verdicts.join("; ")
    }
}

/// The place of the report in the tree, and what the entry tells.
fn id(seen: &ReportView<'_>, parts: &[&str], base: Option<&BaseUrl>) -> String {
    let facts = seen.facts();
    let document = facts.document.to_string();
    let mut all = vec!["report"];
    all.extend(facts.path.split('/'));
    if facts.document > 0 {
        all.push(&document);
    }
    all.extend(parts);
    tag(base, &all)
}
