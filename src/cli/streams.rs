//! Standard streams. All output passes a [`Gate`], so that no text of a file or of another program
//! becomes a terminal sequence or a workflow command.

use std::borrow::Cow;
use std::fmt::Display;
use std::io::{self, IsTerminal as _, Read, Write};

use crate::print::{Styling, human};
use crate::rules::configuration::Config;
use crate::text::diagnostic::Diagnostic;
use crate::text::escape::text_line;
use crate::text::{visible, wrap};

/// Type of an output, which determines what [`Gate`] escapes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// Text without color, Markdown, reStructuredText or AsciiDoc.
    Text,
    /// Text with colors for a terminal.
    Styled,
    Json,
    /// HTML, SVG or XML.
    Markup,
    /// Text of this program, or output that promises the exact bytes of a file (SECURITY.md).
    Exact,
}

impl From<Styling> for Content {
    fn from(styling: Styling) -> Self {
        match styling {
            Styling::Plain => Self::Text,
            Styling::Styled => Self::Styled,
        }
    }
}

pub struct Streams<'s> {
    pub stdin: Box<dyn Read + 's>,
    stdout: Gate<'s>,
    stderr: Gate<'s>,
    pub is_terminal: bool,
    /// True if the terminal supports color and variables such as `NO_COLOR` do not disable it.
    pub is_styled: bool,
    /// Terminal width in columns. `None` if standard output is not a terminal.
    width: Option<usize>,
}

impl Streams<'_> {
    /// Streams of the process.
    pub fn standard() -> Self {
        let stdout = io::stdout();
        Self {
            stdin: Box::new(io::stdin().lock()),
            is_terminal: stdout.is_terminal(),
            is_styled: anstream::AutoStream::choice(&stdout) != anstream::ColorChoice::Never,
            width: terminal_size::terminal_size_of(&stdout)
                .map(|(terminal_size::Width(columns), _)| usize::from(columns))
                .filter(|columns| *columns > 0),
            stdout: Gate::new(io::BufWriter::new(stdout.lock())),
            stderr: Gate::new(io::stderr()),
        }
    }

    /// Standard output for text of this type.
    pub fn out(&mut self, content: Content) -> &mut dyn Write {
        self.stdout.of(content)
    }

    /// Standard output for a diff: exact, unless it is a terminal.
    pub fn patch(&mut self) -> &mut dyn Write {
        self.out(match self.is_terminal {
            true => Content::Text,
            false => Content::Exact,
        })
    }

    /// Standard error.
    pub fn err(&mut self, content: Content) -> &mut dyn Write {
        self.stderr.of(content)
    }

    /// Writes one line to standard error. Line breaks in it are escaped.
    pub fn note(&mut self, line: impl Display) -> io::Result<()> {
        writeln!(self.err(Content::Text), "{}", visible(&line.to_string()))
    }

    /// Writes findings to standard error.
    pub fn findings(&mut self, findings: &[Diagnostic], config: &Config) -> io::Result<()> {
        let (width, styling) = (self.width(), self.styling());
        human::write_findings(findings, config, width, styling, self.err(styling.into()))
    }

    pub fn flush(&mut self) -> io::Result<()> {
        self.stdout.flush().and(self.stderr.flush())
    }

    pub fn width(&self) -> usize {
        self.width.unwrap_or(wrap::WIDTH)
    }

    pub fn styling(&self) -> Styling {
        match self.is_styled {
            true => Styling::Styled,
            false => Styling::Plain,
        }
    }
}

/// Writer that escapes whole lines.
struct Gate<'s> {
    to: Box<dyn Write + 's>,
    content: Content,
    /// Start of a line that is not complete.
    line: Vec<u8>,
}

impl<'s> Gate<'s> {
    fn new(to: impl Write + 's) -> Self {
        Self {
            to: Box::new(to),
            content: Content::Text,
            line: Vec::new(),
        }
    }

    fn of(&mut self, content: Content) -> &mut Self {
        self.content = content;
        self
    }

    fn end_line(&mut self) -> io::Result<()> {
        let line = std::mem::take(&mut self.line);
        let text = String::from_utf8_lossy(&line);
        self.to.write_all(escaped(self.content, &text).as_bytes())
    }
}

impl Write for Gate<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.content == Content::Exact {
            return self.to.write(bytes);
        }
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            let line = part.strip_suffix(b"\n");
            self.line.extend_from_slice(line.unwrap_or(part));
            if line.is_some() {
                self.end_line()?;
                self.to.write_all(b"\n")?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.end_line()?;
        self.to.flush()
    }
}

fn escaped(content: Content, line: &str) -> Cow<'_, str> {
    match content {
        Content::Text => text_line(line),
        Content::Styled => styled_line(line).into(),
        // Other `::` cannot start a line of JSON, and `##[` occurs only in strings.
        Content::Json => line.replace("##[", "##\\u005b").into(),
        Content::Markup => {
            let line = line.replace("##[", "##&#91;");
            let text = line.trim_start();
            match text.strip_prefix("::") {
                Some(rest) => format!("{}&#58;:{rest}", &line[..line.len() - text.len()]).into(),
                None => line.into(),
            }
        }
        Content::Exact => line.into(),
    }
}

fn styled_line(line: &str) -> String {
    let mut parts = line.split("\x1b[");
    let mut styled = text_line(parts.next().unwrap_or_default()).into_owned();
    for part in parts {
        let text = part.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';');
        if let Some(text) = text.strip_prefix('m') {
            styled.push_str("\x1b[");
            styled.push_str(&part[..part.len() - text.len()]);
            styled.push_str(&text_line(text));
        } else {
            styled.push_str(&text_line(&format!("\x1b[{part}")));
        }
    }
    styled
}
