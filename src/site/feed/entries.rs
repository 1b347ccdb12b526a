use std::collections::{BTreeMap, BTreeSet};

use super::{FeedEntry, MAX_ENTRIES};
use crate::site::BaseUrl;
use crate::site::model::{
    FeatureEvent, FeatureEventKind, InProfile, ReportView, SiteModel, feature_events, gained,
    listed, lost, report_name,
};
use crate::site::paths::{report_page, tag};
use gwconform_report::report::facts::Name;
use gwconform_report::review::diff::Change;

/// Creates entries for a report, its changed verdicts, and gained or lost features by profile.
/// Empty if the report has no valid date.
pub(super) fn of_report(
    report: &ReportView<'_>,
    model: &SiteModel<'_>,
    base: Option<&BaseUrl>,
) -> Vec<FeedEntry> {
    let Some(date) = report.date else {
        return Vec::new();
    };
    let entry = |parts: &[&str], title: String, text: String| FeedEntry {
        id: id(report, parts, base),
        title,
        date,
        text,
        page: report_page(&report.id),
    };
    let name = report_name(report);
    let mut entries = vec![entry(&[], format!("New report: {name}"), verdicts(report))];
    let before = model.previous(report).map(report_name).unwrap_or_default();
    for change in report.diff.regressions.iter().chain(&report.diff.gains) {
        if let Change::Verdict { profile, old, new } = change {
            let title = format!(
                "{profile} is {}, was {}: {name}",
                new.as_str(),
                old.as_str()
            );
            let text = format!("{}. Previous report: {before}.", verdicts(report));
            entries.push(entry(&["verdict", profile], title, text));
        }
    }
    let gained: Vec<_> = gained(report).collect();
    let lost: Vec<_> = lost(report).collect();
    for (what, features) in [("gained", gained), ("lost", lost)] {
        for (profile, features) in by_profile(&features) {
            let count = gwconform_base::text::counted(features.len(), "feature");
            let title = format!("{count} {what} in {profile}: {name}");
            let text = format!("{}. Previous report: {before}.", listed(&features));
            entries.push(entry(&[what, profile], title, text));
        }
    }
    entries
}

/// Entries of the newest reports, at least [`MAX_ENTRIES`] if there are so many.
pub(super) fn newest(model: &SiteModel<'_>, base: Option<&BaseUrl>) -> Vec<FeedEntry> {
    let mut entries: Vec<FeedEntry> = Vec::new();
    for report in model.newest_first() {
        // Entries with the same date are sorted by ID.
        let is_full = entries.len() >= MAX_ENTRIES;
        if is_full && entries.last().map(|entry| entry.date) != report.date {
            break;
        }
        entries.extend(of_report(report, model, base));
    }
    entries
}

type Events<'r, 'c> = BTreeMap<&'r str, Vec<(&'r ReportView<'c>, FeatureEvent<'r>)>>;

pub(super) fn events<'r, 'c>(reports: &'r [ReportView<'c>]) -> Events<'r, 'c> {
    let mut events = Events::new();
    for report in reports {
        for event in feature_events(report) {
            events
                .entry(event.feature)
                .or_default()
                .push((report, event));
        }
    }
    events
}

pub(super) fn of_feature(
    events: &[(&ReportView<'_>, FeatureEvent<'_>)],
    base: Option<&BaseUrl>,
) -> Vec<FeedEntry> {
    // A profile that is listed twice would produce duplicate IDs.
    let mut ids = BTreeSet::new();
    let entries = events.iter();
    let entries = entries.filter_map(|(report, event)| of_event(report, event, base));
    entries
        .filter(|entry| ids.insert(entry.id.clone()))
        .collect()
}

fn of_event(
    report: &ReportView<'_>,
    event: &FeatureEvent<'_>,
    base: Option<&BaseUrl>,
) -> Option<FeedEntry> {
    let FeatureEvent {
        profile, feature, ..
    } = *event;
    let (what, text) = match event.kind {
        FeatureEventKind::Gained => ("gained", " is supported"),
        FeatureEventKind::Lost => ("lost", ": support no longer stated"),
    };
    Some(FeedEntry {
        id: id(report, &[what, profile, feature], base),
        title: format!("{feature}{text} in {profile}: {}", report_name(report)),
        date: report.date?,
        text: verdicts(report),
        page: report_page(&report.id),
    })
}

fn by_profile<'c>(features: &[InProfile<'c>]) -> Vec<(&'c Name, Vec<&'c Name>)> {
    let groups = features.chunk_by(|a, b| a.0 == b.0).filter_map(|group| {
        let (profile, _) = group.first()?;
        Some((
            *profile,
            group.iter().map(|(_, feature)| *feature).collect(),
        ))
    });
    groups.collect()
}

fn verdicts(report: &ReportView<'_>) -> String {
    let verdicts = report.entry.judged.verdicts.iter();
    let verdicts = verdicts.map(|verdict| {
        let status = verdict.status.as_str();
        format!("{}: {status}, {}", verdict.profile, verdict.reason)
    });
    match Vec::from_iter(verdicts).as_slice() {
        [] => "It has no profiles".to_owned(),
        verdicts => verdicts.join("; "),
    }
}

fn id(report: &ReportView<'_>, parts: &[&str], base: Option<&BaseUrl>) -> String {
    let facts = report.facts();
    let document = facts.document.to_string();
    let mut all = vec!["report"];
    all.extend(report.path_in_tree.split('/'));
    if facts.document > 0 {
        all.push(&document);
    }
    all.extend(parts);
    tag(base, &all)
}
