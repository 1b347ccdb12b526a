//! Determines the release in `gatewayAPIVersion`, and the release whose data is used for
//! comparisons.

use jiff::ToSpan;
use jiff::civil::Date;

use crate::api::FolderRelease;
use crate::api::Shape;
use crate::api::{Minor, Version};
use crate::release::{Match, Registry, Release, Seen, Test};

/// Release for a report's format and rule data. Outputs and verdicts use [`StatedRelease`] instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReferenceRelease {
    /// Version; `None` if unknown.
    pub version: Option<Version>,
    /// Report format; the newest format if the release is unknown.
    pub shape: Shape,
    /// Whether the suite is newer than the release data: built from a branch, or of a minor that is
    /// [newer](Match::NewerThanKnown). Without a release, nothing is known to be newer.
    pub is_newer_than_known: bool,
}

/// Release in `gatewayAPIVersion`. Outputs display this release, never the folder's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatedRelease {
    /// Version; `None` if missing or invalid.
    pub version: Option<Version>,
    shape: Shape,
}

/// Text that suites up to v1.0.x write instead of a release, for users to replace.
pub const NO_RELEASE: &str = "TODO";

/// Last minor with the legacy format and with the "Rules exceptions" of the reports README.
const LAST_LEGACY_MINOR: Minor = Minor { major: 1, minor: 0 };

impl ReferenceRelease {
    /// Selects the first of:
    ///
    /// 1. `gatewayAPIVersion`, if it matches the folder's minor; for a prerelease of a published
    ///    release, that release.
    /// 2. The folder's release; for a minor, its newest known patch.
    /// 3. None, as for suites built from a branch ([`is_of_branch`]).
    pub fn new(stated: Option<&str>, folder: Option<&FolderRelease>, registry: &Registry) -> Self {
        let version = version(stated, folder, registry);
        let minor = version.as_ref().map(Version::minor);
        let is_legacy = minor.is_some_and(|minor| minor <= LAST_LEGACY_MINOR);
        Self {
            shape: if is_legacy {
                Shape::Legacy
            } else {
                Shape::Current
            },
            is_newer_than_known: match &version {
                Some(version) => matches!(registry.release(version), Match::NewerThanKnown),
                // Only a branch states a version and has no release.
                None => stated.and_then(lenient_version).is_some(),
            },
            version,
        }
    }

    /// True up to v1.0.x, for which the reports project had no rules.
    pub fn is_legacy(&self) -> bool {
        self.shape == Shape::Legacy
    }

    /// Format that the report must have.
    pub fn shape(&self) -> Shape {
        self.shape
    }
}

impl StatedRelease {
    /// Parses `gatewayAPIVersion`; `reference` determines the format.
    pub fn new(stated: Option<&str>, reference: &ReferenceRelease) -> Self {
        Self {
            version: stated.and_then(lenient_version),
            shape: reference.shape,
        }
    }

    /// Whether the format is that of v1.0.x and earlier.
    pub fn is_legacy(&self) -> bool {
        self.shape == Shape::Legacy
    }
}

fn version(
    stated: Option<&str>,
    folder: Option<&FolderRelease>,
    registry: &Registry,
) -> Option<Version> {
    let stated = stated.and_then(lenient_version);
    if stated.as_ref().is_some_and(is_of_branch) {
        return None;
    }
    let is_of_folder =
        |stated: &Version| folder.is_none_or(|folder| folder.minor() == stated.minor());
    match (stated.filter(is_of_folder), folder) {
        (Some(stated), _) => {
            let release = release_of_prerelease(&stated, registry);
            Some(release.map_or(stated.clone(), |release| release.version().clone()))
        }
        (None, Some(FolderRelease::Exact(version))) => Some(version.clone()),
        (None, Some(FolderRelease::Minor(minor))) => {
            let mut released = registry.released().map(Release::version);
            let newest = released.rfind(|version| version.minor() == *minor);
            newest
                .cloned()
                .or_else(|| Version::parse(&format!("{minor}.0")))
        }
        (None, None) => None,
    }
}

