//! JSON for `check --since`.

use serde::Serialize;

use super::Finding;
use crate::api::Minor;
use crate::review::{ReportChange, Review, VerdictChange};
use crate::text::diagnostic::Severities;

/// Changes since a revision.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Since<'r> {
    /// Revision, as given.
    revision: &'r str,
    /// Commit used for the comparison: the merge base of the revision and the checked work.
    commit: &'r str,
    /// Submissions the change touches.
    touched: &'r [String],
    /// Findings that existed before; not included in `findings`.
    known: Known,
    /// Number of skipped checks in other submissions.
    skipped_elsewhere: usize,
    /// Touched reports, by path.
    reports: &'r [ReportChange],
    /// Verdicts of the touched implementations and of all with a changed verdict.
    verdicts: &'r [VerdictChange],
    /// Newest minor before the change, if the change introduces a newer one. Older verdicts expire
    /// in that case.
    newest_before: Option<Minor>,
    /// Newest minor after the change, in the same case.
    newest_after: Option<Minor>,
}

/// Findings that existed before.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Known {
    /// Numbers of findings by severity.
    #[serde(flatten)]
    counts: Severities,
    /// Findings, with `--all`; else null.
    findings: Option<Vec<Finding>>,
}

impl<'r> Since<'r> {
    /// `known` lists earlier findings if they are requested.
    pub(super) fn new(review: &'r Review, known: Option<Vec<Finding>>) -> Self {
        Self {
            revision: &review.revision,
            commit: &review.commit,
            touched: &review.touched,
            known: Known {
                counts: review.before.counts,
                findings: known,
            },
            skipped_elsewhere: review.not_checked_elsewhere,
            reports: &review.reports,
            verdicts: &review.verdicts,
            newest_before: review.newest.map(|(before, _)| before),
            newest_after: review.newest.map(|(_, after)| after),
        }
    }
}
