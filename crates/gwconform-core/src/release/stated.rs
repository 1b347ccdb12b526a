//! Which release a report is for: the one that it states, and the one that it is compared with.

use jiff::ToSpan;
use jiff::civil::Date;

use crate::api::Shape;
use crate::api::{Minor, Version};
use crate::release::{Match, Registry, Release, Seen, Test};
use crate::tree::FolderRelease;

/// The release whose shape and facts a report is compared with (see [`ReferenceRelease::new`]). Rules use
/// it; what is shown of a report, and every verdict on it, uses its [`StatedRelease`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReferenceRelease {
    /// The release; `None` when neither the report nor its folder tells.
    pub version: Option<Version>,
    /// The shape a report of that release has; the newest when the release is unknown.
    pub shape: Shape,
    /// True when the release is of a minor newer than every one in the registry, or unknown.
    pub is_newer_than_known: bool,
}

/// The release that a report states in `gatewayAPIVersion`: the only one that may be shown as its
/// release. The folder's is never put in its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatedRelease {
    /// The release; `None` when the report has none, or something that is not a version.
    pub version: Option<Version>,
    /// The shape that the report was read with.
    shape: Shape,
}

/// The last minor whose folders enjoy the exceptions of the reports README ("Rules exceptions"),
/// and whose suites wrote the first shape of the report.
const LAST_LEGACY_MINOR: Minor = Minor { major: 1, minor: 0 };

impl ReferenceRelease {
    /// `gatewayAPIVersion` when that is a version of the folder's minor and not a prerelease of a
    /// release that is out; else the folder's release (for a minor, its newest patch in the
    /// registry). With no folder, `gatewayAPIVersion`; for a prerelease of a release that is out, the
    /// newest patch of its minor. Else, and for what suites built from a branch write
    /// ([`is_of_branch`]), unknown: the newest shape and no suite facts.
    pub fn new(stated: Option<&str>, folder: Option<&FolderRelease>, registry: &Registry) -> Self {
        let version = version(stated, folder, registry);
        let minor = version.as_ref().map(Version::minor);
        let is_legacy = minor.is_some_and(|minor| minor <= LAST_LEGACY_MINOR);
        let newest_known = registry.newest().map(|release| release.version().minor());
        Self {
            shape: if is_legacy {
                Shape::Legacy
            } else {
                Shape::Current
            },
            is_newer_than_known: minor.is_none_or(|minor| Some(minor) > newest_known),
            version,
        }
    }

    /// True up to v1.0.x: gathered before the rules for reports were made.
    pub fn is_legacy(&self) -> bool {
        self.shape == Shape::Legacy
    }

    /// The shape that a report of it must have.
    pub fn shape(&self) -> Shape {
        self.shape
    }
}

impl StatedRelease {
    /// What a report states, read with the shape of the release that it is compared with.
    pub fn new(stated: Option<&str>, reference: &ReferenceRelease) -> Self {
        Self {
            version: stated.and_then(lenient_version),
            shape: reference.shape,
        }
    }

    /// True when the report was read as one up to v1.0.x.
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
    let newest_patch = |minor| {
        let mut released = registry.released();
        let release = released.rfind(|release| release.version().minor() == minor)?;
        Some(release.version().clone())
    };
    let is_usable = |stated: &Version| {
        let is_folders = folder.is_none_or(|folder| folder.minor() == stated.minor());
        is_folders && release_of_prerelease(stated, registry).is_none()
    };
    match (stated, folder) {
        (Some(stated), _) if is_usable(&stated) => Some(stated),
        (_, Some(FolderRelease::Exact(version))) => Some(version.clone()),
        (_, Some(FolderRelease::Minor(minor))) => {
            newest_patch(*minor).or_else(|| Version::parse(&format!("{minor}.0")))
        }
        (Some(stated), None) => newest_patch(stated.minor()),
        (None, None) => None,
    }
}

