//! Callbacks for output that tests write between the lines of `go test`.

use std::fmt::Debug;

use crate::Mark;

/// Reads the output of tests and other programs, and selects the parts to keep. The implementation
/// for `()` keeps no output.
pub trait Output: Clone + Debug {
    /// An item in the output that belongs to one run.
    type Found;
    /// Collection of all items in one run.
    type Said: Clone + Debug + Default;
    /// Parsed reason for a test result.
    type Reason: Clone + Debug;

    /// Reads a line of output. If the line explains a result, returns the short name of the test
    /// and the reason.
    fn line<'t>(&mut self, line: Text<'t>) -> Option<(&'t str, Self::Reason)>;

    /// Called when a line of `go test` interrupts the output of a stream.
    fn interrupt(&mut self, stream: Stream);

    /// Called at the end of the log. Returns the items with their streams and lines, sorted by
    /// line.
    fn finish(&mut self) -> Vec<(Stream, u32, Self::Found)>;

    /// True for items that the suite writes before the first test of a run.
    fn is_before_tests(found: &Self::Found) -> bool;

    /// Adds an item to the items of its run.
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

/// A complete line of test output.
#[derive(Clone, Copy)]
pub struct Text<'t> {
    /// Package and test that wrote the line.
    pub stream: Stream,
    /// Text of the line, without additions of CI systems.
    pub text: &'t str,
    /// Line number in the log on which the text ends, from 1.
    pub line: u32,
    /// Number of characters before the text in that line; `None` for encoded output, such as JSON.
    pub taken: Option<u32>,
    /// Unmodified line of the log, as bytes.
    pub raw: &'t [u8],
}

/// A package and one of its tests, by index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stream {
    /// Index of the package; 0 if the log names no package.
    pub package: usize,
    /// Index of the test; `None` for output outside of tests.
    pub test: Option<usize>,
}

/// Maximum length in bytes of a line that can be displayed.
const MAX_SHOWN: usize = 300;

/// Creates the mark of a line. The text is omitted if the line is too long or is not UTF-8.
pub fn mark(line: u32, raw: &[u8]) -> Mark {
    let text = std::str::from_utf8(raw.get(..raw.len().min(MAX_SHOWN + 1)).unwrap_or_default());
    let text = text.ok().filter(|text| text.len() <= MAX_SHOWN);
    Mark {
        line,
        text: text.map(Into::into),
    }
}

/// Removes the position that `t.Log` writes before a message, such as `file.go:12: `.
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
