use std::fmt;

use crate::certify;
use crate::report::facts::ReportFacts;
use gwconform_base::api::{NameKind, Version};
use gwconform_base::release::{Profile, Registry, Release};

/// Reason why no profile of a report has a feature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Absence {
    /// No release has the feature.
    NoRelease,
    /// A later release introduces the feature.
    NotYet {
        /// Release of the report.
        release: String,
        /// First release with the feature.
        since: String,
    },
    /// Only earlier releases have the feature.
    NoLonger {
        /// Release of the report.
        release: String,
        /// Last release with the feature.
        until: String,
    },
    /// The feature was removed in or before the release.
    Removed {
        /// Release that removed the feature.
        release: String,
    },
    /// The release declares the feature, but no profile includes it.
    NoProfile {
        /// Release of the report.
        release: String,
        /// First later release whose profiles include the feature.
        since: Option<String>,
    },
    /// Only profiles of the other family have the feature.
    NotInFamily {
        /// Release of the report.
        release: String,
        /// `gateway` or `mesh`.
        family: String,
    },
    /// Only other profiles have the feature.
    NotInProfile {
        /// Release of the report.
        release: String,
        /// Profile name, such as `GATEWAY-HTTP`.
        profile: String,
    },
    /// Only profiles outside of the report have the feature.
    NotReported {
        /// Profiles with the feature, such as `GATEWAY-GRPC or MESH-GRPC`.
        profiles: String,
    },
}

impl fmt::Display for Absence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoRelease => f.write_str("not part of any release"),
            Self::NotYet { release, since } => write!(f, "not part of {release} (since {since})"),
            Self::Removed { release } => write!(f, "removed in {release}"),
            Self::NoLonger { release, until } => write!(f, "not part of {release} (until {until})"),
            Self::NoProfile { release, since } => {
                write!(f, "not part of any profile of {release}")?;
                match since {
                    Some(since) => write!(f, " (since {since})"),
                    None => Ok(()),
                }
            }
            Self::NotInFamily { release, family } => {
                write!(f, "not part of any {family} profile of {release}")
            }
            Self::NotInProfile { release, profile } => {
                write!(f, "not part of {profile} in {release}")
            }
            Self::NotReported { profiles } => write!(f, "did not report {profiles}"),
        }
    }
}

impl Absence {
    /// `asked` limits the search to the family of a profile. `None` if a profile has the feature or
    /// the release is unknown.
    pub fn try_new(
        report: &ReportFacts,
        feature: &str,
        asked: Option<&str>,
        registry: &Registry,
    ) -> Option<Self> {
        let (release, version) = release_of(report, registry)?;
        if let Some(absence) = Self::in_release(release, version, feature, registry) {
            return Some(absence);
        }
        let family = asked
            .and_then(|name| registry.profile(name))
            .map(|profile| profile.family);
        let own = with_feature(release, feature)
            .filter(|profile| family.is_none_or(|family| profile.family == family));
        let names: Vec<&str> = own.map(|profile| profile.name.as_str()).collect();
        let mut reported = report.profiles.iter().filter_map(|profile| profile.name());
        match family {
            _ if reported.any(|name| names.contains(&name)) => None,
            Some(family) if names.is_empty() => Some(Self::NotInFamily {
                release: version.minor().to_string(),
                family: family.as_str().to_owned(),
            }),
            _ => Some(Self::NotReported {
                profiles: names.join(" or "),
            }),
        }
    }

    /// Reason for the profile with the given index. `None` if the profile has the feature or the
    /// release is unknown.
    pub fn in_profile(
        report: &ReportFacts,
        profile: usize,
        feature: &str,
        registry: &Registry,
    ) -> Option<Self> {
        let (release, version) = release_of(report, registry)?;
        let name = report.profiles.get(profile)?.name()?;
        let mut others = with_feature(release, feature);
        if others.any(|profile| profile.name == name) {
            return None;
        }
        let absence = Self::in_release(release, version, feature, registry);
        Some(absence.unwrap_or_else(|| Self::NotInProfile {
            release: version.minor().to_string(),
            profile: name.to_owned(),
        }))
    }

    /// Reason for a release. `None` if a profile has the feature. `version` can be an unknown patch
    /// of the release.
    pub fn in_release(
        release: &Release,
        version: &Version,
        feature: &str,
        registry: &Registry,
    ) -> Option<Self> {
        if with_feature(release, feature).next().is_some() {
            return None;
        }
        let Some(since) = registry.since(NameKind::Feature, feature) else {
            return Some(Self::NoRelease);
        };
        // Name the patch only if the feature changed within the minor.
        let version_next_to = |other: &Release| {
            if other.version().minor() == version.minor() {
                version.to_string()
            } else {
                version.minor().to_string()
            }
        };
        if since.version() > version {
            return Some(Self::NotYet {
                release: version_next_to(since),
                since: registry.first_in_short(since),
            });
        }
        let until = registry.until(NameKind::Feature, feature);
        Some(match until.filter(|until| until.version() < version) {
            Some(until) => match registry.removed_in(NameKind::Feature, feature) {
                Some(release) => Self::Removed { release },
                None => Self::NoLonger {
                    release: version_next_to(until),
                    until: registry.last_in_short(until),
                },
            },
            None => {
                let with_profile = registry
                    .released_first(|release| with_feature(release, feature).next().is_some());
                let first = with_profile
                    .first()
                    .filter(|first| first.version() > version);
                Self::NoProfile {
                    release: version.to_string(),
                    since: first.map(|first| registry.first_in_short(first)),
                }
            }
        })
    }
}

/// Stated version of a report, and the release whose data applies. `None` if the profiles of the
/// release are unknown.
pub fn release_of<'r>(
    report: &'r ReportFacts,
    registry: &'r Registry,
) -> Option<(&'r Release, &'r Version)> {
    let release = certify::facts(report, registry)?;
    release.extended_when()?;
    let version = report.release.version.as_ref();
    Some((release, version.unwrap_or_else(|| release.version())))
}

fn with_feature<'r>(release: &'r Release, feature: &str) -> impl Iterator<Item = &'r Profile> {
    let profiles = release.profiles();
    profiles.filter(move |profile| profile.has(feature))
}
