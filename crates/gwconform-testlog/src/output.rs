//! Callbacks for the output that tests write between the lines of `go test`.

use std::fmt::Debug;

use crate::Mark;

/// Reads the output of tests and other programs, and keeps the parts the caller needs. `()` keeps
/// nothing.
pub trait Output: Clone + Debug {
    /// An item that belongs to a run.
    type Found;
    /// All items of a run.
    type Said: Clone + Debug + Default;
    /// The reason for a test result.
    type Reason: Clone + Debug;

    /// Reads a line. If the line explains a result, returns the short name of the test and the
    /// reason.
    fn line<'t>(&mut self, line: Text<'t>) -> Option<(&'t str, Self::Reason)>;

    /// A line of `go test` interrupts the output of a stream.
    fn interrupt(&mut self, stream: Stream);

    /// Called at the end of the log. Returns the items with stream and line, sorted by line.
    fn finish(&mut self) -> Vec<(Stream, u32, Self::Found)>;

    /// True for items that are written before the first test of their run.
    fn is_before_tests(found: &Self::Found) -> bool;

    /// Adds an item to its run.
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

/// A complete line of output.
#[derive(Clone, Copy)]
pub struct Text<'t> {
    /// The package and test that wrote the line.
    pub stream: Stream,
    /// The text.
    pub text: &'t str,
    /// The line of the log on which the text ends.
    pub line: u32,
    /// Number of characters before the text in that line; `None` for encoded output, such as JSON.
    pub taken: Option<u32>,
    /// The unmodified line of the log.
    pub raw: &'t [u8],
}

/// A package and one of its tests, by index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stream {
    /// The package; 0 if the log names none.
    pub package: usize,
    /// The test; `None` for output outside tests.
    pub test: Option<usize>,
}

/// In characters.
const MAX_SHOWN: usize = 300;

/// A line of a log, with its text if the text can be displayed.
pub fn mark(line: u32, raw: &[u8]) -> Mark {
    let text = std::str::from_utf8(raw.get(..raw.len().min(MAX_SHOWN + 1)).unwrap_or_default());
    let text = text.ok().filter(|text| text.len() <= MAX_SHOWN);
    Mark {
        line,
        text: text.map(Into::into),
    }
}

/// Removes the `file.go:12: ` that `t.Log` puts before a message.
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
