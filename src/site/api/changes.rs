//! `changes`: what changed from report to report.

use std::cmp::Reverse;

use schemars::JsonSchema;
use serde::Serialize;

use super::VERSION;
use crate::diff::{self, ChangeKind};
use crate::report::schema;
use crate::site::table::{Table, or_empty};
use crate::site::view::{ReportView, View};
use crate::site::words;

/// What each report changed against the one before it; the newest first, those without a date last.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "Changes", transform = schema::with_id("api-changes"))]
pub struct Changes<'c> {
    /// Version of this format.
    #[schemars(extend("const" = 1))]
    pub version: u32,
    /// One entry for each report.
    pub changes: Vec<Changed<'c>>,
}

/// What a report changed.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Changed<'c> {
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
    /// What it says otherwise of itself, and what its release has otherwise.
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
    /// What the report before it says, in words; of a field its text.
    pub old: Option<&'c str>,
    /// What the report says.
    pub new: Option<&'c str>,
}

pub(super) fn of<'c>(view: &'c View<'c>) -> Changes<'c> {
    let mut reports: Vec<&ReportView<'_>> = view.reports.iter().collect();
    reports.sort_by(|a, b| (Reverse(a.date), &a.id).cmp(&(Reverse(b.date), &b.id)));
    let changes = reports.into_iter().map(|seen| changed(seen, view));
    Changes {
        version: VERSION,
        changes: changes.collect(),
    }
}

fn changed<'c>(seen: &'c ReportView<'c>, view: &'c View<'c>) -> Changed<'c> {
    let previous = seen.before.and_then(|at| view.reports.get(at));
    Changed {
        report: &seen.id,
        implementation: &seen.implementation.slug,
        time: seen.date.map(|date| date.to_string()),
        previous: previous.map(|previous| previous.id.as_str()),
        regressions: seen.diff.regressions.iter().map(change).collect(),
        gains: seen.diff.gains.iter().map(change).collect(),
        metadata: seen.diff.metadata.iter().map(change).collect(),
    }
}

fn change(change: &diff::Change) -> Change<'_> {
    let parts = words::parts(change);
    Change {
        kind: parts.kind,
        profile: parts.profile,
        name: parts.name,
        old: parts.old,
        new: parts.new,
    }
}

impl Changes<'_> {
    /// One row for each change, and one for each report without one before it.
    pub(super) fn table(&self) -> Table {
        let mut rows = Vec::new();
        for changed in &self.changes {
            let row = |group: &str, kind: &str, rest: [Option<&str>; 4]| {
                let mut row = vec![
                    or_empty(changed.time.as_ref()),
                    changed.implementation.to_owned(),
                    changed.report.to_owned(),
                    or_empty(changed.previous),
                    group.to_owned(),
                    kind.to_owned(),
                ];
                row.extend(rest.map(or_empty));
                row
            };
            if changed.previous.is_none() {
                rows.push(row("new", "report", [None; 4]));
            }
            let groups = [
                ("regression", &changed.regressions),
                ("gain", &changed.gains),
                ("metadata", &changed.metadata),
            ];
            for (group, changes) in groups {
                rows.extend(changes.iter().map(|change| {
                    let rest = [change.profile, change.name, change.old, change.new];
                    row(group, change.kind.as_str(), rest)
                }));
            }
        }
        Table {
            columns: &[
                "time",
                "implementation",
                "report",
                "previous",
                "group",
                "kind",
                "profile",
                "name",
                "old",
                "new",
            ],
            rows,
        }
    }
}
