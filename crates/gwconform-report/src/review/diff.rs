//! Compares two reports, and sorts the differences into regressions and gains.

mod profile_changes;

use serde::{Serialize, Serializer};

use crate::certify::{Status, judge};
use crate::report::facts::{Name, ReportFacts};
use gwconform_base::api::closed_set;
use gwconform_base::release::Registry;

/// Differences between two reports.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Diff {
    /// Regressions in the order verdicts, profiles, tests, features, and then by name.
    #[schemars(with = "Vec<ChangeFields<'_>>")]
    pub regressions: Vec<Change>,
    /// Gains, in the same order as regressions.
    #[schemars(with = "Vec<ChangeFields<'_>>")]
    pub gains: Vec<Change>,
    /// Neutral differences, such as metadata and changes in the release.
    #[schemars(with = "Vec<ChangeFields<'_>>")]
    pub metadata: Vec<Change>,
}

impl Diff {
    /// True if the reports do not differ.
    pub fn is_empty(&self) -> bool {
        self.regressions.is_empty() && self.gains.is_empty() && self.metadata.is_empty()
    }
}

/// Difference between two reports.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// The verdict on a profile differs.
    Verdict {
        /// Profile name, such as `GATEWAY-HTTP`.
        profile: Name,
        /// Old status.
        old: Status,
        /// New status.
        new: Status,
    },
    /// Only the old report has the profile.
    ProfileGone {
        /// Profile name, such as `GATEWAY-HTTP`.
        profile: Name,
    },
    /// Only the new report has the profile.
    ProfileNew {
        /// Profile name, such as `GATEWAY-HTTP`.
        profile: Name,
    },
    /// The result of a test differs. Without release data, an unnamed test passed or did not run.
    Test {
        /// Profile name, such as `GATEWAY-HTTP`.
        profile: Name,
        /// Test name, such as `HTTPRouteWeight`.
        test: Name,
        /// Old result.
        old: TestOutcome,
        /// New result.
        new: TestOutcome,
    },
    /// The claim of a feature differs.
    Feature {
        /// Profile name, such as `GATEWAY-HTTP`.
        profile: Name,
        /// Name in the new release.
        feature: Name,
        /// Old claim.
        old: Claim,
        /// New claim.
        new: Claim,
        /// Release that removed the feature.
        removed_in: Option<String>,
    },
    /// A field of the report differs.
    Field {
        /// Field name, such as `mode`.
        field: &'static str,
        /// Old value. `None` if missing.
        old: Option<String>,
        /// New value. `None` if missing.
        new: Option<String>,
    },
}

/// Difference between two reports. Fields that do not apply are null.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[schemars(rename = "Change")]
pub struct ChangeFields<'d> {
    /// Kind, which determines the fields that are set.
    pub kind: ChangeKind,
    /// Profile name in the new release.
    pub profile: Option<&'d str>,
    /// Name of the test, feature or field.
    pub name: Option<&'d str>,
    /// Value in the old report.
    pub old: Option<&'d str>,
    /// Value in the new report.
    pub new: Option<&'d str>,
}

impl Serialize for Change {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.fields().serialize(serializer)
    }
}

impl Change {
    /// Fields of the JSON output.
    pub fn fields(&self) -> ChangeFields<'_> {
        let of = |kind, name, old, new| ChangeFields {
            kind,
            profile: self.profile().map(|name| &**name),
            name,
            old,
            new,
        };
        match self {
            Self::Verdict { old, new, .. } => {
                let (old, new) = (Some(old.as_str()), Some(new.as_str()));
                of(ChangeKind::Status, None, old, new)
            }
            Self::ProfileGone { .. } => of(ChangeKind::ProfileGone, None, None, None),
            Self::ProfileNew { .. } => of(ChangeKind::ProfileNew, None, None, None),
            Self::Test { test, old, new, .. } => {
                let (old, new) = (Some(old.as_str()), Some(new.as_str()));
                of(ChangeKind::Test, Some(test), old, new)
            }
            Self::Feature {
                feature, old, new, ..
            } => {
                let (old, new) = (Some(old.as_str()), Some(new.as_str()));
                of(ChangeKind::Feature, Some(feature), old, new)
            }
            Self::Field { field, old, new } => {
                let (old, new) = (old.as_deref(), new.as_deref());
                of(ChangeKind::Field, Some(field), old, new)
            }
        }
    }

    /// `None` for a report field.
    pub fn profile(&self) -> Option<&Name> {
        match self {
            Self::Verdict { profile, .. }
            | Self::ProfileGone { profile }
            | Self::ProfileNew { profile }
            | Self::Test { profile, .. }
            | Self::Feature { profile, .. } => Some(profile),
            Self::Field { .. } => None,
        }
    }

    /// `None` for other differences.
    pub fn removed_in(&self) -> Option<&str> {
        match self {
            Self::Feature { removed_in, .. } => removed_in.as_deref(),
            _ => None,
        }
    }

    /// `None` for other differences.
    pub fn test(&self) -> Option<&Name> {
        match self {
            Self::Test { test, .. } => Some(test),
            _ => None,
        }
    }

    /// Copy without the profile, to group equal differences.
    #[must_use]
    pub fn of_any_profile(&self) -> Self {
        let mut change = self.clone();
        match &mut change {
            Self::Verdict { profile, .. }
            | Self::ProfileGone { profile }
            | Self::ProfileNew { profile }
            | Self::Test { profile, .. }
            | Self::Feature { profile, .. } => *profile = "".into(),
            Self::Field { .. } => {}
        }
        change
    }
}

