//! Two reports: what changed from the old one to the new one, regressions first.

mod compare;

use serde::{Serialize, Serializer};

use crate::api::closed_set;
use crate::certify::{Status, judge};
use crate::release::Registry;
use crate::report::facts::{Name, ReportFacts};

/// What changed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Diff {
    /// What the new report shows less of: verdicts, profiles, tests, features, in this order, each by name.
    #[cfg_attr(test, schemars(with = "Vec<ChangeFields<'_>>"))]
    pub regressions: Vec<Change>,
    /// What it shows more of, in the same order.
    #[cfg_attr(test, schemars(with = "Vec<ChangeFields<'_>>"))]
    pub gains: Vec<Change>,
    /// What it says otherwise of itself, and what its release has otherwise.
    #[cfg_attr(test, schemars(with = "Vec<ChangeFields<'_>>"))]
    pub metadata: Vec<Change>,
}

impl Diff {
    /// True when nothing changed.
    pub fn is_empty(&self) -> bool {
        self.regressions.is_empty() && self.gains.is_empty() && self.metadata.is_empty()
    }
}

/// One change. `profile` is the name in the new report, where it is there.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// The verdict on a profile.
    Verdict {
        /// The profile.
        profile: Name,
        /// In the old report.
        old: Status,
        /// In the new report.
        new: Status,
    },
    /// A profile that only the old report has.
    ProfileGone {
        /// The profile.
        profile: Name,
    },
    /// A profile that only the new report has.
    ProfileNew {
        /// The profile.
        profile: Name,
    },
    /// A test with another outcome. Where the facts of the release do not tell whether it ran, what is
    /// not named as failed or skipped passed or did not run.
    Test {
        /// The profile.
        profile: Name,
        /// The test.
        test: Name,
        /// In the old report.
        old: TestOutcome,
        /// In the new report.
        new: TestOutcome,
    },
    /// A feature with another claim.
    Feature {
        /// The profile.
        profile: Name,
        /// The feature, as the new release names it.
        feature: Name,
        /// In the old report.
        old: Claim,
        /// In the new report.
        new: Claim,
        /// The release that removed it, if the new report is for that or a later one.
        removed_in: Option<String>,
    },
    /// A field of the report.
    Field {
        /// Its name in the report.
        field: &'static str,
        /// In the old report.
        old: Option<String>,
        /// In the new report.
        new: Option<String>,
    },
}

/// One change; fields that do not apply are null.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Change"))]
pub struct ChangeFields<'d> {
    /// What changed.
    pub kind: ChangeKind,
    /// The profile, by its name in the new report.
    pub profile: Option<&'d str>,
    /// The test, feature or field.
    pub name: Option<&'d str>,
    /// What the old report says.
    pub old: Option<&'d str>,
    /// What the new report says.
    pub new: Option<&'d str>,
}

/// JSON has its fields.
impl Serialize for Change {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.fields().serialize(serializer)
    }
}

impl Change {
    /// The same as fields, for programs.
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
                of(ChangeKind::Verdict, None, old, new)
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

    /// The profile that it is about; `None` for a field.
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

    /// The release that removed the feature that it is about.
    pub fn removed_in(&self) -> Option<&str> {
        match self {
            Self::Feature { removed_in, .. } => removed_in.as_deref(),
            _ => None,
        }
    }

    /// The test that it is about.
    pub fn test(&self) -> Option<&Name> {
        match self {
            Self::Test { test, .. } => Some(test),
            _ => None,
        }
    }

    /// The same change of any profile.
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
    /// What changed.
    pub enum ChangeKind {
        /// The verdict on a profile.
        Verdict = "verdict",
        /// A profile that only the old report has.
        ProfileGone = "profile-gone",
        /// A profile that only the new report has.
        ProfileNew = "profile-new",
        /// The outcome of a test.
        Test = "test",
        /// The claim of a feature.
        Feature = "feature",
        /// A field of the report.
        Field = "field",
    }
}

closed_set! {
    /// The outcome of a test in a report.
    pub enum TestOutcome {
        /// It failed.
        Failed = "failed",
        /// It was skipped.
        Skipped = "skipped",
        /// It is not named: it passed, where the release tells that it ran.
        NotNamed = "neither failed nor skipped",
        /// The suite does not run it for these claims.
        NotRun = "not run",
        /// The release does not have it.
        NotInRelease = "not in the release",
    }
}

impl TestOutcome {
    /// False for a test that was not run, as far as is known.
    pub fn has_run(self) -> bool {
        !matches!(self, Self::NotRun | Self::NotInRelease)
    }
}

closed_set! {
    /// The claim of a report about a feature.
    pub enum Claim {
        /// Supported.
        Supported = "supported",
        /// Unsupported.
        Unsupported = "unsupported",
        /// Nothing, or both.
        NotStated = "not stated",
        /// The release does not have it as an extended feature of the profile.
        NotInRelease = "not in the profile",
    }
}

/// What changed from one report to another. Profiles, features and tests that a release renamed are
/// the same ones under both names.
pub fn diff(old: &ReportFacts, new: &ReportFacts, registry: &Registry) -> Diff {
    let (old_side, new_side) = (side(old, registry), side(new, registry));
    let mut diff = Diff::default();
    compare::profiles(&old_side, &new_side, registry, &mut diff);
    fields(old, new, &mut diff);
    diff.regressions.sort();
    diff.gains.sort();
    diff
}

fn side<'f>(facts: &'f ReportFacts, registry: &'f Registry) -> compare::Side<'f> {
    compare::Side {
        facts,
        verdicts: judge(facts, registry),
        release: crate::certify::facts(facts, registry),
    }
}

fn fields(old: &ReportFacts, new: &ReportFacts, diff: &mut Diff) {
    let text = |text: Option<&str>| text.map(str::to_owned);
    let release = |facts: &ReportFacts| facts.release.version.as_ref().map(ToString::to_string);
    let contact =
        |facts: &ReportFacts| (!facts.contact.is_empty()).then(|| facts.contact.join(", "));
    let fields = [
        ("release", release(old), release(new)),
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
        ("url", old.url.clone(), new.url.clone()),
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
