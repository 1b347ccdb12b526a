//! Suite output in `go test` logs. Source: `logOptions` and `writeReport` in `conformance.go`, and
//! `Run` in `utils/suite/conformance.go`.

mod capture;
mod content;

use std::collections::BTreeSet;
use std::io::Read;

pub use crate::testlog::{Failure, MAX_LINE, MAX_TESTS, Mark, Outcome};

use content::{Content, Contents};
use gwconform_base::text::diagnostic::{Excerpt, Place, Region};
use gwconform_base::text::source::{Digest, Position, Span};
use gwconform_report::report::formats::rfc3339;

/// Parsed log of one or more suite runs.
#[derive(Debug, Clone)]
pub struct Log {
    /// Display path of the log.
    pub path: String,
    /// SHA-256 digest of the log.
    pub digest: Digest,
    /// Number of lines.
    pub lines: u32,
    /// Number of lines truncated at [`MAX_LINE`].
    pub cut_lines: u32,
    /// Suite runs in file order.
    pub runs: Vec<Run>,
    /// Success without test names, as `go test` prints without `-v`.
    pub passed_without_names: Option<u32>,
    /// Different reports that no run printed, as in a part of a log without results.
    pub reports: Vec<Printed>,
    /// Test of another suite, if no test of the suite ran.
    pub other_test: Option<Box<str>>,
    /// Package of the tests, if the log names one.
    pub package: Option<Box<str>>,
}

/// Why a log cannot be read, as a clause after "not read:".
#[derive(Debug, thiserror::Error)]
#[error("{0}{expected}", expected = expectation(.0))]
pub struct LogError(#[from] crate::testlog::LogError);

impl LogError {
    /// True if the stream failed. False if its content is not a log.
    pub fn is_of_system(&self) -> bool {
        matches!(self.0, crate::testlog::LogError::System(_))
    }
}

fn expectation(error: &crate::testlog::LogError) -> &'static str {
    match error {
        crate::testlog::LogError::TooManyTests { .. } => "; expected the log of a conformance run",
        _ => "",
    }
}

/// Run of the suite in a log.
pub type Run = crate::testlog::Run<Contents>;

/// Log entries of one test.
pub type TestRun = crate::testlog::TestRun<SkipReason>;

/// Suite output of one run.
#[derive(Debug, Clone, Default)]
pub struct Said {
    /// Options in the log, if any.
    pub settings: Option<Settings>,
    /// First complete report printed in the log, if any.
    pub printed: Option<Printed>,
    /// True if the run printed another report, too.
    pub prints_several: bool,
}

/// Reason for skipping a test (`ConformanceTest.Run`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SkipReason {
    /// A required feature, given by name, is not supported.
    NotSupported(String),
    /// Skipped by `--skip-tests` or `--run-test` (`test explicitly skipped`).
    Explicit,
}

/// Options, and features that the suite read from the cluster.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Settings {
    /// First line of the options.
    pub mark: Mark,
    /// `ConformanceProfiles`; logged since v1.4.0.
    pub profiles: Option<Vec<String>>,
    /// `Supported Features`
    pub supported: Option<Vec<String>>,
    /// `ExemptFeatures`
    pub exempt: Vec<String>,
    /// `Enable All Features`
    pub enables_all: bool,
    /// Features that the suite read from the cluster.
    pub inferred: Option<Vec<String>>,
}

/// Report printed in a log.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Printed {
    /// Text of the report.
    pub text: String,
    /// Log line and number of characters before the text, by line; `None` inside JSON.
    pub lines: Vec<(u32, Option<u32>)>,
    /// Whether the log ends inside the report.
    pub is_cut: bool,
}

impl Log {
    /// Reads a log. `known` contains the names of tests in all releases.
    ///
    /// # Errors
    /// If reading fails or the format is unsupported.
    pub fn read(path: &str, stream: impl Read, known: &BTreeSet<&str>) -> Result<Self, LogError> {
        let log = crate::testlog::Log::read(stream, known, Contents::default())?;
        Ok(Self {
            path: path.to_owned(),
            digest: Digest(log.digest),
            lines: log.lines,
            cut_lines: log.cut_lines,
            runs: log.runs,
            passed_without_names: log.passed_without_names,
            reports: reports(log.rest),
            other_test: log.other_test,
            package: log.package,
        })
    }
}

/// The suite sorts the keys, so a report at the end of a log is complete if it ends with the summary
/// of a profile.
fn reports(contents: Vec<Content>) -> Vec<Printed> {
    let mut texts = BTreeSet::new();
    let reports = contents.into_iter().filter_map(|content| match content {
        Content::Report(mut printed) => {
            let last = printed.text.lines().last().unwrap_or_default();
            printed.is_cut &= !last.trim_start().starts_with("summary: ");
            Some(printed)
        }
        _ => None,
    });
    let mut is_new = |printed: &Printed| texts.insert(printed.text.clone());
    reports.filter(|printed| is_new(printed)).collect()
}

/// Position of a whole log line.
pub fn place(mark: &Mark, path: &str) -> Place {
    let start = Position {
        line: mark.line,
        column: 1,
    };
    let text = mark.text.as_deref().unwrap_or_default();
    let characters = u32::try_from(text.chars().count()).unwrap_or(u32::MAX - 1);
    Place {
        path: path.into(),
        region: Some(Region {
            start,
            end: Position {
                column: 1 + characters,
                ..start
            },
            excerpt: mark.text.as_deref().map(|text| Excerpt {
                text: text.to_owned(),
                span: Span::new(0, text.len()),
            }),
            is_secret: false,
        }),
    }
}

/// Earliest and latest logged time.
pub fn times(run: &Run) -> Option<(jiff::Timestamp, jiff::Timestamp)> {
    let (start, end) = &run.times;
    rfc3339(start).zip(rfc3339(end))
}
