//! Parses JUnit XML (gotestsum, go-junit-report) as a stream, without DTDs and with only the
//! predefined entities and character references.

use super::collect::{Collector, Ended};
use super::lines::Line;
use super::output::{Output, Stream, Text, mark};
use super::signs::Sign;
use super::{Failure, LogError, MAX_LINE, Mark, Outcome};

/// Test name in gotestsum output if a test binary fails outside its tests.
pub(super) const BINARY: &str = "TestMain";

pub(super) fn is_xml(start: &[u8]) -> bool {
    let start = start.trim_ascii_start();
    [b"<?xml".as_slice(), b"<testsuite"]
        .iter()
        .any(|begin| start.starts_with(begin))
}

#[derive(Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Text,
    Tag(Option<u8>),
    Comment,
    Data,
    Instruction,
}

#[derive(Debug, Default)]
pub(super) struct Reader {
    state: State,
    buffer: Vec<u8>,
    open: Vec<Element>,
    package: usize,
    case: Option<Case>,
    is_closed: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Element {
    Suite,
    Case,
    Failure,
    Skipped,
    Other,
}

#[derive(Debug)]
struct Case {
    name: String,
    outcome: Outcome,
    line: u32,
    texts: Vec<String>,
    bytes: usize,
}

/// JUnit files have four levels.
const MAX_DEPTH: usize = 64;

/// Bytes of text that is kept for a test case until its result is known.
const MAX_CASE: usize = 1024 * 1024;

impl Reader {
    pub(super) fn line<O: Output>(
        &mut self,
        line: &Line<'_>,
        collector: &mut Collector<'_, O>,
    ) -> Result<(), LogError> {
        let mut rest = match line.number {
            1 => super::clean::without_mark(line.bytes),
            _ => line.bytes,
        };
        while !rest.is_empty() {
            rest = self.step(rest, line, collector)?;
        }
        match self.state {
            State::Text | State::Data => self.end_of_text(line, collector),
            _ => self.keep(b" "),
        }
        Ok(())
    }

    fn step<'l, O: Output>(
        &mut self,
        rest: &'l [u8],
        line: &Line<'_>,
        collector: &mut Collector<'_, O>,
    ) -> Result<&'l [u8], LogError> {
        let until = |mark: &[u8]| memchr::memmem::find(rest, mark);
        match self.state {
            State::Text => {
                let Some(at) = memchr::memchr(b'<', rest) else {
                    self.keep(rest);
                    return Ok(&[]);
                };
                self.keep(&rest[..at]);
                self.end_of_text(line, collector);
                let after = &rest[at..];
                let (state, skipped) = match after {
                    [b'<', b'!', b'-', b'-', ..] => (State::Comment, 4),
                    _ if after.starts_with(b"<![CDATA[") => (State::Data, 9),
                    [b'<', b'?', ..] => (State::Instruction, 2),
                    [b'<', b'!', ..] => return Err(bad(line, "a DTD is not read")),
                    _ => (State::Tag(None), 1),
                };
                self.state = state;
                Ok(&after[skipped..])
            }
            State::Comment => Ok(self.leave(rest, until(b"-->"), 3)),
            State::Instruction => Ok(self.leave(rest, until(b"?>"), 2)),
            State::Data => {
                let end = until(b"]]>");
                self.keep(&rest[..end.unwrap_or(rest.len())]);
                if end.is_some() {
                    self.end_of_text(line, collector);
                }
                Ok(self.leave(rest, end, 3))
            }
            State::Tag(quote) => {
                let stop = |byte: &u8| match quote {
                    Some(quote) => *byte == quote,
                    None => matches!(byte, b'>' | b'"' | b'\''),
                };
                let Some(at) = rest.iter().position(stop) else {
                    self.keep(rest);
                    return Ok(&[]);
                };
                self.keep(&rest[..at]);
                if rest[at] == b'>' && quote.is_none() {
                    self.state = State::Text;
                    let tag = std::mem::take(&mut self.buffer);
                    self.tag(&String::from_utf8_lossy(&tag), line, collector)?;
                } else {
                    self.keep(&rest[at..=at]);
                    self.state = State::Tag(match quote {
                        Some(_) => None,
                        None => Some(rest[at]),
                    });
                }
                Ok(&rest[at + 1..])
            }
        }
    }

    fn leave<'l>(&mut self, rest: &'l [u8], end: Option<usize>, length: usize) -> &'l [u8] {
        match end {
            Some(at) => {
                self.state = State::Text;
                self.buffer.clear();
                &rest[at + length..]
            }
            None => &[],
        }
    }

    fn keep(&mut self, bytes: &[u8]) {
        let room = MAX_LINE.saturating_sub(self.buffer.len());
        self.buffer
            .extend_from_slice(&bytes[..bytes.len().min(room)]);
    }

    fn end_of_text<O: Output>(&mut self, line: &Line<'_>, collector: &mut Collector<'_, O>) {
        let bytes = std::mem::take(&mut self.buffer);
        let text = String::from_utf8_lossy(&bytes);
        let text = text.strip_suffix('\r').unwrap_or(&text);
        if text.trim().is_empty() {
            return;
        }
        let text = match self.state {
            State::Data => text.to_owned(),
            _ => unescaped(text),
        };
        self.text(&text, line, collector);
    }

    fn text<O: Output>(&mut self, text: &str, line: &Line<'_>, collector: &mut Collector<'_, O>) {
        match &mut self.case {
            Some(case) if text.contains("Skipping ") && case.bytes < MAX_CASE => {
                case.bytes += text.len();
                case.texts.push(text.to_owned());
            }
            _ => collector.content(self.content(text, line)),
        }
    }

    fn content<'t>(&self, text: &'t str, line: &Line<'t>) -> Text<'t> {
        Text {
            stream: Stream {
                package: self.package,
                test: None,
            },
            text,
            line: line.number,
            taken: None,
            raw: line.bytes,
        }
    }

    fn tag<O: Output>(
        &mut self,
        tag: &str,
        line: &Line<'_>,
        collector: &mut Collector<'_, O>,
    ) -> Result<(), LogError> {
        if tag.starts_with('/') {
            return self.close(line, collector);
        }
        let is_empty = tag.ends_with('/');
        let tag = tag.strip_suffix('/').unwrap_or(tag);
        let name = tag.split_ascii_whitespace().next().unwrap_or_default();
        let element = match name {
            "testsuite" => Element::Suite,
            "testcase" => Element::Case,
            // Surefire writes each retry as a separate element.
            "failure" | "error" | "flakyFailure" | "flakyError" | "rerunFailure" | "rerunError" => {
                Element::Failure
            }
            "skipped" => Element::Skipped,
            _ => Element::Other,
        };
        if self.open.len() >= MAX_DEPTH || self.is_closed {
            return Err(bad(line, "expected one JUnit document"));
        }
        self.open.push(element);
        self.open_element(element, tag, line, collector);
        match is_empty {
            true => self.close(line, collector),
            false => Ok(()),
        }
    }

    fn open_element<O: Output>(
        &mut self,
        element: Element,
        tag: &str,
        line: &Line<'_>,
        collector: &mut Collector<'_, O>,
    ) {
        match element {
            Element::Suite => {
                self.package = collector.package(&attribute(tag, "name").unwrap_or_default());
            }
            Element::Case => {
                self.case = attribute(tag, "name").map(|name| Case {
                    name,
                    outcome: stated(tag),
                    line: line.number,
                    texts: Vec::new(),
                    bytes: 0,
                });
            }
            Element::Failure | Element::Skipped => {
                let outcome = match element {
                    Element::Failure => Outcome::Failed,
                    _ => Outcome::Skipped,
                };
                match &mut self.case {
                    Some(case) => case.outcome = case.outcome.max(outcome),
                    None if outcome == Outcome::Failed => self.fault(line, collector),
                    None => {}
                }
                for text in attribute(tag, "message").unwrap_or_default().lines() {
                    self.text(text, line, collector);
                }
            }
            Element::Other => {}
        }
    }

    fn close<O: Output>(
        &mut self,
        line: &Line<'_>,
        collector: &mut Collector<'_, O>,
    ) -> Result<(), LogError> {
        let Some(element) = self.open.pop() else {
            return Err(bad(line, "a closing tag without an opening tag"));
        };
        self.is_closed = self.open.is_empty();
        if element != Element::Case {
            return Ok(());
        }
        let Some(case) = self.case.take() else {
            return Ok(());
        };
        let raw = match case.line == line.number {
            true => mark(case.line, line.bytes),
            false => Mark {
                line: case.line,
                text: None,
            },
        };
        if case.name == BINARY && case.outcome == Outcome::Failed {
            self.fault(line, collector);
        }
        let (name, outcome) = (&case.name, case.outcome);
        collector.result(self.package, name, Ended::Result, outcome, raw)?;
        for text in &case.texts {
            collector.content(self.content(text, line));
        }
        Ok(())
    }

    fn fault<O: Output>(&self, line: &Line<'_>, collector: &mut Collector<'_, O>) {
        let fault = Sign::Fault(Failure::Package);
        collector.sign(self.package, fault, line);
    }

    pub(super) fn finish<O: Output>(self, collector: &mut Collector<'_, O>) {
        collector.is_document_closed = self.is_closed;
    }
}

