//! Standard streams. All output passes a [`Gate`], so that no text of a file or of another program
//! becomes a terminal sequence or a workflow command.

use std::borrow::Cow;
use std::fmt::Display;
use std::io::{self, IsTerminal as _, Read, Write};

use clap::ColorChoice;

use super::global::GlobalArguments;
use crate::print::{Styling, human};
use crate::workspace::Used;
use gwconform_base::text::diagnostic::{Diagnostic, Severity};
use gwconform_base::text::escape::text_line;
use gwconform_base::text::{visible, wrap};
use gwconform_report::rules::configuration::Config;

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
    pub global: GlobalArguments,
    /// Files that the command uses, if it has opened a workspace. Of several workspaces, those of the
    /// reports tree.
    pub used: Option<Used>,
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
            global: GlobalArguments::default(),
            used: None,
        }
    }

    pub fn set(&mut self, global: GlobalArguments) {
        match global.color {
            ColorChoice::Auto => {}
            choice => self.is_styled = choice == ColorChoice::Always,
        }
        self.global = global;
    }

    /// Standard output for text of this type.
    pub fn out(&mut self, content: Content) -> &mut dyn Write {
        self.stdout.of(content)
    }

    /// Standard output for a diff: exact, unless it is a terminal.
    pub fn patch(&mut self) -> &mut dyn Write {
        self.out(if self.is_terminal {
            Content::Text
        } else {
            Content::Exact
        })
    }

    /// Standard error.
    pub fn err(&mut self, content: Content) -> &mut dyn Write {
        self.stderr.of(content)
    }

    /// Writes one line to standard error, unless `--quiet` is given. Line breaks in it are escaped.
    pub fn note(&mut self, line: impl Display) -> io::Result<()> {
        if self.global.quiet {
            return Ok(());
        }
        self.error(line)
    }

    /// Writes one line about an error, or about a part that was left out, to standard error.
    pub fn error(&mut self, line: impl Display) -> io::Result<()> {
        writeln!(self.err(Content::Text), "{}", visible(&line.to_string()))
    }

    /// Writes findings to standard error, with `--quiet` only errors.
    pub fn findings(&mut self, findings: &[Diagnostic], config: &Config) -> io::Result<()> {
        let (width, styling, quiet) = (self.width(), self.styling(), self.global.quiet);
        let findings = findings.iter();
        let findings = findings.filter(|one| !quiet || one.severity == Severity::Error);
        human::write_findings(findings, config, width, styling, self.err(styling.into()))
    }

    pub fn flush(&mut self) -> io::Result<()> {
        self.stdout.flush().and(self.stderr.flush())
    }

    pub fn width(&self) -> usize {
        self.width.unwrap_or(wrap::WIDTH)
    }

    pub fn styling(&self) -> Styling {
        if self.is_styled {
            Styling::Styled
        } else {
            Styling::Plain
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
        if self.content != content {
            // The next write returns the same error.
            let _ = self.end_line();
            self.content = content;
        }
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
        // No line of JSON starts with `::`, and `##[` occurs only in strings.
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

/// Escapes a line, except the colors and links that this program writes.
fn styled_line(line: &str) -> String {
    let mut parts = line.split('\x1b');
    let mut styled = text_line(parts.next().unwrap_or_default()).into_owned();
    for part in parts {
        let kept = sequence(part).unwrap_or_default();
        if kept.is_empty() {
            styled.push_str(&visible("\x1b"));
        } else {
            styled.push('\x1b');
            styled.push_str(kept);
        }
        styled.push_str(&text_line(&part[kept.len()..]));
    }
    styled
}

/// The rest of a terminal sequence after its escape character: a color, the start of a link, or
/// the end of the address of a link.
fn sequence(part: &str) -> Option<&str> {
    if let Some(parameters) = part.strip_prefix('[') {
        let end = parameters.find(|c: char| !c.is_ascii_digit() && c != ';')?;
        let is_color = parameters[end..].starts_with('m');
        return is_color.then(|| &part[..end + 2]);
    }
    let is_link = part.starts_with("]8;;") && part.bytes().all(|byte| byte.is_ascii_graphic());
    match part.strip_prefix('\\') {
        Some(_) => Some("\\"),
        None => is_link.then_some(part),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use proptest::prelude::*;

    use super::{Content, Gate};

    fn passed(content: Content, parts: &[&str]) -> String {
        let mut written = Vec::new();
        let mut gate = Gate::new(&mut written);
        for part in parts {
            gate.of(content).write_all(part.as_bytes()).unwrap();
        }
        gate.flush().unwrap();
        drop(gate);
        String::from_utf8(written).unwrap()
    }

    fn acts(text: &str) -> bool {
        let mut lines = text.split(['\n', '\r']);
        lines.any(|line| line.trim_start().starts_with("::")) || text.contains("##[")
    }

    const HOSTILE: &str = "[ \n\r\t\u{b}\u{1b}\u{3000}a:#\\[\\]\\\\8m;0\u{202e}]{0,16}";

    #[test]
    fn keeps_the_content_at_the_start_of_a_line() {
        let mut written = Vec::new();
        let mut gate = Gate::new(&mut written);
        gate.of(Content::Text).write_all(b"::error::a").unwrap();
        gate.of(Content::Exact).write_all(b"::b\xff\n").unwrap();
        drop(gate);
        assert_eq!(written, b"\\::error::a::b\xff\n");
    }

    #[test]
    fn colors_and_links_pass() {
        let own = "\u{1b}[1m\u{1b}[33mwarning[\u{1b}]8;;https://acme.example/a\u{1b}\\report/date\u{1b}]8;;\u{1b}\\]\u{1b}[0m: x";
        assert_eq!(passed(Content::Styled, &[own]), own);
        let title = "\u{1b}]0;evil\u{7}\u{1b}[2J";
        assert_eq!(
            passed(Content::Styled, &[title]),
            "\\u{1b}]0;evil\\u{7}\\u{1b}[2J"
        );
    }

    proptest! {
        #[test]
        fn commands_and_terminal_sequences_are_escaped(text in HOSTILE, cut in 0..16usize) {
            let colors = regex::Regex::new("\u{1b}(\\[[0-9;]*m|\\\\|\\]8;;[!-~]*)").unwrap();
            let cut = text.char_indices().map(|(at, _)| at).nth(cut).unwrap_or(0);
            let parts = [&text[..cut], &text[cut..]];
            for content in [Content::Text, Content::Styled] {
                let whole = passed(content, &[&text]);
                prop_assert_eq!(&passed(content, &parts), &whole);
                prop_assert!(!acts(&whole), "{:?}", whole);
                let unseen = |c: char| c.is_control() && c != '\n' || c == '\u{202e}';
                let plain = match content {
                    Content::Styled => colors.replace_all(&whole, ""),
                    _ => whole.as_str().into(),
                };
                prop_assert!(!plain.contains(unseen), "{:?}", whole);
            }
            prop_assert_eq!(passed(Content::Exact, &parts), text);
        }

        #[test]
        fn data_stays_the_same(text in HOSTILE) {
            let json = serde_json::to_string_pretty(&[&text]).unwrap();
            let printed = passed(Content::Json, &[&json]);
            prop_assert!(!acts(&printed), "{:?}", printed);
            let read: [String; 1] = serde_json::from_str(&printed).unwrap();
            prop_assert_eq!(&read[0], &text);
            let text = text.replace(['\r', '\u{b}', '\u{1b}'], "");
            let printed = passed(Content::Markup, &[&format!("<a>{text}</a>")]);
            prop_assert!(!acts(&printed), "{:?}", printed);
            let document = roxmltree::Document::parse(&printed).unwrap();
            let read = document.root_element().text();
            prop_assert_eq!(read.unwrap_or_default(), &text);
        }
    }
}
