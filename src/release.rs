//! Which release a report is for.

use crate::registry::{Minor, Registry, Version};
use crate::report::fit::Shape;
use crate::tree::FolderRelease;

/// The release of a report (see [`of`]).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportRelease {
    /// The release; `None` when neither the report nor its folder tells.
    pub version: Option<Version>,
    /// The shape a report of that release has; the newest when the release is unknown.
    pub shape: Shape,
    /// True when the release is of a minor newer than every one in the registry, or unknown.
    pub is_newer_than_known: bool,
}

impl ReportRelease {
    /// True up to v1.0.x: gathered before the rules for reports were made.
    pub fn is_legacy(&self) -> bool {
        self.shape == Shape::Legacy
    }
}

/// The last minor whose folders enjoy the exceptions of the reports README ("Rules exceptions"),
/// and whose suites wrote the first shape of the report.
const LAST_LEGACY_MINOR: Minor = Minor { major: 1, minor: 0 };

/// The release of a report: its `gatewayAPIVersion` when that is a version of the folder's minor;
/// else the folder's release (for a minor, its newest patch in the registry); with no folder,
/// `gatewayAPIVersion`; else unknown: the newest shape and no suite facts.
pub fn of(
    gateway_api_version: Option<&str>,
    folder: Option<&FolderRelease>,
    registry: &Registry,
) -> ReportRelease {
    let stated = gateway_api_version.and_then(lenient_version);
    let version = match (stated, folder) {
        (Some(stated), Some(folder)) if stated.minor() == folder.minor() => Some(stated),
        (_, Some(FolderRelease::Exact(version))) => Some(version.clone()),
        (_, Some(FolderRelease::Minor(minor))) => registry
            .newest_patch_of(*minor)
            .map(|release| release.version().clone())
            .or_else(|| Version::parse(&format!("{minor}.0"))),
        (stated, None) => stated,
    };
    let minor = version.as_ref().map(Version::minor);
    let is_legacy = minor.is_some_and(|minor| minor <= LAST_LEGACY_MINOR);
    let newest_known = registry.newest().map(|release| release.version().minor());
    ReportRelease {
        shape: if is_legacy {
            Shape::Legacy
        } else {
            Shape::Current
        },
        is_newer_than_known: minor.is_none_or(|minor| Some(minor) > newest_known),
        version,
    }
}

/// True when a folder's reports enjoy the exceptions for releases up to v1.0.x.
pub fn is_legacy_folder(folder: Option<&FolderRelease>) -> bool {
    folder.is_some_and(|folder| folder.minor() <= LAST_LEGACY_MINOR)
}

/// A version, also without its leading `v` (`1.0.0` occurs in accepted reports).
pub fn lenient_version(text: &str) -> Option<Version> {
    Version::parse(text).or_else(|| Version::parse(&format!("v{text}")))
}