fn bad(line: &Line<'_>, reason: &'static str) -> LogError {
    LogError::Xml {
        line: line.number,
        reason,
    }
}

fn stated(tag: &str) -> Outcome {
    let words =
        ["status", "result", "outcome"].map(|name| attribute(tag, name).unwrap_or_default());
    let is = |wanted: &[&str]| {
        let is_wanted = |word: &String| wanted.iter().any(|one| word.eq_ignore_ascii_case(one));
        words.iter().any(is_wanted)
    };
    if is(&["failed", "failure", "fail", "error", "errored"]) {
        Outcome::Failed
    } else if is(&["skipped", "skip", "ignored", "disabled"]) {
        Outcome::Skipped
    } else {
        Outcome::Passed
    }
}

fn attribute(tag: &str, name: &str) -> Option<String> {
    let mut rest = tag.split_once(|c: char| c.is_ascii_whitespace())?.1;
    loop {
        let (key, after) = rest.split_once('=')?;
        let after = after.trim_start();
        let quote = after.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let (value, after) = after[1..].split_once(quote)?;
        if key.trim() == name {
            return Some(unescaped(value));
        }
        rest = after;
    }
}

fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        plain.push_str(before);
        let entity = after.split_once(';').filter(|(name, _)| name.len() <= 8);
        let found = entity.and_then(|(name, after)| Some((character(name)?, after)));
        match found {
            Some((c, after)) => {
                plain.push(c);
                rest = after;
            }
            None => {
                plain.push('&');
                rest = after;
            }
        }
    }
    plain.push_str(rest);
    plain
}

fn character(entity: &str) -> Option<char> {
    Some(match entity {
        "lt" => '<',
        "gt" => '>',
        "amp" => '&',
        "quot" => '"',
        "apos" => '\'',
        number => {
            let digits = number.strip_prefix('#')?;
            let code = match digits.strip_prefix('x') {
                Some(digits) => u32::from_str_radix(digits, 16).ok()?,
                None => digits.parse().ok()?,
            };
            char::from_u32(code)?
        }
    })
}