/// Release data for comparisons. Always use [`ComparedFacts::new`].
#[derive(Debug, Clone, Copy)]
pub enum ComparedFacts<'r> {
    /// Data of the report's release.
    Own(&'r Release),
    /// Data of the report's release. The report has no date, so the suite of an earlier patch may
    /// have written it.
    Undated(&'r Release),
    /// Newest patch at the time of the run, which predates the report's release.
    OfOlderPatch(&'r Release),
    /// Nearest lower patch, because the report's patch is unknown.
    OfPatchBelow(&'r Release),
    /// No data, because the patch number is too high.
    ImplausiblePatch,
    /// No data, because the minor is too new.
    NewerThanKnown,
    /// No data, because the release is unknown.
    Unknown,
}

/// Maximum number of patches after the newest known patch. New patches may precede the next
/// gwconform release, but older minors rarely get patches.
const PLAUSIBLE_PATCHES: u64 = 3;
const PLAUSIBLE_PATCHES_OF_OLDER_MINORS: u64 = 1;

impl<'r> ComparedFacts<'r> {
    /// Selects the data for a version; `ran_on` is the date of the run.
    pub fn new(version: &Version, ran_on: Option<Date>, registry: &'r Registry) -> Self {
        match registry.release(version) {
            Match::NewerThanKnown => Self::NewerThanKnown,
            Match::Unknown => Self::Unknown,
            Match::NearestLowerPatch(below) if !is_plausible(version, below, registry) => {
                Self::ImplausiblePatch
            }
            found @ (Match::Exact(release) | Match::NearestLowerPatch(release)) => {
                let is_own = matches!(found, Match::Exact(_));
                match (ran_on, is_own) {
                    (Some(day), _) if !was_out(release, day) => {
                        match older_patch(release, day, registry) {
                            Some(older) => Self::OfOlderPatch(older),
                            None if is_own => Self::Own(release),
                            None => Self::OfPatchBelow(release),
                        }
                    }
                    (Some(_), true) => Self::Own(release),
                    (None, true) => Self::Undated(release),
                    (_, false) => Self::OfPatchBelow(release),
                }
            }
        }
    }

    /// Release that provides the data.
    pub fn release(self) -> Option<&'r Release> {
        match self {
            Self::Own(release)
            | Self::Undated(release)
            | Self::OfOlderPatch(release)
            | Self::OfPatchBelow(release) => Some(release),
            Self::ImplausiblePatch | Self::NewerThanKnown | Self::Unknown => None,
        }
    }

    /// False if the data is missing, or belongs to a lower patch because the report's patch is
    /// unknown.
    pub fn are_known(self) -> bool {
        matches!(
            self,
            Self::Own(_) | Self::Undated(_) | Self::OfOlderPatch(_)
        )
    }

    /// Whether the suite knew a test's result when it wrote the report.
    pub fn seen(self, test: &Test, registry: &Registry) -> Seen {
        match self {
            Self::Own(release) | Self::OfOlderPatch(release) => {
                registry.seen(Match::Exact(release), test)
            }
            Self::Undated(release) => match registry.seen(Match::Exact(release), test) {
                // The suite of an older patch may have written the report.
                Seen::Yes => registry.seen(Match::NearestLowerPatch(release), test),
                seen => seen,
            },
            Self::OfPatchBelow(release) => registry.seen(Match::NearestLowerPatch(release), test),
            Self::ImplausiblePatch | Self::NewerThanKnown | Self::Unknown => Seen::NotKnown,
        }
    }
}

fn is_plausible(version: &Version, below: &Release, registry: &Registry) -> bool {
    let minor = version.minor();
    let mut released = registry.released();
    let newest = released.rfind(|release| release.version().minor() == minor);
    let newest = newest.unwrap_or(below).version().patch();
    let is_newest_minor = registry
        .newest()
        .is_some_and(|release| release.version().minor() == minor);
    let most = if is_newest_minor {
        PLAUSIBLE_PATCHES
    } else {
        PLAUSIBLE_PATCHES_OF_OLDER_MINORS
    };
    version.patch().saturating_sub(newest) <= most
}

/// False for a version whose minor no release has or can have, given the known ones. A patch number
/// can be too high only for the data of gwconform.
pub fn may_exist(version: &Version, registry: &Registry) -> bool {
    !matches!(registry.release(version), Match::Unknown)
        || release_of_prerelease(version, registry).is_some()
}

/// True if a release was published by a day. Tag dates have no time zone, so one day of difference
/// is allowed.
pub fn was_out(release: &Release, day: Date) -> bool {
    let earliest = release
        .date()
        .and_then(|date| date.checked_sub(1.day()).ok());
    earliest.is_none_or(|earliest| earliest <= day)
}

/// Newest earlier patch that was published by a day, or the minor's first patch if none was.
fn older_patch<'r>(release: &Release, day: Date, registry: &'r Registry) -> Option<&'r Release> {
    let minor = release.version().minor();
    let older = registry
        .released()
        .filter(|older| older.version().minor() == minor && older.version() < release.version());
    let mut newest_first = older.clone().rev();
    newest_first
        .find(|older| was_out(older, day))
        .or_else(|| older.clone().next())
}

/// First published release of the same minor after a prerelease. `None` if `version` is not a
/// prerelease or no such release exists.
pub fn release_of_prerelease<'r>(version: &Version, registry: &'r Registry) -> Option<&'r Release> {
    version.pre()?;
    registry.released().find(|release| {
        let out = release.version();
        out.pre().is_none() && out.minor() == version.minor() && out > version
    })
}

/// True for versions such as `v0.0.0-dev`, which CRDs of a branch use.
pub fn is_of_branch(version: &Version) -> bool {
    let is_zero = version.minor() == Minor { major: 0, minor: 0 } && version.patch() == 0;
    is_zero && version.pre().is_some()
}

/// Whether the exceptions for v1.0.x and earlier apply.
pub fn is_legacy_folder(folder: Option<&FolderRelease>) -> bool {
    folder.is_some_and(|folder| folder.minor() <= LAST_LEGACY_MINOR)
}

/// Parses a version with or without `v`, because some accepted reports contain `1.0.0`.
pub fn lenient_version(text: &str) -> Option<Version> {
    Version::parse(text).or_else(|| Version::parse(&format!("v{text}")))
}
