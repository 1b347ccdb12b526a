use std::collections::BTreeSet;

use super::printed_report::normalized;
use crate::log::{Log, Printed, Run};
use gwconform_report::report::formats::rfc3339;
use gwconform_report::report::siblings;
use gwconform_report::report::view::Report;

/// Run to compare a report with.
#[derive(Debug, Clone, Copy)]
pub struct ChosenRun<'l> {
    /// Log that contains the run.
    pub log: &'l Log,
    /// Selected run.
    pub run: &'l Run,
    /// 1-based number of the run across all logs.
    pub number: usize,
    /// Number of runs in all logs.
    pub of: usize,
}

/// Reason why no run could be selected.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The logs contain no suite run, with an explanation.
    #[error("{0}")]
    None(String),
    /// No run has the number passed to `--run`.
    #[error("no run {wanted}: {list}")]
    NoSuchRun {
        /// Number passed to `--run`.
        wanted: usize,
        /// Description of the available runs.
        list: String,
    },
    /// The logs contain several reports, outside of runs or in one run.
    #[error("{0} different reports in one log; pass a log with one of them")]
    SeveralReports(usize),
    /// No run, or more than one run, matches.
    #[error("{fitting} of {list} match the report; choose one with --run")]
    Ambiguous {
        /// Number of matching runs, or `none`.
        fitting: String,
        /// Description of the available runs.
        list: String,
    },
}

impl RunError {
    /// True if other arguments can resolve the error. False if the logs contain no run.
    pub fn is_usage(&self) -> bool {
        !matches!(self, Self::None(_))
    }
}

/// Numbers the runs of all logs from 1. Duplicate logs are counted once.
pub(super) fn numbered<'l>(logs: &'l [Log]) -> Vec<ChosenRun<'l>> {
    let mut digests = BTreeSet::new();
    let mut distinct: Vec<&Log> = logs.iter().collect();
    distinct.retain(|log| digests.insert(log.digest));
    let of = distinct.iter().map(|log| log.runs.len()).sum();
    let all = distinct
        .into_iter()
        .flat_map(|log| log.runs.iter().map(move |run| (log, run)));
    all.enumerate()
        .map(|(at, (log, run))| ChosenRun {
            log,
            run,
            number: at + 1,
            of,
        })
        .collect()
}

/// The only report in the logs: the one that the selected run printed, or one that is outside of all
/// runs, as in a part of a log.
///
/// # Errors
/// If there is none, or more than one.
pub fn printed_report(
    logs: &[Log],
    wanted: Option<usize>,
) -> Result<(&Log, Option<&Printed>), RunError> {
    let outside: Vec<_> = logs
        .iter()
        .flat_map(|log| log.reports.iter().map(move |printed| (log, printed)))
        .collect();
    match (&outside[..], numbered(logs).is_empty()) {
        ([(log, printed)], true) => Ok((log, Some(printed))),
        ([_, _, ..], true) => Err(RunError::SeveralReports(outside.len())),
        _ => {
            let chosen = choose(logs, None, wanted)?;
            if chosen.run.said.prints_several {
                return Err(RunError::SeveralReports(2));
            }
            Ok((chosen.log, chosen.run.said.printed.as_ref()))
        }
    }
}

/// Selects the requested run, the one that printed the report, the one with its profiles and date,
/// or the only one. Without a report, selects the only run that printed one.
///
/// # Errors
/// If none or several match.
pub fn choose<'l>(
    logs: &'l [Log],
    report: Option<(&str, &Report<'_>)>,
    wanted: Option<usize>,
) -> Result<ChosenRun<'l>, RunError> {
    let all = numbered(logs);
    if all.is_empty() {
        return Err(RunError::None(nothing(logs)));
    }
    if let Some(wanted) = wanted {
        let found = all.iter().find(|run| run.number == wanted);
        return found.copied().ok_or_else(|| RunError::NoSuchRun {
            wanted,
            list: list(&all),
        });
    }
    let fits = |is_fitting: &dyn Fn(&Run) -> bool| -> Vec<ChosenRun<'l>> {
        let fitting = all.iter().filter(|run| is_fitting(run.run));
        fitting.copied().collect()
    };
    let printed = match report {
        Some((text, _)) => {
            let text = normalized(text);
            fits(&|run| {
                let printed = run.said.printed.as_ref();
                printed.is_some_and(|printed| normalized(&printed.text) == text)
            })
        }
        None => fits(&|run| {
            run.said
                .printed
                .as_ref()
                .is_some_and(|printed| !printed.is_cut)
        }),
    };
    match (&printed[..], &all[..], report) {
        ([one], ..) | (_, [one], _) => Ok(*one),
        ([], _, Some((_, report))) => match &fits(&|run| is_like(run, report))[..] {
            [one] => Ok(*one),
            fitting => Err(ambiguous(fitting, &all)),
        },
        (fitting, ..) => Err(ambiguous(fitting, &all)),
    }
}

fn ambiguous(fitting: &[ChosenRun<'_>], all: &[ChosenRun<'_>]) -> RunError {
    RunError::Ambiguous {
        fitting: match fitting.len() {
            0 => "none".to_owned(),
            count => count.to_string(),
        },
        list: list(all),
    }
}

/// Compares profiles and date with the run, except values missing from the log.
fn is_like(run: &Run, report: &Report<'_>) -> bool {
    let chosen = run
        .said
        .settings
        .as_ref()
        .and_then(|settings| settings.profiles.as_ref());
    let has_profiles = chosen.is_none_or(|chosen| {
        let mut reported = report.profiles.iter();
        chosen.is_empty()
            || reported.all(|profile| chosen.iter().any(|name| name == profile.name_or_empty()))
    });
    let date = report.date.and_then(|date| rfc3339(date.value));
    let is_in_time = match (date, crate::log::times(run)) {
        (Some(date), Some((start, end))) => {
            date >= start - super::TOLERANCE && date <= end + super::TOLERANCE
        }
        _ => true,
    };
    has_profiles && is_in_time
}

fn list(all: &[ChosenRun<'_>]) -> String {
    let named: Vec<String> = all
        .iter()
        .map(|one| {
            let (root, path, line) = (&one.run.root, &one.log.path, one.run.begin);
            format!("{}: {root} at {path}:{line}", one.number)
        })
        .collect();
    let runs = gwconform_base::text::counted(all.len(), "run");
    format!("{runs} ({})", gwconform_base::text::listed(&named))
}

fn nothing(logs: &[Log]) -> String {
    let names: Vec<&str> = logs.iter().map(|log| log.path.as_str()).collect();
    let names = names.join(", ");
    if logs.iter().any(|log| log.passed_without_names.is_some()) {
        return format!("{names}: no test is named; run `go test` with -v");
    }
    let other = logs
        .iter()
        .find_map(|log| Some((log, log.other_test.as_ref()?)));
    if let Some((log, test)) = other {
        let project = log.package.as_deref().and_then(siblings::by_package);
        let suite = project.map_or_else(
            || "another suite".to_owned(),
            |name| format!("the suite of the {name}"),
        );
        return format!(
            "{names}: the tests are those of {suite}: {test} is not a test of Gateway API"
        );
    }
    if let Some(package) = logs.iter().find_map(|log| log.package.as_ref()) {
        return format!(
            "{names}: no test ran in {package}; find the reason in the log, such as an error of the build"
        );
    }
    format!(
        "{names}: no conformance run found; expected lines such as `--- PASS: TestConformance/HTTPRouteWeight (0.41s)` (`go test -v`), or the events of `go test -json`"
    )
}
