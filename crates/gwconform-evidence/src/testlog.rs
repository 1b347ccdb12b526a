//! Parses the output of `go test` as a stream. The result contains the tests, their results, and
//! the line of each result.
//!
//! ```
//! use std::collections::BTreeSet;
//! use gwconform_evidence::testlog::{Log, Outcome};
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
//! # Ok::<(), gwconform_evidence::testlog::LogError>(())
//! ```
//!
//! Supported formats are text of `go test -v`, and events of `go test -json`, which can be mixed with
//! other lines. The Go packages `testing` and `cmd/internal/test2json` define them. All lines can have
//! the timestamps of GitHub, or the prefix of `gh run view --log` or `kubectl logs --prefix`.
//!
//! The output of the tests is passed to an [`Output`], which selects the parts to keep.
//!
//! Logs can be hostile and of any size. Lines are truncated after [`MAX_LINE`] bytes, and the
//! numbers of distinct tests and of packages ([`MAX_TESTS`]) bound memory.

mod collector;
mod event;
mod frame;
mod log_lines;
mod output;
mod prefix;
mod runs;
mod signs;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read};

pub use output::{Output, Stream, Text, mark, without_position};

/// Maximum number of bytes read per line.
pub const MAX_LINE: usize = 64 * 1024;

/// Maximum number of distinct tests in a log, and of packages with their own results.
pub const MAX_TESTS: usize = 100_000;

/// Contents of a log that was read to its end.
#[derive(Debug, Clone)]
pub struct Log<O: Output = ()> {
    /// SHA-256 digest of the log as it was read.
    pub digest: [u8; 32],
    /// Number of lines in the log.
    pub lines: u32,
    /// Lines truncated after [`MAX_LINE`] bytes.
    pub cut_lines: u32,
    /// Runs of the wanted tests, in log order.
    pub runs: Vec<Run<O>>,
    /// Test output that the [`Output`] keeps, and that belongs to no run.
    pub rest: Vec<O::Found>,
    /// Short name of a test of another suite, if none of the wanted tests ran.
    pub other_test: Option<Box<str>>,
    /// Package of the tests, if the log names one.
    pub package: Option<Box<str>>,
    /// Line that reports success without any test name, because `-v` was missing.
    pub passed_without_names: Option<u32>,
}

/// A run of the wanted tests. A run extends from the start of the root test to the next such start.
#[derive(Debug, Clone)]
pub struct Run<O: Output = ()> {
    /// Root test, whose subtests are the wanted tests.
    pub root: String,
    /// First line of the run. If the log does not contain the start of the root test, the first
    /// line about its subtests.
    pub begin: u32,
    /// Last line that can belong to the run.
    pub last_line: u32,
    /// Result of the root test, if in the log.
    pub outcome: Option<(Outcome, Mark)>,
    /// Failure of the whole run, and its line.
    pub failure: Option<(Failure, Mark)>,
    /// `go test` continued or ended after the root test, so no output is missing.
    pub is_complete: bool,
    /// Wanted tests by short name.
    pub tests: BTreeMap<String, TestRun<O::Reason>>,
    /// Test output that the [`Output`] keeps for this run.
    pub said: O::Said,
    /// First and last timestamps around the run as logged; empty if missing.
    pub times: (Box<str>, Box<str>),
}

impl<O: Output> Run<O> {
    /// True if the run failed as a whole before any subtest of the root test ran.
    pub fn failed_in_setup(&self) -> bool {
        self.tests.is_empty() && self.failure.is_some()
    }

    /// Whether `go test` ran with `-v`.
    pub(crate) fn names_passed_tests(&self) -> bool {
        self.tests.values().any(|test| {
            let outcome = test.outcome.as_ref().map(|(outcome, _)| *outcome);
            test.begun.is_some() || outcome.is_some_and(|outcome| outcome != Outcome::Failed)
        })
    }
}

/// Result of a test, from best to worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// `--- PASS` in the log.
    Passed,
    /// `--- SKIP` in the log.
    Skipped,
    /// `--- FAIL` in the log. If a test has several results, the worst counts.
    Failed,
}

