//! JSON output of `check --since`.

use serde::Serialize;

use super::Finding;
use gwconform_base::text::diagnostic::Severities;
use gwconform_report::certify::AsOf;
use gwconform_report::report::facts::Name;
use gwconform_report::review::{ReportChange, Review, VerdictChange};

/// Effects of the changes since a revision.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Since<'r> {
    /// Revision, as specified on the command line.
    revision: &'r str,
    /// Commit that the working tree is compared with: the merge base of the revision and HEAD.
    commit: &'r str,
    /// Submission folders that the change touches.
    touched: &'r [String],
    /// Findings in touched submissions that existed before the change. `findings` does not include
    /// them.
    known: Known,
    /// Reports that the change touches, sorted by path.
    reports: &'r [ReportChange],
    /// Verdicts of the implementations that the change touches, and all other verdicts that change.
    verdicts: Vec<OneVerdict<'r>>,
    #[serde(flatten)]
    as_of: AsOf,
}

/// Verdict on an implementation before and after the change.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct OneVerdict<'r> {
    #[serde(flatten)]
    change: &'r VerdictChange,
    /// Profiles whose status the change lowers.
    losses: Vec<Loss<'r>>,
}

/// Profile whose status a change lowers.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Loss<'r> {
    /// Profile without its family, such as `HTTP`.
    profile: &'r str,
    /// Status before the change.
    before: &'static str,
    /// Status after the change. Null if the report behind the verdict lacks the profile.
    after: Option<&'static str>,
    /// Core tests that the report behind the verdict skips.
    skipped: Vec<&'r str>,
    /// Core tests that fail in the report behind the verdict.
    failed: Vec<&'r str>,
}

impl<'r> OneVerdict<'r> {
    fn new(change: &'r VerdictChange) -> Self {
        let losses = change.losses().into_iter().map(|loss| Loss {
            profile: &loss.before.name,
            before: loss.before.status.as_str(),
            after: loss.after.map(|after| after.status.as_str()),
            skipped: loss
                .after
                .map_or_else(Vec::new, |after| names(&after.skipped)),
            failed: loss
                .after
                .map_or_else(Vec::new, |after| names(&after.failed)),
        });
        Self {
            change,
            losses: losses.collect(),
        }
    }
}

fn names(tests: &[Name]) -> Vec<&str> {
    tests.iter().map(|name| &**name).collect()
}

/// Findings that existed before the change.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Known {
    /// Numbers of findings by severity.
    #[serde(flatten)]
    counts: Severities,
    /// The findings if `--all` is used; otherwise null.
    findings: Option<Vec<Finding>>,
}

impl<'r> Since<'r> {
    /// `known` contains the earlier findings if the user requests them.
    pub(super) fn new(review: &'r Review, known: Option<Vec<Finding>>) -> Self {
        Self {
            revision: &review.revision,
            commit: &review.commit,
            touched: &review.touched,
            known: Known {
                counts: review.before.counts,
                findings: known,
            },
            reports: &review.reports,
            verdicts: review.verdicts.iter().map(OneVerdict::new).collect(),
            as_of: review.as_of,
        }
    }
}
