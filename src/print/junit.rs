//! Findings as JUnit XML, for the dashboards of CI systems: a testsuite for each submission, in it
//! a testcase for its folder and each of its files. A testcase fails with the findings that make a
//! check fail; findings of lower severity are in its system-out. The first testsuite, `gwconform`, holds
//! the summary, what is about no submission, and, as skipped, what was not checked.

use std::io::{self, Write};

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

use super::checks::{OneCheck, checks, lines};
use super::{RenderInput, summary, verdict_by_log};
use crate::text::counted;
use crate::text::diagnostic::Diagnostic;
use crate::text::escape::xml;

/// The name of the report, and of the testsuite of what is about no submission.
const NAME: &str = "gwconform";

/// A testsuite. All texts of suites and cases can stand in XML.
struct Suite {
    name: String,
    cases: Vec<Case>,
    /// Its system-out.
    out: Option<String>,
}

struct Case {
    name: String,
    class: String,
    status: Status,
    /// Its system-out.
    out: Option<String>,
}

enum Status {
    Passed,
    Skipped {
        message: String,
    },
    Failed {
        message: String,
        /// The rule and the findings; nothing where none is shown.
        findings: Option<(&'static str, String)>,
    },
}

/// Writes the outcome as one XML document.
///
/// # Errors
/// When `out` cannot be written to.
pub fn write(shown: RenderInput<'_>, out: &mut dyn Write) -> io::Result<()> {
    let checks = checks(shown);
    let skipped = shown.outcome.left_out();
    let skipped = skipped.iter().map(|left_out| Case {
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
            status: match shown.is_failed_by_log() {
                true => Status::Failed {
                    message,
                    findings: None,
                },
                false => Status::Passed,
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
    let mut writer = Writer::new_with_indent(out, b' ', 4);
    document(&mut writer, &suites)?;
    writer.into_inner().write_all(b"\n")
}

fn case(shown: RenderInput<'_>, check: &OneCheck<'_>) -> Case {
    let (bad, other): (Vec<&Diagnostic>, Vec<&Diagnostic>) = check
        .findings
        .iter()
        .copied()
        .partition(|finding| finding.severity >= shown.fail_on);
    let status = match bad.first() {
        None if check.cut > 0 => Status::Failed {
            message: format!("{}, not shown", counted(check.cut, "finding")),
            findings: None,
        },
        None => Status::Passed,
        Some(first) => {
            let more = match bad.len() + check.cut {
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
    // What is seen in a line is seen in XML; only what XML forbids is left to do.
    text.lines().map(xml).collect::<Vec<_>>().join("\n")
}

fn document<W: Write>(writer: &mut Writer<W>, suites: &[Suite]) -> io::Result<()> {
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let cases = || suites.iter().flat_map(|suite| &suite.cases);
    let all = Counts::new(cases());
    let root = writer
        .create_element("testsuites")
        .with_attribute(("name", NAME))
        .with_attribute(("tests", all.tests.as_str()))
        .with_attribute(("skipped", all.skipped.as_str()))
        .with_attribute(("failures", all.failures.as_str()))
        .with_attribute(("errors", "0"));
    root.write_inner_content(|writer| {
        suites
            .iter()
            .try_for_each(|suite| write_suite(writer, suite))
    })?;
    Ok(())
}

/// How many cases there are, as attributes have it.
struct Counts {
    tests: String,
    skipped: String,
    failures: String,
}

impl Counts {
    fn new<'c>(cases: impl Iterator<Item = &'c Case>) -> Self {
        let (mut tests, mut skipped, mut failures) = (0_usize, 0_usize, 0_usize);
        for case in cases {
            tests += 1;
            skipped += usize::from(matches!(case.status, Status::Skipped { .. }));
            failures += usize::from(matches!(case.status, Status::Failed { .. }));
        }
        Self {
            tests: tests.to_string(),
            skipped: skipped.to_string(),
            failures: failures.to_string(),
        }
    }
}

fn write_suite<W: Write>(writer: &mut Writer<W>, suite: &Suite) -> io::Result<()> {
    let counts = Counts::new(suite.cases.iter());
    let element = writer
        .create_element("testsuite")
        .with_attribute(("name", suite.name.as_str()))
        .with_attribute(("tests", counts.tests.as_str()))
        .with_attribute(("skipped", counts.skipped.as_str()))
        .with_attribute(("errors", "0"))
        .with_attribute(("failures", counts.failures.as_str()));
    if suite.cases.is_empty() && suite.out.is_none() {
        element.write_empty()?;
        return Ok(());
    }
    element.write_inner_content(|writer| {
        (suite.cases.iter()).try_for_each(|case| write_case(writer, case))?;
        write_out(writer, suite.out.as_deref())
    })?;
    Ok(())
}

fn write_case<W: Write>(writer: &mut Writer<W>, case: &Case) -> io::Result<()> {
    let element = writer
        .create_element("testcase")
        .with_attribute(("name", case.name.as_str()))
        .with_attribute(("classname", case.class.as_str()));
    if matches!(case.status, Status::Passed) && case.out.is_none() {
        element.write_empty()?;
        return Ok(());
    }
    element.write_inner_content(|writer| {
        write_status(writer, &case.status)?;
        write_out(writer, case.out.as_deref())
    })?;
    Ok(())
}

fn write_status<W: Write>(writer: &mut Writer<W>, status: &Status) -> io::Result<()> {
    match status {
        Status::Passed => {}
        Status::Skipped { message } => {
            let element = writer.create_element("skipped");
            element
                .with_attribute(("message", message.as_str()))
                .write_empty()?;
        }
        Status::Failed { message, findings } => {
            let element = writer
                .create_element("failure")
                .with_attribute(("message", message.as_str()));
            match findings {
                None => element.write_empty()?,
                Some((rule, text)) => element
                    .with_attribute(("type", *rule))
                    .write_text_content(BytesText::new(text))?,
            };
        }
    }
    Ok(())
}

fn write_out<W: Write>(writer: &mut Writer<W>, text: Option<&str>) -> io::Result<()> {
    if let Some(text) = text {
        let element = writer.create_element("system-out");
        element.write_text_content(BytesText::new(text))?;
    }
    Ok(())
}