/// Failures that do not depend on test results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// The test binary panicked.
    Panic,
    /// `go test -race` found a data race.
    Race,
    /// The root test was skipped.
    RootSkipped,
    /// The root test failed before any of its subtests ran.
    Setup,
    /// The root test failed, but none of its subtests failed.
    Root,
    /// The test binary or a parent of the root test failed, but no other test of the package.
    Package,
}

/// A wanted test in one run.
#[derive(Debug, Clone)]
pub struct TestRun<R> {
    /// Line on which the test starts.
    pub begun: Option<Mark>,
    /// Result, and the line that reports it.
    pub outcome: Option<(Outcome, Mark)>,
    /// Reason and its line, as parsed by the [`Output`].
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

/// A position in a log, with the text of the line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mark {
    /// Line number, from 1.
    pub line: u32,
    /// `None` if too long or not UTF-8.
    pub text: Option<Box<str>>,
}

/// Why a log cannot be read, as a clause after "not read:".
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// The stream returned an I/O error.
    #[error("{}", .0.kind())]
    System(#[from] io::Error),
    /// The log is compressed, in the named format.
    #[error("it is compressed ({0}); unpack it first")]
    Packed(&'static str),
    /// Default encoding of Windows PowerShell.
    #[error("it is UTF-16; save it as UTF-8 first")]
    Utf16,
    /// The log has more than [`MAX_TESTS`] tests.
    #[error("more than {MAX_TESTS} tests by line {line}")]
    TooManyTests {
        /// Line of the first test beyond the limit.
        line: u32,
    },
    /// The log has another format, or lines of `go test` do not have the same known prefix.
    #[error(
        "line {line}: expected the output of `go test -v` or `go test -json`, with no prefix, or with the same kind \
         of prefix on all of its lines: timestamps, or the prefix of `gh run view --log` or `kubectl logs --prefix`; save \
         logs of GitHub with `gh run view --log`, or pipe the output of a test binary through `go tool test2json`"
    )]
    Form {
        /// First line with another prefix, from 1.
        line: u32,
    },
}

impl<O: Output> Log<O> {
    /// Reads a log to its end. `known` contains the short names of the wanted tests. A parent of
    /// such tests can be the root of a run. `output` receives the output of tests.
    ///
    /// # Errors
    /// If the stream fails, or if the format is not supported.
    pub fn read(stream: impl Read, known: &BTreeSet<&str>, output: O) -> Result<Self, LogError> {
        let mut lines = log_lines::Lines::new(stream);
        let mut collector = collector::Collector::new(known, output);
        while let Some(line) = lines.next_line()? {
            if line.number == 1 {
                refuse(line.bytes)?;
            }
            collector.line(&line)?;
        }
        if let Some(line) = collector.unknown_prefix() {
            return Err(LogError::Form { line });
        }
        let summary = lines.finish();
        let (passed_without_names, package) =
            (collector.passed_without_names(), collector.named_package());
        let other_test = collector.other_test();
        let (runs, rest) = runs::runs(collector, summary.lines);
        Ok(Self {
            digest: summary.digest,
            lines: summary.lines,
            cut_lines: summary.cut,
            passed_without_names,
            runs,
            rest,
            other_test,
            package,
        })
    }
}

fn refuse(start: &[u8]) -> Result<(), LogError> {
    match start {
        [0x1f, 0x8b, ..] => Err(LogError::Packed("gzip")),
        [b'P', b'K', 3, 4, ..] => Err(LogError::Packed("zip")),
        [0x28, 0xb5, 0x2f, 0xfd, ..] => Err(LogError::Packed("zstd")),
        [b'B', b'Z', b'h', b'1'..=b'9', ..] => Err(LogError::Packed("bzip2")),
        [0xfd, b'7', b'z', b'X', b'Z', ..] => Err(LogError::Packed("xz")),
        // JUnit XML.
        [b'<', ..] => Err(LogError::Form { line: 1 }),
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => Err(LogError::Utf16),
        // UTF-16 without a byte order mark.
        [a, 0, b, 0, ..] | [0, a, 0, b, ..] if *a > 0 && *b > 0 => Err(LogError::Utf16),
        _ => Ok(()),
    }
}
