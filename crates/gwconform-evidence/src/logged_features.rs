//! Compares the feature lists of profiles with the tests that the log shows as run or skipped.

use std::collections::{BTreeMap, BTreeSet};

use super::logged_options::Chosen;
use super::{Claim, Difference, repeated};
use crate::log::{Mark, Outcome, SkipReason};
use gwconform_report::report::suite;
use gwconform_report::report::view;

/// Support for a feature that follows from a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// A test that requires the feature ran.
    Supported,
    /// A test was skipped because the feature is unsupported.
    Unsupported,
}

/// Problem with a feature in a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FeatureIssue {
    /// Listed as supported, but unsupported in the run.
    NotSupported,
    /// Listed as unsupported, but tested in the run.
    Supported,
    /// In neither list, with the support in the log, if known.
    Missing(Option<Shown>),
    /// Not an extended feature of the profile.
    NotOfProfile,
}

#[derive(Default)]
pub(super) struct Features {
    pub(super) differences: Vec<Difference>,
    pub(super) undecided: BTreeSet<String>,
}

pub(super) fn features(claim: &Claim<'_>) -> Features {
    let shown = shown(claim);
    let chosen = Chosen::try_new(claim);
    let mut features = Features::default();
    for profile in &claim.report.profiles {
        let Some(extended) = &profile.extended else {
            continue;
        };
        let possible = suite::expected(
            claim.release,
            profile.name_or_empty(),
            &suite::Ran::default(),
        );
        if possible.is_empty() {
            continue;
        }
        let of_profile = possible
            .iter()
            .map(|one| one.features)
            .max_by_key(|list| list.len());
        let of_profile = of_profile.unwrap_or_default();
        lists(claim, extended, of_profile, &shown, &mut features);
    }
    if chosen.is_some() {
        features.undecided.clear();
    }
    features
}

fn shown<'c>(claim: &Claim<'c>) -> BTreeMap<&'c str, (Shown, &'c Mark)> {
    let mut shown = BTreeMap::new();
    for (name, run) in &claim.run.tests {
        let Some((outcome, mark)) = &run.outcome else {
            continue;
        };
        match (outcome, &run.reason) {
            (Outcome::Skipped, Some((SkipReason::NotSupported(feature), mark))) => {
                shown.insert(feature.as_str(), (Shown::Unsupported, mark));
            }
            (Outcome::Skipped, None) => {}
            _ => {
                let test = claim.release.test(name);
                for feature in test.iter().flat_map(|test| &test.features) {
                    shown.entry(feature).or_insert((Shown::Supported, mark));
                }
            }
        }
    }
    shown
}

fn lists(
    claim: &Claim<'_>,
    extended: &view::Level<'_>,
    of_profile: &[String],
    shown: &BTreeMap<&str, (Shown, &Mark)>,
    features: &mut Features,
) {
    let supported = extended.supported_features.as_ref();
    let unsupported = extended.unsupported_features.as_ref();
    // Suites up to v1.0.0 write no lists if all features are enabled.
    if supported.or(unsupported).is_none() && claim.is_legacy {
        return;
    }
    let first = supported.or(unsupported).map(|list| list.node);
    for list in [supported, unsupported] {
        features.differences.extend(repeated([list]));
    }
    let is_of_profile = |name: &str| of_profile.iter().any(|known| known == name);
    let is_unsupported = |name: &str| unsupported.into_iter().flatten().any(|item| *item == name);
    let mut listed = BTreeSet::new();
    for (list, claimed) in [
        (supported, Shown::Supported),
        (unsupported, Shown::Unsupported),
    ] {
        for item in list.iter().flat_map(|list| &list.items) {
            let found = shown.get(item.value).copied();
            // Suites up to v1.3.0 list exempt features as both supported and unsupported.
            let is_exempt = claimed == Shown::Supported && is_unsupported(item.value);
            let issue = match (claimed, found) {
                _ if !is_of_profile(item.value) => Some(FeatureIssue::NotOfProfile),
                (Shown::Supported, Some((Shown::Unsupported, _))) if !is_exempt => {
                    Some(FeatureIssue::NotSupported)
                }
                (Shown::Unsupported, Some((Shown::Supported, _))) => Some(FeatureIssue::Supported),
                _ => None,
            };
            if found.is_none() && issue.is_none() {
                features.undecided.insert(item.value.to_owned());
            }
            listed.insert(item.value);
            if let Some(issue) = issue {
                features.differences.push(Difference::Feature {
                    feature: item.value.to_owned(),
                    node: item.node,
                    issue,
                    mark: found.map(|(_, mark)| mark.clone()),
                });
            }
        }
    }
    for feature in of_profile
        .iter()
        .filter(|name| !listed.contains(name.as_str()))
    {
        let found = shown.get(feature.as_str()).copied();
        let list = match found {
            Some((Shown::Unsupported, _)) => unsupported,
            _ => supported,
        };
        features.differences.push(Difference::Feature {
            feature: feature.clone(),
            node: list
                .map(|list| list.node)
                .or(first)
                .unwrap_or(extended.node),
            issue: FeatureIssue::Missing(found.map(|(shown, _)| shown)),
            mark: found.map(|(_, mark)| mark.clone()),
        });
    }
}
