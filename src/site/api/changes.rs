//! `changes`: what changed from report to report.

use schemars::JsonSchema;
use serde::Serialize;

use super::VERSION;
use super::table::Table;
use crate::report::schema;
use crate::review::diff::{self, ChangeKind};
use crate::site::model::{ReportView, SiteModel};

/// What each report changed against the one before it; the newest first, those without a date last.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "Changes", transform = schema::with_id("api-changes"))]
pub struct Changes<'c> {
    /// Version of this format.
    #[schemars(extend("const" = 1))]
    pub version: u32,
    /// One entry for each report.
    pub changes: Vec<ReportChanges<'c>>,
}

/// What a report changed.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ReportChanges<'c> {
    /// The report (its `id`).
    pub report: &'c str,
    /// The implementation's name in addresses.
    pub implementation: &'c str,
    /// When the report was made, in UTC; null when it does not say so.
    #[schemars(extend("format" = "date-time"))]
    pub time: Option<String>,
    /// The report before it (its `id`); null when it is the first of its kind, and then nothing
    /// changed.
    pub previous: Option<&'c str>,
    /// What it shows less of: verdicts, profiles, tests, features.
    pub regressions: Vec<Change<'c>>,
    /// What it shows more of.
    pub gains: Vec<Change<'c>>,
    /// Changed fields of the report, and differences between the releases.
    pub metadata: Vec<Change<'c>>,
}

/// One change; fields that do not apply are null.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Change<'c> {
    /// What changed.
    pub kind: ChangeKind,
    /// The profile.
    pub profile: Option<&'c str>,
    /// The test, the feature or the field.
    pub name: Option<&'c str>,
    /// The value in the previous report, in words; of a field its text.
    pub old: Option<&'c str>,
    /// The value in the report.
    pub new: Option<&'c str>,
}

pub(super) fn of<'c>(model: &'c SiteModel<'c>) -> Changes<'c> {
    let reports = model.newest_first().into_iter();
    let changes = reports.map(|report| changed(report, model));
    Changes {
        version: VERSION,
        changes: changes.collect(),
    }
}

fn changed<'c>(report: &'c ReportView<'c>, model: &'c SiteModel<'c>) -> ReportChanges<'c> {
    let previous = model.previous(report);
    ReportChanges {
        report: &report.id,
        implementation: &report.implementation.slug,
        time: report.date.map(|date| date.to_string()),
        previous: previous.map(|previous| previous.id.as_str()),
        regressions: report.diff.regressions.iter().map(change).collect(),
        gains: report.diff.gains.iter().map(change).collect(),
        metadata: report.diff.metadata.iter().map(change).collect(),
    }
}

fn change(change: &diff::Change) -> Change<'_> {
    let parts = parts(change);
    Change {
        kind: parts.kind,
        profile: parts.profile,
        name: parts.name,
        old: parts.old,
        new: parts.new,
    }
}

/// A change in the parts that tables have.
struct ChangeParts<'d> {
    kind: ChangeKind,
    profile: Option<&'d str>,
    name: Option<&'d str>,
    old: Option<&'d str>,
    new: Option<&'d str>,
}

/// The parts of a change.
fn parts(change: &diff::Change) -> ChangeParts<'_> {
    let of = |kind, profile| ChangeParts {
        kind,
        profile: Some(profile),
        name: None,
        old: None,
        new: None,
    };
    match change {
        diff::Change::Verdict { profile, old, new } => ChangeParts {
            old: Some(old.as_str()),
            new: Some(new.as_str()),
            ..of(ChangeKind::Verdict, profile)
        },
        diff::Change::ProfileGone { profile } => of(ChangeKind::ProfileGone, profile),
        diff::Change::ProfileNew { profile } => of(ChangeKind::ProfileNew, profile),
        diff::Change::Test {
            profile,
            test,
            old,
            new,
        } => ChangeParts {
            name: Some(test),
            old: Some(old.as_str()),
            new: Some(new.as_str()),
            ..of(ChangeKind::Test, profile)
        },
        diff::Change::Feature {
            profile,
            feature,
            old,
            new,
            ..
        } => ChangeParts {
            name: Some(feature),
            old: Some(old.as_str()),
            new: Some(new.as_str()),
            ..of(ChangeKind::Feature, profile)
        },
        diff::Change::Field { field, old, new } => ChangeParts {
            kind: ChangeKind::Field,
            profile: None,
            name: Some(field),
            old: old.as_deref(),
            new: new.as_deref(),
        },
    }
}

/// A row of the table.
#[derive(Default, Serialize)]
struct ChangeRow<'c> {
    time: Option<&'c str>,
    implementation: &'c str,
    report: &'c str,
    previous: Option<&'c str>,
    group: &'static str,
    kind: &'c str,
    profile: Option<&'c str>,
    name: Option<&'c str>,
    old: Option<&'c str>,
    new: Option<&'c str>,
}

impl Changes<'_> {
    /// One row for each change, and one for each report without one before it.
    pub(super) fn table(&self) -> Table {
        let rows: Vec<_> = self.changes.iter().flat_map(rows).collect();
        Table::of(&rows)
    }
}

fn rows<'c>(changes: &'c ReportChanges<'c>) -> Vec<ChangeRow<'c>> {
    let row = |group, kind| ChangeRow {
        time: changes.time.as_deref(),
        implementation: changes.implementation,
        report: changes.report,
        previous: changes.previous,
        group,
        kind,
        ..ChangeRow::default()
    };
    let first = changes.previous.is_none().then(|| row("new", "report"));
    let mut rows: Vec<_> = first.into_iter().collect();
    let groups = [
        ("regression", &changes.regressions),
        ("gain", &changes.gains),
        ("metadata", &changes.metadata),
    ];
    for (group, changes) in groups {
        rows.extend(changes.iter().map(|change| ChangeRow {
            profile: change.profile,
            name: change.name,
            old: change.old,
            new: change.new,
            ..row(group, change.kind.as_str())
        }));
    }
    rows
}
