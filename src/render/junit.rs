//! Findings as JUnit XML, for the dashboards of CI systems: a testsuite for each submission, in it
//! a testcase for its folder and each of its files. A testcase fails with the findings that make a
//! check fail; findings of lower severity are in its system-out. The first testsuite, `gwconform`, holds
//! the summary, what is about no submission, and, as skipped, what was not checked.

use std::io::{self, Write};

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::checks::{OneCheck, checks, lines};
use super::{RenderInput, summary};
use crate::diagnostic::Diagnostic;
use crate::text::counted;
use crate::text::escape::xml;

/// The name of the report, and of the testsuite of what is about no submission.
const NAME: &str = "gwconform";

/// Writes the outcome as one XML document.
///
/// # Errors
/// When `out` cannot be written to.
pub fn write(shown: RenderInput<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut report = Report::new(NAME);
    let checks = checks(shown);
    let mut tree = TestSuite::new(NAME);
    tree.set_system_out(summary(shown));
    for left_out in shown.outcome.left_out() {
        let mut status = TestCaseStatus::skipped();
        status.set_message(xml(&left_out.reason));
        let mut case = TestCase::new(xml(&left_out.path), status);
        case.set_classname("not checked");
        tree.add_test_case(case);
    }
    let mut suites = vec![tree];
    for group in checks.chunk_by(|a, b| a.submission == b.submission) {
        let cases = group.iter().map(|check| case(shown, check));
        match group.first().map(|check| check.submission) {
            None | Some("") => drop(suites[0].add_test_cases(cases)),
            Some(submission) => {
                let mut suite = TestSuite::new(xml(submission));
                suite.add_test_cases(cases);
                suites.push(suite);
            }
        }
    }
    report.add_test_suites(suites);
    // Through a text: what can fail besides writing is nothing that a finding could cause.
    let text = report.to_string().map_err(io::Error::other)?;
    out.write_all(text.as_bytes())
}

fn case(shown: RenderInput<'_>, check: &OneCheck<'_>) -> TestCase {
    let (bad, other): (Vec<&Diagnostic>, Vec<&Diagnostic>) = check
        .findings
        .iter()
        .copied()
        .partition(|finding| finding.severity >= shown.fail_on);
    let status = match bad.first() {
        None if check.cut > 0 => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status.set_message(format!("{}, not shown", counted(check.cut, "finding")));
            status
        }
        None => TestCaseStatus::success(),
        Some(first) => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            let more = match bad.len() + check.cut {
                1 => String::new(),
                all => format!(" (and {} more)", all - 1),
            };
            status.set_type(first.rule);
            status.set_message(format!("{}{more}", xml(&first.message.to_string())));
            status.set_description(lines_of(&bad));
            status
        }
    };
    let below = format!("{}/", check.submission);
    let name = match check.path.strip_prefix(&below) {
        Some(name) => name,
        None if check.path == check.submission => "the folder",
        None => check.path,
    };
    let mut case = TestCase::new(xml(name), status);
    case.set_classname(xml(match check.submission {
        "" => NAME,
        submission => submission,
    }));
    if !other.is_empty() {
        case.set_system_out(lines_of(&other));
    }
    case
}

fn lines_of(findings: &[&Diagnostic]) -> String {
    let text: String = findings.iter().map(|finding| lines(finding)).collect();
    // What is seen in a line is seen in XML; only what XML forbids is left to do.
    text.lines().map(xml).collect::<Vec<_>>().join("\n")
}
