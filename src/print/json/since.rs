//! What a change does.

use serde::Serialize;

use super::Finding;
use crate::api::Minor;
use crate::review::{ReportChange, Review, VerdictChange};
use crate::text::diagnostic::Severities;

/// What changed since a revision.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Since<'r> {
    /// The revision, as it was named.
    revision: &'r str,
    /// The commit that is compared with: the last one that the revision and the checked work share.
    commit: &'r str,
    /// The submissions that the change touches.
    touched: &'r [String],
    /// Findings that were there before; none of them is in `findings`.
    known: Known,
    /// How much was not checked in submissions that it does not touch.
    skipped_elsewhere: usize,
    /// The reports that it touches, by path.
    reports: &'r [ReportChange],
    /// What the site will show of implementations: those it touches, and those whose verdict is
    /// another.
    verdicts: &'r [VerdictChange],
    /// The newest minor before, where the change makes another one the newest: verdicts of others
    /// expire then.
    newest_before: Option<Minor>,
    /// The newest minor after, in the same case.
    newest_after: Option<Minor>,
}

/// The findings that were there before.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Known {
    /// How many.
    #[serde(flatten)]
    counts: Severities,
    /// The findings, with `--all`; null without it.
    findings: Option<Vec<Finding>>,
}

impl<'r> Since<'r> {
    /// A review; `known` are the findings that were there before, where they are listed.
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
