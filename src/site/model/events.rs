//! What a report begins and ceases to say of features: what feeds of features are made of.

use super::report::ReportView;
use crate::certify::catalog::is_claimed;
use crate::report::facts::Name;
use crate::review::diff::{Change, Claim};

/// What happens to a feature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FeatureEventKind {
    /// The report supports it, and the one before did not; or it is the first of its kind.
    Gained,
    /// The report before supported it.
    Lost,
}

/// A feature that a report begins or ceases to support in a profile.
#[derive(Debug, Clone, Copy)]
pub struct FeatureEvent<'r> {
    pub kind: FeatureEventKind,
    /// The profile's name; empty when it has none.
    pub profile: &'r str,
    pub feature: &'r str,
}

/// The events of a report. The first report of its kind gains what it claims; there are none without a
/// date, as feeds are in its order.
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

/// A profile and a feature, by their names.
pub type InProfile<'r> = (&'r Name, &'r Name);

/// The features that a report supports in a profile, and the report before did not.
pub fn gained<'r>(report: &'r ReportView<'_>) -> impl Iterator<Item = InProfile<'r>> {
    let gains = report.diff.gains.iter();
    gains.filter_map(|change| match change {
        Change::Feature {
            profile,
            feature,
            new: Claim::Supported,
            ..
        } => Some((profile, feature)),
        _ => None,
    })
}

/// The features that the report before supported in a profile, and a report does not.
pub fn lost<'r>(report: &'r ReportView<'_>) -> impl Iterator<Item = InProfile<'r>> {
    let regressions = report.diff.regressions.iter();
    regressions.filter_map(|change| match change {
        Change::Feature {
            profile, feature, ..
        } => Some((profile, feature)),
        _ => None,
    })
}
