//! Reads the output of `go test` as a stream: which tests ran, how each ended, and where that is
//! written.
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
//! Forms: the text of `go test -v`, the events of `go test -json` (also with other lines between
//! them), JUnit XML. What CI puts before lines (times, job and step, colors, groups, a byte order
//! mark, CRLF) is taken away first. (`go test`: packages `testing` and `cmd/internal/test2json`.)
//!
//! What the tests themselves write is given to an [`Output`], which keeps what it needs of it.
//!
//! A log is hostile text of any size. Lines are cut after [`MAX_LINE`] bytes, and what is kept is
//! bounded by the number of distinct tests ([`MAX_TESTS`]).

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

/// The longest part of a line that is read, in bytes.
pub const MAX_LINE: usize = 64 * 1024;

/// Most tests of a log.
pub const MAX_TESTS: usize = 100_000;

/// A log, read to its end.
#[derive(Debug, Clone)]
pub struct Log<O: Output = ()> {
    /// SHA-256 of its bytes.
    pub digest: [u8; 32],
    /// How many lines it has.
    pub lines: u32,
    /// How many of them are longer than [`MAX_LINE`]: the rest of these was not read.
    pub cut_lines: u32,
    /// The runs in it, in their order.
    pub runs: Vec<Run<O>>,
    /// The line on which `go test` says that all passed, where no test is named: it ran without `-v`.
    pub passed_without_names: Option<u32>,
}

/// One run of the tests that are looked for: from where the test around them begins to where it begins
/// again.
#[derive(Debug, Clone)]
pub struct Run<O: Output = ()> {
    /// The root: the test whose children are the tests that are looked for.
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
    pub tests: BTreeMap<String, TestRun<O::Reason>>,
    /// What the tests have written, as far as the [`Output`] keeps it.
    pub said: O::Said,
    /// The first and the last time that are written around it, as they are written; empty where there
    /// is none.
    pub times: (Box<str>, Box<str>),
}

impl<O: Output> Run<O> {
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

/// What a log has of a test.
#[derive(Debug, Clone)]
pub struct TestRun<R> {
    /// Where it begins.
    pub begun: Option<Mark>,
    /// How it ended, and where that is written.
    pub outcome: Option<(Outcome, Mark)>,
    /// Why it ended like this, as the [`Output`] reads it, and where that is written.
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
    /// Its number, from 1.
    pub line: u32,
    /// Its text, where that is short enough to be shown.
    pub text: Option<Box<str>>,
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
    #[error("more than {MAX_TESTS} tests by line {line}")]
    TooManyTests {
        /// Where the first one too many is.
        line: u32,
    },
    /// Tests begin only behind other text, which differs from line to line: nothing can be told from it.
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

impl<O: Output> Log<O> {
    /// Reads a log to its end. `known` are the short names of the tests that are looked for: a test with
    /// such a child can be the root of a run. `output` reads what the tests write.
    ///
    /// # Errors
    /// When the system refuses, or the stream is none that is read.
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
