use serde::Serialize;

use super::{
    ChosenRun, Claim, Comparison, Difference, FeatureIssue, Gap, GapCause, Logged, PrintedState,
    ResultDifference,
};
use crate::log::{Failure, Outcome, Run};
use gwconform_base::text::counted;
use gwconform_report::statement::Verdict;

/// Verification result for a report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[schemars(rename = "Evidence")]
pub struct Summary {
    /// Verdict, independent of the selected rules.
    pub verdict: Verdict,
    /// Reason for the verdict, in one sentence.
    pub reason: String,
    /// Facts that no log can prove.
    pub limits: &'static str,
    /// Release whose data is used.
    #[schemars(extend("examples" = ["v1.6.2"]))]
    pub release: String,
    /// Log path.
    pub log: String,
    /// Root test, such as `TestConformance`.
    #[schemars(extend("examples" = ["TestConformance"]))]
    pub root: String,
    /// Run number across all logs, from 1.
    pub run_number: usize,
    /// Number of tests with a result.
    pub result_count: usize,
}

const LIMITS: &str = "not covered by any log: implementation, contact, url, version and mode, which come from flags; and a log can be forged like a report";

/// Also lists values that the suite reads from the cluster, because only the printed report
/// contains them.
const LIMITS_WITHOUT_PRINT: &str = "not covered by this log, which does not print the report: gatewayAPIVersion, gatewayAPIChannel, implementation, contact, url, version and mode; and a log can be forged like a report";

impl Summary {
    /// Evaluates a comparison.
    pub fn new(claim: &Claim<'_>, chosen: &ChosenRun<'_>, comparison: &Comparison) -> Self {
        let (verdict, reason) = judge(claim, chosen, comparison);
        Self {
            verdict,
            reason,
            limits: match comparison.printed {
                PrintedState::No => LIMITS_WITHOUT_PRINT,
                _ => LIMITS,
            },
            release: claim.release.version().to_string(),
            log: claim.log.path.clone(),
            root: claim.run.root.clone(),
            run_number: chosen.number,
            result_count: comparison.results,
        }
    }
}

fn judge(claim: &Claim<'_>, chosen: &ChosenRun<'_>, comparison: &Comparison) -> (Verdict, String) {
    if !comparison.differences.is_empty() {
        return (
            Verdict::Contradicted,
            contradictions(&comparison.differences),
        );
    }
    let run = claim.run;
    let log = &claim.log.path;
    if !comparison.gaps.is_empty() && !run.failed_in_setup() {
        return (Verdict::NotProved, gaps(&comparison.gaps, run));
    }
    if !run.is_complete && !run.failed_in_setup() {
        let reason = format!(
            "the end of the run is missing: {log} ends at line {}",
            run.last_line
        );
        return (Verdict::NotProved, reason);
    }
    if let Some((failure, mark)) = &run.failure {
        let reason = format!("{} (line {})", failed(*failure, &run.root), mark.line);
        return (Verdict::NotProved, reason);
    }
    if claim.report.profiles.is_empty() {
        let reason = "the report has no profile, so a log cannot prove it";
        return (Verdict::NotProved, reason.to_owned());
    }
    if !comparison.settings.is_empty() {
        let reason = match comparison.settings.len() {
            1 => "1 profile or feature differs from the options of the run".to_owned(),
            count => format!("{count} profiles or features differ from the options of the run"),
        };
        return (Verdict::NotProved, reason);
    }
    let results = counted(comparison.results, "result");
    let mut suite = format!("suite {}", claim.release.version());
    if claim.is_chosen {
        suite.push_str(", by --release");
    } else if let Some(stated) = claim.report.stated_release
        && stated.value != claim.release.version().to_string()
        && !claim.is_legacy
    {
        suite.push_str(", the nearest known release");
    }
    if let Some(facts) = claim.registry.added(claim.release.version()) {
        suite.push_str(&format!(
            " by the facts in {}, SHA-256 {}",
            facts.path, facts.digest
        ));
    }
    if comparison.skips_provisional {
        suite.push_str(", --skip-provisional-tests");
    }
    if chosen.of > 1 {
        suite.push_str(&format!(", run {} of {}", chosen.number, chosen.of));
    }
    let follows = match comparison.undecided.len() {
        0 => "every number, list and feature follows from the log".to_owned(),
        count => format!(
            "every number and list follows from the log; {} not tested",
            match count {
                1 => "1 feature was".to_owned(),
                _ => format!("{count} features were"),
            }
        ),
    };
    let notation = match &comparison.notation {
        Some(_) => ", but the report is not byte-for-byte identical to the one in the log",
        None => "",
    };
    let reason = format!("{results} ({suite}): {follows}{notation}");
    (Verdict::Proved, reason)
}

