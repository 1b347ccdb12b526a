//! What tests write between the lines of `go test`, for those who need something of it.

use std::fmt::Debug;

use crate::Mark;

/// Reads what tests and programs write, and keeps what a caller needs of it.
///
/// `()` keeps nothing.
pub trait Output: Clone + Debug {
    /// Something that belongs to a run.
    type Found;
    /// All that a run has of it.
    type Said: Clone + Debug + Default;
    /// Why a test ended as it did.
    type Reason: Clone + Debug;

    /// Reads a line. What it says about how a test ended is returned, with the short name of the test.
    fn line<'t>(&mut self, line: Text<'t>) -> Option<(&'t str, Self::Reason)>;

    /// A line of `go test` itself stands between the lines of a stream.
    fn interrupt(&mut self, stream: Stream);

    /// What was found, by stream and line, sorted by line. The log has ended.
    fn finish(&mut self) -> Vec<(Stream, u32, Self::Found)>;

    /// True for what is written before the first test of its run.
    fn is_before_tests(found: &Self::Found) -> bool;

    /// Adds something to the run to which it belongs.
    fn add(said: &mut Self::Said, found: Self::Found);
}

impl Output for () {
    type Found = ();
    type Said = ();
    type Reason = ();

    fn line<'t>(&mut self, _: Text<'t>) -> Option<(&'t str, ())> {
        None
    }

    fn interrupt(&mut self, _: Stream) {}

    fn finish(&mut self) -> Vec<(Stream, u32, ())> {
        Vec::new()
    }

    fn is_before_tests((): &()) -> bool {
        false
    }

    fn add((): &mut (), (): ()) {}
}

/// A line that a program or test has written, put together.
#[derive(Clone, Copy)]
pub struct Text<'t> {
    /// What wrote it: the package, and the test or nothing.
    pub stream: Stream,
    /// The text.
    pub text: &'t str,
    /// The line of the log on which it ends.
    pub line: u32,
    /// How many characters of that are before it; `None` in another notation.
    pub taken: Option<u32>,
    /// The line of the log as it is, where that is valid.
    pub raw: &'t [u8],
}

/// A package and one of its tests, by number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stream {
    /// The package; 0 where none is named.
    pub package: usize,
    /// The test; `None` for what is written outside of tests.
    pub test: Option<usize>,
}

/// Longest line of a log that is shown.
const MAX_SHOWN: usize = 300;

/// A line of a log, with its text where that can be shown.
pub fn mark(line: u32, raw: &[u8]) -> Mark {
    let text = std::str::from_utf8(raw.get(..raw.len().min(MAX_SHOWN + 1)).unwrap_or_default());
    let text = text.ok().filter(|text| text.len() <= MAX_SHOWN);
    Mark {
        line,
        text: text.map(Into::into),
    }
}

/// A message without the `file.go:12: ` that `t.Log` puts before it.
pub fn without_position(text: &str) -> &str {
    let Some((file, rest)) = text.split_once(".go:") else {
        return text;
    };
    let message = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_position = !file.contains(char::is_whitespace) && message.len() < rest.len();
    match message.strip_prefix(": ") {
        Some(message) if is_position => message,
        _ => text,
    }
}
