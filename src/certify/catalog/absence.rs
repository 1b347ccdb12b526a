//! Why a report shows nothing of a feature that none of its profiles has.

use std::fmt;

use crate::api::{NameKind, Version};
use crate::certify;
use crate::release::{Profile, Registry, Release};
use crate::report::facts::ReportFacts;

/// Why no profile of a report has a feature. Its words are those of pages and of the command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Absence {
    /// No release has it.
    NoRelease,
    /// A later release adds it.
    NotYet {
        /// The release of the report.
        release: String,
        /// The first release that has it.
        since: String,
    },
    /// Releases before that of the report have it.
    NoLonger {
        /// The release of the report.
        release: String,
        /// The last release that has it.
        until: String,
    },
    /// A release up to that of the report removed it.
    Removed {
        /// The release that did.
        release: String,
    },
    /// No profile of the release has it, though the release declares it.
    NoProfile {
        /// The release of the report.
        release: String,
        /// The first release that has it in a profile, where that comes later.
        since: Option<String>,
    },
    /// Profiles of the release have it, none of them of the family that is asked for.
    NotInFamily {
        /// The release of the report.
        release: String,
        /// `gateway` or `mesh`.
        family: String,
    },
    /// Other profiles of the release have it.
    NotInProfile {
        /// The release of the report.
        release: String,
        /// The profile.
        profile: String,
    },
    /// Profiles of the release have it, and the report has none of them.
    NotReported {
        /// These profiles: `GATEWAY-GRPC or MESH-GRPC`.
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
    /// Why no profile of a report has a feature: of the family of the profile that is asked for,
    /// else of all. `None` when its release is unknown, or a profile of it has the feature.
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

    /// Why a profile of a report, by its place, does not have a feature. `None` when its release is
    /// unknown, or the profile has it.
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

    /// Why no profile of a release has a feature; `version` is what a report calls the release, which
    /// can be a patch that is not known. `None` when a profile has it.
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
        // Its minor says enough where the boundary is not within that.
        let beside = |other: &Release| match other.version().minor() == version.minor() {
            true => version.to_string(),
            false => version.minor().to_string(),
        };
        if since.version() > version {
            return Some(Self::NotYet {
                release: beside(since),
                since: registry.first_in_short(since),
            });
        }
        let until = registry.until(NameKind::Feature, feature);
        Some(match until.filter(|until| until.version() < version) {
            Some(until) => match registry.removed_in(NameKind::Feature, feature) {
                Some(release) => Self::Removed { release },
                None => Self::NoLonger {
                    release: beside(until),
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

/// The facts of a report's release, and what the report calls it: a patch that is not known has those
/// of the one before. `None` for a release whose profiles are not known.
pub fn release_of<'r>(
    report: &'r ReportFacts,
    registry: &'r Registry,
) -> Option<(&'r Release, &'r Version)> {
    let release = certify::facts(report, registry)?;
    release.extended_when()?;
    let version = report.release.version.as_ref();
    Some((release, version.unwrap_or_else(|| release.version())))
}

/// The profiles of a release that have a feature.
fn with_feature<'r>(release: &'r Release, feature: &str) -> impl Iterator<Item = &'r Profile> {
    let profiles = release.profiles();
    profiles.filter(move |profile| profile.has(feature))
}