fn failed(failure: Failure, root: &str) -> String {
    match failure {
        Failure::Panic => "the run panicked".to_owned(),
        Failure::Race => "`go test` found a data race in the run".to_owned(),
        Failure::RootSkipped => format!("{root} was skipped"),
        Failure::Setup => format!("{root} failed in its setup: no test ran"),
        Failure::Root => format!("{root} failed, but none of its tests did"),
        Failure::Package => "the test binary failed, but none of its tests did".to_owned(),
    }
}

fn gaps(gaps: &[Gap], run: &Run) -> String {
    let count = |is: fn(&GapCause) -> bool| gaps.iter().filter(|gap| is(&gap.cause)).count();
    let open = count(|cause| matches!(cause, GapCause::NotNamed | GapCause::Begun(_)));
    let unexplained = count(|cause| matches!(cause, GapCause::Unexplained(_)));
    let exempt = count(|cause| matches!(cause, GapCause::Exempt(_)));
    let mut parts = Vec::new();
    if open > 0 {
        let (have, them) = match open {
            1 => ("has", "it"),
            _ => ("have", "them"),
        };
        let why = if !run.names_passed_tests() {
            "only failed tests are named; run `go test` with -v".to_owned()
        } else if run.is_complete {
            format!("the run ended without {them}")
        } else {
            format!("the log ends at line {}", run.last_line)
        };
        parts.push(format!("{} {have} no result: {why}", counted(open, "test")));
    }
    let skipped = |count: usize, noun: &str| {
        let was = if count == 1 { "was" } else { "were" };
        format!("{} {was} skipped", counted(count, noun))
    };
    if unexplained > 0 {
        let tests = skipped(unexplained, "test");
        parts.push(format!("{tests}, and the log does not show the reason"));
    }
    if exempt > 0 {
        let tests = skipped(exempt, "core test");
        parts.push(format!("{tests} because a core feature is exempt"));
    }
    parts.join("; ")
}

fn contradictions(differences: &[Difference]) -> String {
    let count = |is: &dyn Fn(&Difference) -> bool| differences.iter().filter(|one| is(one)).count();
    let failed = count(&|one| {
        matches!(
            one,
            Difference::Result(ResultDifference {
                logged: Logged::Failed,
                claimed: Outcome::Passed,
                ..
            })
        )
    });
    let results = count(&|one| matches!(one, Difference::Result(_))) - failed;
    let unsupported = count(&|one| {
        matches!(
            one,
            Difference::Feature {
                issue: FeatureIssue::NotSupported,
                ..
            }
        )
    });
    let features = count(&|one| matches!(one, Difference::Feature { .. })) - unsupported;
    let printed = count(&|one| matches!(one, Difference::Printed { .. }));
    let others = differences.len() - failed - results - unsupported - features - printed;
    let parts = [
        (failed, "test", "failed, contrary to the report"),
        (results, "test", "with a result other than in the report"),
        (
            unsupported,
            "feature",
            "supported in the report but not in the run",
        ),
        (features, "feature", "listed differently than in the run"),
        (
            others,
            "value",
            match others {
                1 => "that does not follow from the log",
                _ => "that do not follow from the log",
            },
        ),
        (printed, "difference", "from the report in the log"),
    ];
    let named: Vec<String> = parts
        .into_iter()
        .filter(|(count, ..)| *count > 0)
        .map(|(number, noun, what)| format!("{} {what}", counted(number, noun)))
        .collect();
    named.join("; ")
}