closed_set! {
    /// Kind, which determines the fields that are set.
    pub enum ChangeKind {
        /// The status of a profile differs.
        Status = "status",
        /// Only the old report has the profile.
        ProfileGone = "profile-gone",
        /// Only the new report has the profile.
        ProfileNew = "profile-new",
        /// The result of a test differs.
        Test = "test",
        /// The claim of a feature differs.
        Feature = "feature",
        /// A field of the report differs.
        Field = "field",
    }
}

closed_set! {
    /// Result of a test in a report.
    pub enum TestOutcome {
        /// The report lists the test as failed.
        Failed = "failed",
        /// The report lists the test as skipped.
        Skipped = "skipped",
        /// The report does not list the test. If release data shows that the test ran, it passed.
        NotNamed = "not-named",
        /// The suite did not run the test for these claims.
        NotRun = "not-run",
        /// The release does not have the test.
        NotInRelease = "not-in-release",
    }
}

impl TestOutcome {
    /// Result in words, such as `not run`.
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Failed | Self::Skipped => self.as_str(),
            Self::NotNamed => "neither failed nor skipped",
            Self::NotRun => "not run",
            Self::NotInRelease => "not in the release",
        }
    }

    /// False if the test certainly did not run.
    pub fn has_run(self) -> bool {
        !matches!(self, Self::NotRun | Self::NotInRelease)
    }
}

closed_set! {
    /// Claim of a feature in a report.
    pub enum Claim {
        /// The report lists the feature as supported.
        Supported = "supported",
        /// The report lists the feature as unsupported.
        Unsupported = "unsupported",
        /// The feature is in neither list or in both lists.
        NotStated = "not-stated",
        /// The feature is not extended in the profile of this release.
        NotInRelease = "not-in-release",
    }
}

impl Claim {
    /// Claim in words, such as `not stated`.
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Supported | Self::Unsupported => self.as_str(),
            Self::NotStated => "not stated",
            Self::NotInRelease => "not in the profile",
        }
    }
}

/// Compares two reports. Renamed profiles, tests and features are matched.
pub fn diff(old: &ReportFacts, new: &ReportFacts, registry: &Registry) -> Diff {
    let (old_side, new_side) = (side(old, registry), side(new, registry));
    let mut diff = Diff::default();
    profile_changes::compare(&old_side, &new_side, registry, &mut diff);
    fields(old, new, &mut diff);
    for changes in [&mut diff.regressions, &mut diff.gains] {
        changes.sort();
        changes.shrink_to_fit();
    }
    diff
}

fn side<'f>(facts: &'f ReportFacts, registry: &'f Registry) -> profile_changes::Side<'f> {
    profile_changes::Side {
        facts,
        verdicts: judge(facts, registry),
        release: crate::certify::facts(facts, registry),
    }
}

fn fields(old: &ReportFacts, new: &ReportFacts, diff: &mut Diff) {
    let text = |text: Option<&str>| text.map(str::to_owned);
    let contact =
        |facts: &ReportFacts| (!facts.contact.is_empty()).then(|| facts.contact.join(", "));
    let fields = [
        ("release", old.release_text(), new.release_text()),
        (
            "organization",
            text(old.organization()),
            text(new.organization()),
        ),
        ("project", text(old.project()), text(new.project())),
        ("version", text(old.version()), text(new.version())),
        ("channel", text(old.channel()), text(new.channel())),
        ("mode", text(old.mode()), text(new.mode())),
        ("date", text(old.date()), text(new.date())),
        ("url", text(old.url()), text(new.url())),
        ("contact", contact(old), contact(new)),
        (
            "apiVersion",
            old.api_version.clone(),
            new.api_version.clone(),
        ),
    ];
    let changed = fields.into_iter().filter(|(_, old, new)| old != new);
    diff.metadata
        .extend(changed.map(|(field, old, new)| Change::Field { field, old, new }));
}