/// The facts that a report is compared with. The one place that chooses them: rules, verdicts, states
/// of features and comparisons of reports all ask [`ComparedFacts::new`].
#[derive(Debug, Clone, Copy)]
pub enum ComparedFacts<'r> {
    /// Those of its release.
    Own(&'r Release),
    /// Those of its release. The report has no date, so the patch that wrote it is not known.
    Undated(&'r Release),
    /// Its release came out after the run: those of the newest patch that was out on that day.
    OfOlderPatch(&'r Release),
    /// Its release is an unknown patch: those of the nearest patch below it.
    OfPatchBelow(&'r Release),
    /// None: the patch is so far above the known ones that it cannot be one of the next.
    ImplausiblePatch,
    /// None: the minor is newer than every known one.
    NewerThanKnown,
    /// None: no such release is known.
    Unknown,
}

/// How far above the newest known patch an unknown one may be: patches come out before the next
/// gwconform does, of older minors rarely.
const PLAUSIBLE_PATCHES: u64 = 3;
const PLAUSIBLE_PATCHES_OF_OLDER_MINORS: u64 = 1;

impl<'r> ComparedFacts<'r> {
    /// The facts for a report of a version, which was run on a day if that is known.
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

    /// The release whose facts they are.
    pub fn release(self) -> Option<&'r Release> {
        match self {
            Self::Own(release)
            | Self::Undated(release)
            | Self::OfOlderPatch(release)
            | Self::OfPatchBelow(release) => Some(release),
            Self::ImplausiblePatch | Self::NewerThanKnown | Self::Unknown => None,
        }
    }

    /// True for facts of a release that is known to have made the report.
    pub fn are_known(self) -> bool {
        matches!(
            self,
            Self::Own(_) | Self::Undated(_) | Self::OfOlderPatch(_)
        )
    }

    /// Whether the report shows the result of a test of these facts.
    pub fn seen(self, test: &Test, registry: &Registry) -> Seen {
        match self {
            Self::Own(release) | Self::OfOlderPatch(release) => {
                registry.seen(Match::Exact(release), test)
            }
            Self::Undated(release) => match registry.seen(Match::Exact(release), test) {
                // An older patch may have written it.
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
    let most = match is_newest_minor {
        true => PLAUSIBLE_PATCHES,
        false => PLAUSIBLE_PATCHES_OF_OLDER_MINORS,
    };
    version.patch().saturating_sub(newest) <= most
}

/// True for a release that was out on a day. Tag dates have no time zone, so one day of difference is
/// allowed.
pub fn was_out(release: &Release, day: Date) -> bool {
    let earliest = release
        .date()
        .and_then(|date| date.checked_sub(1.day()).ok());
    earliest.is_none_or(|earliest| earliest <= day)
}

/// The newest patch before a release that was out on a day, otherwise the first one of the minor;
/// `None` for the first one itself.
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

/// For a prerelease, the release that it preceded, or a later patch of it, where the registry knows
/// one: the release is out.
pub fn release_of_prerelease<'r>(version: &Version, registry: &'r Registry) -> Option<&'r Release> {
    version.pre()?;
    registry.released().find(|release| {
        let out = release.version();
        out.pre().is_none() && out.minor() == version.minor() && out > version
    })
}

/// True for `v0.0.0-dev` and its like, which is the version of CRDs between releases: suites built
/// from a branch write it.
pub fn is_of_branch(version: &Version) -> bool {
    let is_zero = version.minor() == Minor { major: 0, minor: 0 } && version.patch() == 0;
    is_zero && version.pre().is_some()
}

/// True when a folder's reports enjoy the exceptions for releases up to v1.0.x.
pub fn is_legacy_folder(folder: Option<&FolderRelease>) -> bool {
    folder.is_some_and(|folder| folder.minor() <= LAST_LEGACY_MINOR)
}

/// A version, also without its leading `v` (`1.0.0` occurs in accepted reports).
pub fn lenient_version(text: &str) -> Option<Version> {
    Version::parse(text).or_else(|| Version::parse(&format!("v{text}")))
}
