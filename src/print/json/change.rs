//! JSON output of `check --since`.

use serde::Serialize;

use gwconform_base::text::diagnostic::Severities;
use gwconform_report::certify::{AsOf, Status};
use gwconform_report::document::Finding;
use gwconform_report::report::facts::Name;
use gwconform_report::review::{ReportChange, Review, VerdictChange};

/// Effects of the changes since a revision.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ChangeSince<'r> {
    /// Revision, as specified on the command line.
    revision: &'r str,
    /// Commit that the working tree is compared with: the merge base of the revision and HEAD.
    commit: &'r str,
    /// Folders of the submissions that the change touches.
    submissions: &'r [String],
    /// Findings in touched submissions that existed before the change. `findings` does not include
    /// them.
    known: Known<'r>,
    /// Reports that the change touches, sorted by path.
    report_changes: &'r [ReportChange],
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
    /// Profile name.
    #[cfg_attr(test, schemars(extend("examples" = ["GATEWAY-HTTP"])))]
    profile: &'r str,
    /// Status before the change.
    previous_status: Status,
    /// Status after the change. Null if the report behind the verdict lacks the profile.
    status: Option<Status>,
    /// Core tests that the report behind the verdict skips.
    skipped_tests: &'r [Name],
    /// Core tests that fail in the report behind the verdict.
    failed_tests: &'r [Name],
}

impl<'r> OneVerdict<'r> {
    fn new(change: &'r VerdictChange) -> Self {
        let losses = change.losses().into_iter().map(|loss| Loss {
            profile: &loss.before.profile,
            previous_status: loss.before.status,
            status: loss.after.map(|after| after.status),
            skipped_tests: loss.after.map_or(&[], |after| &after.skipped),
            failed_tests: loss.after.map_or(&[], |after| &after.failed),
        });
        Self {
            change,
            losses: losses.collect(),
        }
    }
}

/// Findings that existed before the change.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Known<'r> {
    /// Numbers of findings by severity.
    finding_counts: Severities,
    /// The findings if `--all` is used; otherwise null.
    findings: Option<Vec<Finding<'r>>>,
}

impl<'r> ChangeSince<'r> {
    /// `known` contains the earlier findings if the user requests them.
    pub(super) fn new(review: &'r Review, known: Option<Vec<Finding<'r>>>) -> Self {
        Self {
            revision: &review.revision,
            commit: &review.commit,
            submissions: &review.touched,
            known: Known {
                finding_counts: review.before.counts,
                findings: known,
            },
            report_changes: &review.reports,
            verdicts: review.verdicts.iter().map(OneVerdict::new).collect(),
            as_of: review.as_of,
        }
    }
}
