//! Checks logged options. Source: `logOptions` and `NewConformanceTestSuite`.

use std::collections::BTreeSet;

use super::Claim;
use gwconform_yaml::NodeId;

/// Contradiction between the logged options and the report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SettingsIssue {
    /// The options do not select a reported profile.
    ProfileNotChosen {
        /// Profile name, such as `GATEWAY-HTTP`.
        profile: String,
        /// Node of the profile in the report.
        node: NodeId,
    },
    /// The options select a profile that is not in the report.
    ProfileMissing {
        /// Profile name, such as `GATEWAY-HTTP`.
        profile: String,
        /// Root node of the report.
        node: NodeId,
    },
    /// The report lists a feature as supported, but the options do not select it.
    FeatureNotChosen {
        /// Feature name, such as `HTTPRouteCORS`.
        feature: String,
        /// Node of the feature in the report.
        node: NodeId,
    },
    /// The options select a feature that is listed as unsupported.
    FeatureChosen {
        /// Feature name, such as `HTTPRouteCORS`.
        feature: String,
        /// Node of the feature in the report.
        node: NodeId,
    },
}

pub(super) struct Chosen<'c> {
    names: Option<BTreeSet<&'c str>>,
    exempt: BTreeSet<&'c str>,
}

impl<'c> Chosen<'c> {
    /// `None` if the log does not contain the selected features.
    pub(super) fn try_new(claim: &Claim<'c>) -> Option<Self> {
        let settings = claim.run.said.settings.as_ref()?;
        let exempt = settings.exempt.iter().map(String::as_str).collect();
        if settings.enables_all {
            return Some(Self {
                names: None,
                exempt,
            });
        }
        let lists = [&settings.supported, &settings.inferred];
        let named: BTreeSet<&str> = lists
            .into_iter()
            .flatten()
            .flatten()
            .map(String::as_str)
            .collect();
        if named.is_empty() {
            return None;
        }
        let profiles = claim.release.profiles().filter(|profile| {
            let chosen = settings.profiles.as_ref();
            let is_reported = || {
                let mut reported = claim.report.profiles.iter();
                reported.any(|one| one.name_or_empty() == profile.report_name)
            };
            chosen.map_or_else(is_reported, |chosen| chosen.contains(&profile.name))
        });
        let core = profiles
            .flat_map(|profile| &profile.core)
            .map(String::as_str);
        Some(Self {
            names: Some(named.into_iter().chain(core).collect()),
            exempt,
        })
    }

    fn has(&self, feature: &str) -> bool {
        let is_named = self
            .names
            .as_ref()
            .is_none_or(|names| names.contains(feature));
        is_named && !self.exempt.contains(feature)
    }
}

pub(super) fn issues(claim: &Claim<'_>) -> Vec<SettingsIssue> {
    let mut issues = profiles(claim);
    let Some(chosen) = Chosen::try_new(claim) else {
        return issues;
    };
    for extended in claim
        .report
        .profiles
        .iter()
        .filter_map(|profile| profile.extended.as_ref())
    {
        let lists = [
            (&extended.supported_features, true),
            (&extended.unsupported_features, false),
        ];
        for (list, is_supported) in lists {
            for item in list.iter().flat_map(|list| &list.items) {
                let feature = item.value.to_owned();
                let node = item.node;
                match (is_supported, chosen.has(item.value)) {
                    // Suites up to v1.3.0 list exempt features as both supported and unsupported.
                    (true, false) if !chosen.exempt.contains(item.value) => {
                        issues.push(SettingsIssue::FeatureNotChosen { feature, node });
                    }
                    (false, true) => issues.push(SettingsIssue::FeatureChosen { feature, node }),
                    _ => {}
                }
            }
        }
    }
    issues
}

fn profiles(claim: &Claim<'_>) -> Vec<SettingsIssue> {
    let settings = claim.run.said.settings.as_ref();
    let Some(chosen) = settings.and_then(|settings| settings.profiles.as_ref()) else {
        return Vec::new();
    };
    if chosen.is_empty() {
        return Vec::new();
    }
    let reported_as = |name: &'_ String| match claim.release.profile(name) {
        Some(profile) => profile.report_name.clone(),
        None => name.clone(),
    };
    let chosen: BTreeSet<String> = chosen.iter().map(reported_as).collect();
    let mut issues = Vec::new();
    let mut reported = BTreeSet::new();
    for profile in &claim.report.profiles {
        let name = profile.name_or_empty();
        reported.insert(name);
        if !chosen.contains(name) {
            issues.push(SettingsIssue::ProfileNotChosen {
                profile: name.to_owned(),
                node: profile.name.map_or(profile.node, |name| name.node),
            });
        }
    }
    for profile in chosen
        .iter()
        .filter(|name| !reported.contains(name.as_str()))
    {
        issues.push(SettingsIssue::ProfileMissing {
            profile: profile.clone(),
            node: claim.root,
        });
    }
    issues
}
