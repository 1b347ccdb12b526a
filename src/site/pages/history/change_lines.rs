//! Formats the changes in a report, one per line.

use super::{is_bad_first_run, seen};
use crate::site::model::ReportView;
use crate::site::pages::layout::SiteContext;
use gwconform_base::release::Seen;
use gwconform_report::review::diff::{Change, TestOutcome};

pub(in crate::site::pages) type Group<'c> = (&'static str, &'static str, Vec<ChangeLine<'c>>);

pub(in crate::site::pages) fn groups<'c>(
    site: &SiteContext<'_>,
    report: &'c ReportView<'_>,
) -> Vec<Group<'c>> {
    let metadata = report.diff.metadata.iter();
    let (first_runs, others): (Vec<_>, Vec<_>) =
        metadata.partition(|change| is_bad_first_run(change));
    let groups = [
        ("Lost", "worse", report.diff.regressions.iter().collect()),
        ("Skipped or failed in the first run", "worse", first_runs),
        ("Gained", "better", report.diff.gains.iter().collect()),
        ("Otherwise", "same", others),
    ];
    groups
        .into_iter()
        .filter(|(_, _, changes): &(_, _, Vec<_>)| !changes.is_empty())
        .map(|(name, class, changes)| {
            let changes = changes.into_iter();
            let changes = changes.map(|change| change_line(site, report, change));
            (name, class, changes.collect())
        })
        .collect()
}

pub(in crate::site::pages) struct ChangeLine<'c> {
    pub(in crate::site::pages) profile: Option<&'c str>,
    pub(in crate::site::pages) name: &'c str,
    pub(in crate::site::pages) page: Option<String>,
    pub(in crate::site::pages) text: String,
}

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
            page: site.model.set.test_page(test),
            text: test_change(*old, *new, seen(site, report, test)),
        },
        Change::Feature {
            profile,
            feature,
            old,
            new,
            removed_in,
        } => ChangeLine {
            profile: Some(profile),
            name: feature,
            page: site.model.set.feature_page(feature),
            text: match removed_in {
                Some(release) => format!("removed in {release}"),
                None => format!("{}, was {}", new.as_str(), old.as_str()),
            },
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

/// Describes a changed result, such as `now passes (was skipped)`. Reports a pass only if the
/// result is known.
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
