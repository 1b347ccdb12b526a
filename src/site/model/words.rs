//! The texts that pages, data and feeds share: states of features, names of reports.

use super::report::{ReportView, text};
use crate::catalog::State;
use crate::facts::Name;
use crate::text::counted;

/// How many names a sentence lists before it counts the rest.
const MAX_NAMES: usize = 20;

/// Names in a sentence.
pub fn listed<T: AsRef<str>>(names: &[T]) -> String {
    let names_listed: Vec<_> = names.iter().take(MAX_NAMES).map(AsRef::as_ref).collect();
    let text = names_listed.join(", ");
    match names.len().saturating_sub(MAX_NAMES) {
        0 => text,
        more => format!("{text} and {more} more"),
    }
}

/// A state in words.
pub fn state_in_words(state: &State) -> String {
    match state {
        State::Proved { tests } => format!("supported, {} passed", counted(*tests, "test")),
        State::ProvedByLog { tests } => {
            format!(
                "supported, {} passed, as the log of the run shows",
                counted(*tests, "test")
            )
        }
        State::PartlySeen { tests, unseen } => format!(
            "supported; {unseen} of its {tests} tests had not finished when the report was written"
        ),
        State::NotSeen { tests } => {
            let tests = all_of(*tests);
            format!("claimed; {tests} had not finished when the report was written")
        }
        State::MaybeNotSeen { tests, unseen } => {
            let these = if unseen == tests {
                all_of(*tests)
            } else {
                format!("{unseen} of its {tests} tests")
            };
            format!(
                "claimed, test results unknown: {these} may not have finished when the report was written"
            )
        }
        State::Skipped { tests, of } if tests.len() >= *of => {
            format!("supported, all tests skipped: {}", names(tests))
        }
        State::Skipped { tests, of } => format!(
            "supported, {} of {of} tests skipped: {}",
            tests.len(),
            names(tests)
        ),
        State::NoTest { not_run } if not_run.is_empty() => {
            "claimed, untested: no test for it in this profile".to_owned()
        }
        State::NoTest { not_run } => {
            format!("claimed, untested; tests not run: {}", names(not_run))
        }
        State::Claimed => "claimed, test results unknown".to_owned(),
        State::Unsupported => "declared unsupported".to_owned(),
        State::NotClaimed => "not mentioned; test counts show it was not tested".to_owned(),
        State::NotStated => "not mentioned in the report".to_owned(),
        State::Failed { tests } => format!("supported, tests failed: {}", names(tests)),
        State::NotInRelease => "not part of the profile in this release".to_owned(),
    }
}

/// The tests of a feature, all of them.
fn all_of(tests: usize) -> String {
    match tests {
        1 => "its only test".to_owned(),
        tests => format!("its {tests} tests"),
    }
}

fn names(names: &[Name]) -> String {
    listed(names)
}

/// `Acme v2.14.0 for v1.5.1 (standard, default)`
pub fn report_name(report: &ReportView<'_>) -> String {
    let facts = report.facts();
    let mut name = report.implementation.name.clone();
    if let Some(version) = text(&facts.version) {
        name.push_str(&format!(" {version}"));
    }
    match report.release() {
        Some(release) => name.push_str(&format!(" for {release}")),
        None => name.push_str(", release unknown"),
    }
    let run: Vec<_> = [text(&facts.channel), text(&facts.mode)]
        .into_iter()
        .flatten()
        .collect();
    if !run.is_empty() {
        name.push_str(&format!(" ({})", run.join(", ")));
    }
    name
}
