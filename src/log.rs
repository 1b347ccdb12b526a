//! What the conformance suite and `go test` write into a log, read as a stream: the result of each
//! test, the settings, the report that the suite prints, and the times.
//!
//! Forms: the text of `go test -v`, the events of `go test -json` (also with other lines between
//! them), JUnit XML. What CI puts before lines (times, job and step, colours, groups, a byte order
//! mark, CRLF) is taken away first. (Suite: `conformance.go`, functions `logOptions` and
//! `writeReport`, and `utils/suite/conformance.go`, function `Run`; `go test`: packages `testing` and
//! `cmd/internal/test2json`.)
//!
//! A log is hostile text of any size. Lines are cut after [`MAX_LINE`] bytes, and what is kept is
//! bounded by the number of distinct tests ([`MAX_TESTS`]).

mod block;
mod capture;
mod clean;
mod collect;
mod content;
mod event;
mod frame;
mod junit;
mod lines;
mod prefix;
mod runs;
mod signs;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read};

use crate::diagnostic::{Excerpt, Place, Region};
use crate::source::{Digest, Position, Span};

/// The longest part of a line that is read, in bytes.
pub const MAX_LINE: usize = 64 * 1024;

/// Most tests of a log: ten times the subtests of all conformance tests together.
pub const MAX_TESTS: usize = 100_000;

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

/// One run of the suite: from where its test begins to where it begins again.
#[derive(Debug, Clone, Default)]
pub struct Run {
    /// The test whose children are the tests of the suite: `TestConformance`.
    pub root: String,
    /// The line on which it begins; the first one of its tests where that is not in the log.
    pub begin: u32,
    /// The last line that can belong to it.
    pub last_line: u32,
    /// The result of the root.
    pub outcome: Option<(Outcome, Mark)>,
    /// What shows that the run failed as a whole, and where.
    pub failure: Option<(Failure, Mark)>,
    /// True when `go test` went on or ended after the root: nothing of the run is missing.
    pub is_complete: bool,
    /// The tests by their short names.
    pub tests: BTreeMap<String, TestRun>,
    /// What the suite logs of its options.
    pub settings: Option<Settings>,
    /// The report that it prints.
    pub printed: Option<Printed>,
    /// When it ran: the first and the last time that are written around it.
    pub times: Option<(jiff::Timestamp, jiff::Timestamp)>,
}

impl Run {
    /// True when tests that pass are named: `go test` ran with `-v`.
    pub fn names_passed_tests(&self) -> bool {
        self.tests.values().any(|test| {
            let outcome = test.outcome.as_ref().map(|(outcome, _)| *outcome);
            test.begun.is_some() || outcome.is_some_and(|outcome| outcome != Outcome::Failed)
        })
    }
}

/// How a test ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// `--- PASS`
    Passed,
    /// `--- SKIP`
    Skipped,
    /// `--- FAIL`; of several results of a test the worst one counts.
    Failed,
}

/// How a run fails as a whole, whatever the results of its tests are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// The test binary panicked.
    Panic,
    /// `go test -race` found a data race.
    Race,
    /// The root was skipped.
    RootSkipped,
    /// The root failed, but none of its tests did.
    Root,
    /// The test binary or a test above the root failed, but no other test of the package did.
    Package,
}

/// What a log has of a test of the suite.
#[derive(Debug, Clone, Default)]
pub struct TestRun {
    /// Where it begins.
    pub begun: Option<Mark>,
    /// How it ended, and where that is written.
    pub outcome: Option<(Outcome, Mark)>,
    /// Why it was skipped, and where that is written.
    pub reason: Option<(SkipReason, Mark)>,
}

/// Why a test was skipped (suite: `ConformanceTest.Run`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SkipReason {
    /// `suite does not support F`: it needs a feature that is not supported.
    NotSupported(String),
    /// `test explicitly skipped`: by `--skip-tests` or `--run-test`.
    Explicit,
}

/// A line of a log.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mark {
    /// Its number, from 1.
    pub line: u32,
    /// Its text, where that is short enough to be shown.
    pub text: Option<Box<str>>,
}

