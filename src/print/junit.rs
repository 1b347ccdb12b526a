//! Renders findings as JUnit XML for CI dashboards. Each submission is a test suite, with its
//! folder and files as test cases. Findings that do not fail the check are in `system-out`. The
//! first suite contains everything else.

use std::io::{self, Write};

use askama::Template;

use super::checks::{OneCheck, checks, lines};
use super::{RenderInput, summary, verdict_by_log};
use gwconform_base::text::diagnostic::Diagnostic;
use gwconform_base::text::escape::xml;

const NAME: &str = "gwconform";

/// Fields contain only characters that XML allows.
#[derive(Template)]
#[template(path = "junit.xml")]
struct Document {
    suites: Vec<Suite>,
}

impl Document {
    fn sum(&self, count: fn(&Suite) -> usize) -> usize {
        self.suites.iter().map(count).sum()
    }
}

struct Suite {
    name: String,
    cases: Vec<Case>,
    out: Option<String>,
}

impl Suite {
    fn tests(&self) -> usize {
        self.cases.len()
    }

    fn skipped(&self) -> usize {
        self.count(|status| matches!(status, Status::Skipped { .. }))
    }

    fn failures(&self) -> usize {
        self.count(|status| matches!(status, Status::Failed { .. }))
    }

    fn count(&self, is: fn(&Status) -> bool) -> usize {
        self.cases.iter().filter(|case| is(&case.status)).count()
    }
}

struct Case {
    name: String,
    class: String,
    status: Status,
    out: Option<String>,
}

enum Status {
    Passed,
    Skipped {
        message: String,
    },
    Failed {
        message: String,
        findings: Option<(&'static str, String)>,
    },
}

/// Writes one XML document.
pub fn write(shown: RenderInput<'_>, out: &mut dyn Write) -> io::Result<()> {
    let checks = checks(shown);
    let skipped = shown.outcome.skipped.iter().map(|left_out| Case {
        name: xml(&left_out.path),
        class: "not checked".to_owned(),
        status: Status::Skipped {
            message: xml(&left_out.reason),
        },
        out: None,
    });
    let by_log = shown.evidence.map(|evidence| {
        let message = xml(&verdict_by_log(evidence));
        Case {
            name: "the report, by the log of its run".to_owned(),
            class: "verify".to_owned(),
            out: Some(message.clone()),
            status: if shown.is_failed_by_log() {
                Status::Failed {
                    message,
                    findings: None,
                }
            } else {
                Status::Passed
            },
        }
    });
    let mut suites = vec![Suite {
        name: NAME.to_owned(),
        cases: by_log.into_iter().chain(skipped).collect(),
        out: Some(summary(shown)),
    }];
    for group in checks.chunk_by(|a, b| a.submission == b.submission) {
        let cases = group.iter().map(|check| case(shown, check));
        match group.first().map(|check| check.submission) {
            None | Some("") => suites[0].cases.extend(cases),
            Some(submission) => suites.push(Suite {
                name: xml(submission),
                cases: cases.collect(),
                out: None,
            }),
        }
    }
    let text = Document { suites }.render().map_err(io::Error::other)?;
    writeln!(out, "{}", text.trim_end())
}

fn case(shown: RenderInput<'_>, check: &OneCheck<'_>) -> Case {
    let (bad, other): (Vec<&Diagnostic>, Vec<&Diagnostic>) = check
        .findings
        .iter()
        .copied()
        .partition(|finding| finding.severity >= shown.fail_on);
    let status = match bad.first() {
        None => Status::Passed,
        Some(first) => {
            let more = match bad.iter().map(|finding| finding.count()).sum::<usize>() {
                1 => String::new(),
                all => format!(" (and {} more)", all - 1),
            };
            Status::Failed {
                message: format!("{}{more}", xml(&first.message.to_string())),
                findings: Some((first.rule, lines_of(&bad))),
            }
        }
    };
    let below = format!("{}/", check.submission);
    let name = match check.path.strip_prefix(&below) {
        Some(name) => name,
        None if check.path == check.submission => "the folder",
        None => check.path,
    };
    Case {
        name: xml(name),
        class: xml(match check.submission {
            "" => NAME,
            submission => submission,
        }),
        status,
        out: (!other.is_empty()).then(|| lines_of(&other)),
    }
}

fn lines_of(findings: &[&Diagnostic]) -> String {
    let text: String = findings.iter().map(|finding| lines(finding)).collect();
    // `lines` keeps some characters that XML forbids. They are removed here.
    text.lines().map(xml).collect::<Vec<_>>().join("\n")
}
