//! What a change does, for people, programs and comments. JSON as in [`super::json`].

mod facts;
mod human;
mod markdown;

use schemars::JsonSchema;
use serde::Serialize;

use super::diff::{OneChange, one};
use super::json::Finding;
use crate::certify::Standing;
use crate::report::facts::Rival;
use crate::review::diff::Change;
use crate::review::{Kind, Review, Verdict};

pub(super) use human::write as write_human;
pub(super) use markdown::{Section, sections};

/// What changed since a revision.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Since {
    /// The revision, as it was named.
    revision: String,
    /// The commit that is compared with: the last one that the revision and the checked work share.
    commit: String,
    /// The submissions that the change touches.
    touched: Vec<String>,
    /// Findings that were there before; none of them is in `findings`.
    known: Known,
    /// How much was not checked in submissions that it does not touch.
    skipped_elsewhere: usize,
    /// The reports that it touches, by path.
    reports: Vec<OneReport>,
    /// What the site will show of implementations: those it touches, and those whose verdict is
    /// another.
    verdicts: Vec<OneVerdictChange>,
    /// The newest minor before, where the change makes another one the newest: verdicts of others
    /// expire then.
    newest_before: Option<String>,
    /// The newest minor after, in the same case.
    newest_after: Option<String>,
}

/// The findings that were there before.
#[derive(Debug, Serialize, JsonSchema)]
struct Known {
    /// Errors.
    errors: usize,
    /// Warnings.
    warnings: usize,
    /// Infos.
    infos: usize,
    /// The findings, with `--all`; null without it.
    findings: Option<Vec<Finding>>,
}

/// A report that the change touches.
#[derive(Debug, Serialize, JsonSchema)]
struct OneReport {
    /// Its path; of a deleted one, its former path.
    path: String,
    /// What happened to it.
    kind: JsonKind,
    /// The report that it is compared with: its earlier version, else the one that came before it.
    before: Option<String>,
    /// Why that is of another channel or mode; null when it is of the same.
    #[schemars(extend("examples" = ["first standard report since v1.0"]))]
    first: Option<String>,
    /// What it shows less of.
    regressions: Vec<OneChange>,
    /// What it shows more of.
    gains: Vec<OneChange>,
    /// What it says otherwise of itself, and what its release has otherwise.
    metadata: Vec<OneChange>,
}

/// What happened to a report.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum JsonKind {
    /// It is new.
    New,
    /// It is another text under the same path.
    Changed,
    /// It is the same text under another path.
    Moved,
    /// It is another text under another path.
    MovedAndChanged,
    /// It takes the place of another one, such as of its release candidate.
    Replaced,
    /// It is gone.
    Deleted,
}

/// What an implementation was and will be in a family of profiles.
#[derive(Debug, Serialize, JsonSchema)]
struct OneVerdictChange {
    /// The name to show.
    name: String,
    /// As in its reports.
    organization: String,
    /// As in its reports.
    project: String,
    /// `gateway` or `mesh`.
    family: &'static str,
    /// Before; null when it had no profile of the family.
    before: Option<OneVerdict>,
    /// After.
    after: Option<OneVerdict>,
}

/// What an implementation is.
#[derive(Debug, Serialize, JsonSchema)]
struct OneVerdict {
    /// The verdict.
    verdict: Standing,
    /// Why.
    reason: String,
    /// Other implementations that claim the name or the run of the report behind the verdict.
    rivals: Vec<Rival>,
    /// The profiles that it rests on, by their verdicts: `conformant: HTTP, TLS; partial: GRPC`.
    profiles: String,
    /// Path of the report that it rests on.
    path: String,
}

/// A review for programs; `known` are the findings that were there before, where they are listed.
pub fn json(review: &Review, known: Option<Vec<Finding>>) -> Since {
    let counts = review.before.counts;
    let verdict = |side: &Option<Verdict>| {
        side.as_ref().map(|one| OneVerdict {
            verdict: one.standing,
            reason: one.reason.clone(),
            rivals: one.rivals.clone(),
            profiles: one.profiles.clone(),
            path: one.path.clone(),
        })
    };
    let changes = |list: &[Change]| list.iter().map(one).collect();
    Since {
        revision: review.revision.clone(),
        commit: review.commit.clone(),
        touched: review.touched.clone(),
        known: Known {
            errors: counts.errors,
            warnings: counts.warnings,
            infos: counts.infos,
            findings: known,
        },
        skipped_elsewhere: review.not_checked_elsewhere,
        reports: review
            .reports
            .iter()
            .map(|report| OneReport {
                path: report.path.clone(),
                kind: match report.kind {
                    Kind::New => JsonKind::New,
                    Kind::Changed => JsonKind::Changed,
                    Kind::Moved => JsonKind::Moved,
                    Kind::MovedAndChanged => JsonKind::MovedAndChanged,
                    Kind::Replaced => JsonKind::Replaced,
                    Kind::Deleted => JsonKind::Deleted,
                },
                before: report.before.clone(),
                first: report.first.as_ref().map(ToString::to_string),
                regressions: changes(&report.diff.regressions),
                gains: changes(&report.diff.gains),
                metadata: changes(&report.diff.metadata),
            })
            .collect(),
        verdicts: review
            .verdicts
            .iter()
            .map(|change| OneVerdictChange {
                name: change.name.clone(),
                organization: change.organization.clone(),
                project: change.project.clone(),
                family: change.family.as_str(),
                before: verdict(&change.before),
                after: verdict(&change.after),
            })
            .collect(),
        newest_before: review.newest.map(|(before, _)| before.to_string()),
        newest_after: review.newest.map(|(_, after)| after.to_string()),
    }
}
