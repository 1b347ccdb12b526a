use std::fmt::Debug;

use crate::testlog::Mark;

/// Selects the parts of the output to keep. The implementation for `()` keeps nothing.
pub trait Output: Clone + Debug {
    /// Item that belongs to one run.
    type Found: Clone + Debug;
    /// Collection of all items in one run.
    type Said: Clone + Debug + Default;
    /// Parsed reason for a test result.
    type Reason: Clone + Debug;

    /// Short name of a test and the reason for its result, if the line contains one.
    fn line<'t>(&mut self, line: Text<'t>) -> Option<(&'t str, Self::Reason)>;

    /// A line of `go test` interrupts the stream.
    fn interrupt(&mut self, stream: Stream);

    /// Called at the end of the log. Returns the items with their streams and lines, sorted by
    /// line.
    fn finish(&mut self) -> Vec<(Stream, u32, Self::Found)>;

    /// Whether the suite writes the item before the first test of a run.
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
    /// Line in the log on which the text ends, from 1.
    pub line: u32,
    /// Characters before the text in that line; `None` for encoded output, such as JSON.
    pub taken: Option<u32>,
    /// Unmodified line of the log, as bytes.
    pub raw: &'t [u8],
}

/// A package and one of its tests, by index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stream {
    /// 0 if the log names no package.
    pub package: usize,
    /// `None` for output outside of tests.
    pub test: Option<usize>,
}

const MAX_SHOWN: usize = 300;

/// The text is omitted if too long or not UTF-8.
pub fn mark(line: u32, raw: &[u8]) -> Mark {
    let text = std::str::from_utf8(raw.get(..raw.len().min(MAX_SHOWN + 1)).unwrap_or_default());
    let text = text.ok().filter(|text| text.len() <= MAX_SHOWN);
    Mark {
        line,
        text: text.map(Into::into),
    }
}

/// `t.Log` writes a position before a message, such as `file.go:12: `.
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
