//! What the conformance suite writes into the output of `go test`: its settings, why it skips tests,
//! and the report. (Suite: `conformance.go`, functions `logOptions` and `writeReport`, and
//! `utils/suite/conformance.go`, function `Run`.)

mod capture;
mod content;

use std::collections::BTreeSet;
use std::io::Read;

pub use gwconform_testlog::{Failure, MAX_LINE, MAX_TESTS, Mark, Outcome};

use crate::report::formats::rfc3339;
use crate::text::diagnostic::{Excerpt, Place, Region};
use crate::text::source::{Digest, Position, Span};
use content::Contents;

/// A log, read to its end.
#[derive(Debug, Clone)]
pub struct Log {
    /// The path as it is printed.
    pub path: String,
    /// SHA-256 of its bytes.
    pub digest: Digest,
    /// How many lines it has.
    pub lines: u32,
    /// How many of them are longer than [`MAX_LINE`]: the rest of these was not read.
    pub cut_lines: u32,
    /// The runs of the suite in it, in their order.
    pub runs: Vec<Run>,
    /// The line on which `go test` says that all passed, where no test is named: it ran without `-v`.
    pub passed_without_names: Option<u32>,
}

/// Why a log cannot be read, as a clause that follows "not read:".
#[derive(Debug, thiserror::Error)]
#[error("{0}{expected}", expected = expectation(.0))]
pub struct LogError(#[from] gwconform_testlog::LogError);

fn expectation(error: &gwconform_testlog::LogError) -> &'static str {
    match error {
        gwconform_testlog::LogError::TooManyTests { .. } => {
            "; expected the log of a conformance run"
        }
        _ => "",
    }
}

/// One run of the suite.
pub type Run = gwconform_testlog::Run<Contents>;

/// What a log has of a test of the suite.
pub type TestRun = gwconform_testlog::TestRun<SkipReason>;

/// What the suite has written of a run.
#[derive(Debug, Clone, Default)]
pub struct Said {
    /// What it logs of its options.
    pub settings: Option<Settings>,
    /// The report that it prints.
    pub printed: Option<Printed>,
}

/// Why a test was skipped (suite: `ConformanceTest.Run`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SkipReason {
    /// `suite does not support F`: it needs a feature that is not supported.
    NotSupported(String),
    /// `test explicitly skipped`: by `--skip-tests` or `--run-test`.
    Explicit,
}

/// What the suite logs of its options (`logOptions`), and the features that it reads of the cluster.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Settings {
    /// Where they begin.
    pub mark: Mark,
    /// `ConformanceProfiles`, since v1.4.0.
    pub profiles: Option<Vec<String>>,
    /// `Supported Features`
    pub supported: Option<Vec<String>>,
    /// `ExemptFeatures`
    pub exempt: Vec<String>,
    /// `Enable All Features`
    pub enables_all: bool,
    /// `Supported features for GatewayClass …` and `… for XMesh…`: what was taken of the cluster.
    pub inferred: Option<Vec<String>>,
}

/// A report that is printed in a log.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Printed {
    /// Its text.
    pub text: String,
    /// For each of its lines the line of the log, and how many characters are before it there; `None`
    /// where it is part of another notation (JSON, XML).
    pub lines: Vec<(u32, Option<u32>)>,
    /// True when the log ends in it.
    pub is_cut: bool,
}

impl Log {
    /// Reads a log to its end. `known` are the short names of the tests of all releases.
    ///
    /// # Errors
    /// When the system refuses, or the stream is none that is read.
    pub fn read(path: &str, stream: impl Read, known: &BTreeSet<&str>) -> Result<Self, LogError> {
        let log = gwconform_testlog::Log::read(stream, known, Contents::default())?;
        Ok(Self {
            path: path.to_owned(),
            digest: Digest(log.digest),
            lines: log.lines,
            cut_lines: log.cut_lines,
            runs: log.runs,
            passed_without_names: log.passed_without_names,
        })
    }
}

/// The place of the whole line of a mark in a log.
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

/// The first and the last time that are written around a run.
pub fn times(run: &Run) -> Option<(jiff::Timestamp, jiff::Timestamp)> {
    let (start, end) = &run.times;
    rfc3339(start).zip(rfc3339(end))
}