impl Mark {
    /// The place of the whole line.
    pub fn place(&self, path: &str) -> Place {
        let start = Position {
            line: self.line,
            column: 1,
        };
        let text = self.text.as_deref().unwrap_or_default();
        let characters = u32::try_from(text.chars().count()).unwrap_or(u32::MAX - 1);
        Place {
            path: path.into(),
            region: Some(Region {
                start,
                end: Position {
                    column: 1 + characters,
                    ..start
                },
                excerpt: self.text.as_deref().map(|text| Excerpt {
                    text: text.to_owned(),
                    span: Span::new(0, text.len()),
                }),
                is_secret: false,
            }),
        }
    }
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

/// Why a log cannot be read, as a clause that follows "not read:".
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// The system refuses.
    #[error("{}", .0.kind())]
    System(#[from] io::Error),
    /// It is an archive.
    #[error("it is compressed ({0}); unpack it first")]
    Packed(&'static str),
    /// It is UTF-16, as Windows PowerShell writes it.
    #[error("it is UTF-16; save it as UTF-8 first")]
    Utf16,
    /// More tests than a suite can have.
    #[error("more than {MAX_TESTS} tests by line {line}; expected the log of a conformance run")]
    TooManyTests {
        /// Where the first one too many is.
        line: u32,
    },
    /// Tests begin only behind other text, which differs from line to line: nothing that the suite
    /// writes can be told from it.
    #[error(
        "line {line}: a test begins behind text that differs from line to line; save the log without what was put before its lines"
    )]
    UnknownPrefix {
        /// Where the first one begins.
        line: u32,
    },
    /// The XML is not well-formed, or has a DTD, which is never read.
    #[error("line {line}: {reason}")]
    Xml {
        /// Where.
        line: u32,
        /// What is wrong.
        reason: &'static str,
    },
}

impl Log {
    /// Reads a log to its end. `known` are the short names of the tests of all releases: a test with
    /// such a child can be the root of a run.
    ///
    /// # Errors
    /// When the system refuses, or the stream is none that is read.
    ///
    /// ```
    /// use std::collections::BTreeSet;
    /// use gwconform::log::{Log, Outcome};
    ///
    /// let text = "=== RUN   TestConformance\n=== RUN   TestConformance/HTTPRouteWeight\n--- PASS: TestConformance (1.00s)\n    --- PASS: TestConformance/HTTPRouteWeight (1.00s)\nPASS\n";
    /// let log = Log::read("conformance.log", text.as_bytes(), &BTreeSet::from(["HTTPRouteWeight"]))?;
    /// let test = &log.runs[0].tests["HTTPRouteWeight"];
    /// assert_eq!(test.outcome.as_ref().map(|(outcome, mark)| (*outcome, mark.line)), Some((Outcome::Passed, 4)));
    /// # Ok::<(), gwconform::log::LogError>(())
    /// ```
    pub fn read(path: &str, stream: impl Read, known: &BTreeSet<&str>) -> Result<Self, LogError> {
        let mut lines = lines::Lines::new(stream);
        let mut collector = collect::Collector::new(known);
        let mut xml = None;
        while let Some(line) = lines.next_line()? {
            if line.number == 1 {
                refuse(line.bytes)?;
                if junit::is_xml(clean::without_mark(line.bytes)) {
                    xml = Some(junit::Reader::default());
                }
            }
            match &mut xml {
                Some(xml) => xml.line(&line, &mut collector)?,
                None => collector.line(&line)?,
            }
        }
        if let Some(xml) = xml {
            xml.finish(&mut collector);
        }
        if let Some(line) = collector.unknown_prefix() {
            return Err(LogError::UnknownPrefix { line });
        }
        let summary = lines.finish();
        Ok(collector.finish(path, &summary))
    }
}

/// Refuses what is not text.
fn refuse(start: &[u8]) -> Result<(), LogError> {
    match start {
        [0x1f, 0x8b, ..] => Err(LogError::Packed("gzip")),
        [b'P', b'K', 3, 4, ..] => Err(LogError::Packed("zip")),
        [0x28, 0xb5, 0x2f, 0xfd, ..] => Err(LogError::Packed("zstd")),
        [b'B', b'Z', b'h', b'1'..=b'9', ..] => Err(LogError::Packed("bzip2")),
        [0xfd, b'7', b'z', b'X', b'Z', ..] => Err(LogError::Packed("xz")),
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => Err(LogError::Utf16),
        // Without a byte order mark.
        [a, 0, b, 0, ..] | [0, a, 0, b, ..] if *a > 0 && *b > 0 => Err(LogError::Utf16),
        _ => Ok(()),
    }
}
