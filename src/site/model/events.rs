use super::report::ReportView;
use gwconform_report::certify::catalog::is_claimed;
use gwconform_report::report::facts::Name;
use gwconform_report::review::diff::{Change, Claim};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FeatureEventKind {
    /// The report claims a feature that the previous report does not claim, or has no previous
    /// report.
    Gained,
    Lost,
}

#[derive(Debug, Clone, Copy)]
pub struct FeatureEvent<'r> {
    pub kind: FeatureEventKind,
    pub profile: &'r str,
    pub feature: &'r str,
}

/// Lists the features that a report gained or lost. Without a previous report, every claimed
/// feature is gained. A report without a date has no events, because feeds are sorted by date.
pub fn feature_events<'r>(report: &'r ReportView<'_>) -> Vec<FeatureEvent<'r>> {
    if report.date.is_none() {
        return Vec::new();
    }
    let mut events = Vec::new();
    let mut add = |kind, profile, feature| {
        events.push(FeatureEvent {
            kind,
            profile,
            feature,
        });
    };
    if report.previous.is_none() {
        for features in &report.features {
            let profile = report.facts().profiles.get(features.profile);
            let profile = profile.and_then(|profile| profile.name());
            let claimed = features
                .extended
                .iter()
                .filter(|(_, state)| is_claimed(state));
            for (name, _) in claimed {
                add(
                    FeatureEventKind::Gained,
                    profile.unwrap_or_default(),
                    &**name,
                );
            }
        }
    }
    for (profile, feature) in gained(report) {
        add(FeatureEventKind::Gained, profile, feature);
    }
    for (profile, feature) in lost(report) {
        add(FeatureEventKind::Lost, profile, feature);
    }
    events
}

pub type InProfile<'r> = (&'r Name, &'r Name);

pub fn gained<'r>(report: &'r ReportView<'_>) -> impl Iterator<Item = InProfile<'r>> {
    report.diff.gains.iter().filter_map(|change| match change {
        Change::Feature {
            profile,
            feature,
            new: Claim::Supported,
            ..
        } => Some((profile, feature)),
        _ => None,
    })
}

pub fn lost<'r>(report: &'r ReportView<'_>) -> impl Iterator<Item = InProfile<'r>> {
    let regressions = report.diff.regressions.iter();
    regressions.filter_map(|change| match change {
        Change::Feature {
            profile, feature, ..
        } => Some((profile, feature)),
        _ => None,
    })
}
