//! Reads the output of `go test` as a stream: the tests that ran, their results, and the lines
//! that contain them.
//!
//! ```
//! use std::collections::BTreeSet;
//! use gwconform_testlog::{Log, Outcome};
//!
//! let text = "\
//! 2026-03-20T10:15:30Z === RUN   TestAll
//! 2026-03-20T10:15:30Z === RUN   TestAll/Weight
//! 2026-03-20T10:15:31Z --- PASS: TestAll (1.00s)
//! 2026-03-20T10:15:31Z     --- PASS: TestAll/Weight (1.00s)
//! 2026-03-20T10:15:31Z PASS
//! ";
//! let log: Log = Log::read(text.as_bytes(), &BTreeSet::from(["Weight"]), ())?;
//! let (outcome, mark) = log.runs[0].tests["Weight"].outcome.clone().expect("a result");
//! assert_eq!((outcome, mark.line), (Outcome::Passed, 4));
//! # Ok::<(), gwconform_testlog::LogError>(())
//! ```
//!
//! Supported formats: text of `go test -v`, events of `go test -json` (other lines between them
//! are allowed), and JUnit XML. Additions of CI systems (timestamps, job and step names, colors,
//! groups, byte order marks, CRLF) are removed first. The formats are defined by the Go packages
//! `testing` and `cmd/internal/test2json`.
//!
//! Output of the tests themselves is passed to an [`Output`], which keeps the parts it needs.
//!
//! Logs may be hostile and of any size. Lines are truncated after [`MAX_LINE`] bytes, and memory
//! is bounded by the number of distinct tests ([`MAX_TESTS`]).

mod block;
mod clean;
mod collect;
mod event;
mod frame;
mod junit;
mod lines;
mod output;
mod prefix;
mod runs;
mod signs;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read};

pub use output::{Output, Stream, Text, mark, without_position};

/// Longest part of a line that is read, in bytes.
pub const MAX_LINE: usize = 64 * 1024;

/// Limit for the tests in a log.
pub const MAX_TESTS: usize = 100_000;

/// A log that was read completely.
#[derive(Debug, Clone)]
pub struct Log<O: Output = ()> {
    /// SHA-256 digest of the log.
    pub digest: [u8; 32],
    /// Number of lines.
    pub lines: u32,
    /// Number of lines longer than [`MAX_LINE`], which were truncated.
    pub cut_lines: u32,
    /// The runs in log order.
    pub runs: Vec<Run<O>>,
    /// The line on which `go test` reports success, if no test is named: it ran without `-v`.
    pub passed_without_names: Option<u32>,
}

/// One run of the wanted tests, from the start of their root test to its next start.
#[derive(Debug, Clone)]
pub struct Run<O: Output = ()> {
    /// The test whose subtests are the wanted tests.
    pub root: String,
    /// The first line of the run. If the log does not contain the start of the root, the first
    /// line of its tests.
    pub begin: u32,
    /// The last line that can belong to the run.
    pub last_line: u32,
    /// The result of the root.
    pub outcome: Option<(Outcome, Mark)>,
    /// The failure of the run as a whole, and the line that shows it.
    pub failure: Option<(Failure, Mark)>,
    /// True if `go test` continued or ended after the root, so that nothing is missing.
    pub is_complete: bool,
    /// Tests by short name.
    pub tests: BTreeMap<String, TestRun<O::Reason>>,
    /// Test output kept by the [`Output`].
    pub said: O::Said,
    /// The first and last timestamps around the run as written in the log; empty if there are
    /// none.
    pub times: (Box<str>, Box<str>),
}

impl<O: Output> Run<O> {
    /// True if passed tests are named, which means `go test` ran with `-v`.
    pub fn names_passed_tests(&self) -> bool {
        self.tests.values().any(|test| {
            let outcome = test.outcome.as_ref().map(|(outcome, _)| *outcome);
            test.begun.is_some() || outcome.is_some_and(|outcome| outcome != Outcome::Failed)
        })
    }
}

/// The result of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// `--- PASS`
    Passed,
    /// `--- SKIP`
    Skipped,
    /// `--- FAIL`. The worst of several results counts.
    Failed,
}

/// How a run can fail as a whole, regardless of its test results.
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

/// A test in one run.
#[derive(Debug, Clone)]
pub struct TestRun<R> {
    /// The line where it starts.
    pub begun: Option<Mark>,
    /// The result and its line.
    pub outcome: Option<(Outcome, Mark)>,
    /// The reason for the result as parsed by the [`Output`], and its line.
    pub reason: Option<(R, Mark)>,
}

impl<R> Default for TestRun<R> {
    fn default() -> Self {
        Self {
            begun: None,
            outcome: None,
            reason: None,
        }
    }
}

/// A line of a log.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mark {
    /// 1-based.
    pub line: u32,
    /// The text; `None` if it is too long to display.
    pub text: Option<Box<str>>,
}

/// Why a log cannot be read, as a clause that follows "not read:".
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// Reading failed.
    #[error("{}", .0.kind())]
    System(#[from] io::Error),
    /// The log is an archive.
    #[error("it is compressed ({0}); unpack it first")]
    Packed(&'static str),
    /// The log is UTF-16, the default of Windows PowerShell.
    #[error("it is UTF-16; save it as UTF-8 first")]
    Utf16,
    /// The log has more tests than any suite.
    #[error("more than {MAX_TESTS} tests by line {line}")]
    TooManyTests {
        /// The line of the first test beyond the limit.
        line: u32,
    },
    /// All test starts follow a prefix that varies between lines and is not recognized.
    #[error(
        "line {line}: a test starts after a prefix that varies between lines; save the log without prefixes"
    )]
    UnknownPrefix {
        /// The line of the first test start.
        line: u32,
    },
    /// The XML is not well-formed, or has a DTD, which is never read.
    #[error("line {line}: {reason}")]
    Xml {
        /// Line of the error.
        line: u32,
        /// Description of the error.
        reason: &'static str,
    },
}

impl<O: Output> Log<O> {
    /// Reads a log to its end. `known` contains the short names of the wanted tests; a test with
    /// such a subtest can be the root of a run. `output` reads test output.
    ///
    /// # Errors
    /// If reading fails, or the format is not supported.
    pub fn read(stream: impl Read, known: &BTreeSet<&str>, output: O) -> Result<Self, LogError> {
        let mut lines = lines::Lines::new(stream);
        let mut collector = collect::Collector::new(known, output);
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
        Ok(collector.finish(&summary))
    }
}

fn refuse(start: &[u8]) -> Result<(), LogError> {
    match start {
        [0x1f, 0x8b, ..] => Err(LogError::Packed("gzip")),
        [b'P', b'K', 3, 4, ..] => Err(LogError::Packed("zip")),
        [0x28, 0xb5, 0x2f, 0xfd, ..] => Err(LogError::Packed("zstd")),
        [b'B', b'Z', b'h', b'1'..=b'9', ..] => Err(LogError::Packed("bzip2")),
        [0xfd, b'7', b'z', b'X', b'Z', ..] => Err(LogError::Packed("xz")),
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => Err(LogError::Utf16),
        // UTF-16 without a byte order mark.
        [a, 0, b, 0, ..] | [0, a, 0, b, ..] if *a > 0 && *b > 0 => Err(LogError::Utf16),
        _ => Ok(()),
    }
}
