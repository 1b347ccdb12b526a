//! Wraps terminal output at spaces.

use std::io::{self, Write};

use unicode_width::UnicodeWidthStr;

use crate::text::source::is_plain;

/// Default line width in columns.
pub const WIDTH: usize = 100;

/// In columns; narrower lines have no room for words.
const LEAST_WIDTH: usize = 40;

const DEEPER: usize = 2;

/// Breaks a line at spaces outside of `code`, and indents continuation lines. A longer word, such
/// as a path, gets its own line.
pub fn wrap(line: &str, width: usize) -> Vec<String> {
    let width = width.max(LEAST_WIDTH);
    let is_plain = is_plain(line);
    let columns = |part: &str| if is_plain { part.len() } else { part.width() };
    if columns(line) <= width {
        return vec![line.to_owned()];
    }
    let text = line.trim_start_matches(' ');
    let first = line.len() - text.len();
    let mut lines = Vec::new();
    let mut indent = first;
    let (mut start, mut end) = (0, 0);
    for word_end in ends_of_words(text) {
        let is_first_word = end == start;
        let grown = text.get(start..word_end).unwrap_or_default();
        if !is_first_word && indent + columns(grown) > width {
            let whole = text.get(start..end).unwrap_or_default();
            lines.push(format!("{:indent$}{whole}", ""));
            indent = first + DEEPER;
            let rest = text.get(end..).unwrap_or_default();
            start = end + (rest.len() - rest.trim_start_matches(' ').len());
        }
        end = word_end;
    }
    let whole = text.get(start..).unwrap_or_default();
    lines.push(format!("{:indent$}{}", "", whole.trim_end_matches(' ')));
    lines
}

/// Code spans are not split, and numbers stay with the next word.
fn ends_of_words(text: &str) -> Vec<usize> {
    let mut ends = Vec::new();
    let mut is_code = false;
    let marks = text.matches('`').count();
    let mut seen = 0;
    let mut before = ' ';
    let mut is_number = false;
    for (at, c) in text.char_indices() {
        let counts = is_number;
        is_number = c.is_ascii_digit() && (is_number || before == ' ');
        match c {
            // An unpaired backtick does not start a code span.
            '`' if is_code || seen + 1 < marks => is_code = !is_code,
            ' ' if !is_code
                && before != ' '
                && !counts
                && !is_command(text.get(at..).unwrap_or_default()) =>
            {
                ends.push(at)
            }
            _ => {}
        }
        seen += usize::from(c == '`');
        before = c;
    }
    if before != ' ' {
        ends.push(text.len());
    }
    ends
}

/// Whether GitHub Actions could read a line as a command, because it ignores spaces before `::`.
fn is_command(rest: &str) -> bool {
    rest.trim_start_matches(' ').starts_with("::")
}

/// A writer that wraps each line with [`wrap`].
pub struct Wrapped<'w> {
    out: &'w mut dyn Write,
    width: usize,
    line: Vec<u8>,
}

impl<'w> Wrapped<'w> {
    /// Wraps lines at `width` columns and writes them to `out`.
    pub fn new(out: &'w mut dyn Write, width: usize) -> Self {
        Self {
            out,
            width,
            line: Vec::new(),
        }
    }

    fn write_line(&mut self) -> io::Result<()> {
        let line = std::mem::take(&mut self.line);
        let line = String::from_utf8_lossy(&line);
        for line in wrap(&line, self.width) {
            writeln!(self.out, "{line}")?;
        }
        Ok(())
    }
}

impl Write for Wrapped<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            match part.strip_suffix(b"\n") {
                Some(end) => {
                    self.line.extend_from_slice(end);
                    self.write_line()?;
                }
                None => self.line.extend_from_slice(part),
            }
        }
        Ok(bytes.len())
    }

    /// The next write may continue an incomplete line.
    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::{Wrapped, wrap};

    #[test]
    fn lines_are_broken_at_spaces_and_indented() {
        let line = "  one two three four five six seven eight nine ten";
        assert_eq!(
            wrap(line, 40),
            ["  one two three four five six seven", "    eight nine ten"]
        );
        assert_eq!(wrap("short", 40), ["short"]);
        assert_eq!(wrap("", 40), [""]);
        assert_eq!(wrap(line, 3), wrap(line, 40));
    }

    #[test]
    fn code_and_paths_stay_whole() {
        let path =
            "conformance/reports/v1.5/acme-operator/standard-v1.0.0-default-report.yaml:16:13";
        assert_eq!(
            wrap(&format!("  --> {path} and more"), 40),
            ["  -->", &format!("    {path}"), "    and more"]
        );
        assert_eq!(
            wrap(
                "expected what is written as `| standard | v1.0.0 |`, not this",
                40
            ),
            [
                "expected what is written as",
                "  `| standard | v1.0.0 |`, not this"
            ]
        );
        assert_eq!(
            wrap("a line that ends before its number: 12 tests", 40),
            ["a line that ends before its number:", "  12 tests"]
        );
        assert_eq!(
            wrap("it's ` a mark that is alone in this line of text", 40),
            ["it's ` a mark that is alone in this line", "  of text"]
        );
    }

    #[test]
    fn no_line_becomes_a_workflow_command() {
        let line = "the project is called acme operator  ::stop-commands::x and has two words";
        for width in 40..80 {
            for line in wrap(line, width) {
                assert!(!line.trim_start().starts_with("::"), "{width}: {line}");
            }
        }
    }

    #[test]
    fn counts_columns_instead_of_characters() {
        let wide = "網 ".repeat(20);
        let lines = wrap(&wide, 40);
        assert_eq!(lines[0].chars().filter(|c| *c == '網').count(), 13);
    }

    #[test]
    fn wraps_text_written_in_parts_as_one() {
        let mut out = Vec::new();
        let mut wrapped = Wrapped::new(&mut out, 40);
        for part in [
            "one two three four five six ",
            "seven eight nine\nten",
            "\n\n",
        ] {
            wrapped.write_all(part.as_bytes()).unwrap();
        }
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "one two three four five six seven eight\n  nine\nten\n\n"
        );
    }
}
