//! Fast line-based reader for the YAML that the conformance suite writes.
//!
//! The reader accepts printable text, plain scalars, quoted scalars on one line, scalars of the style
//! `|`, and collections of these as blocks or in brackets. The parser reads any other text. Builds with debug assertions compare the results of
//! both ([`super::load()`]).

use std::borrow::Cow;
use std::ops::ControlFlow;

use granit_parser::{ScalarStyle, StructureStyle};

use super::load::Loader;

mod flow;

/// In bytes. The parser rejects keys longer than 1,024 bytes.
const MAX_KEY: usize = 256;

struct Block {
    indent: usize,
    is_list: bool,
}

#[derive(Clone, Copy)]
struct Line {
    start: usize,
    end: usize,
    indent: usize,
}

struct Lines<'l, 't> {
    loader: &'l mut Loader<'t>,
    bytes: &'t [u8],
    text: &'t str,
    next: usize,
    blocks: Vec<Block>,
    is_pending: bool,
}

/// The fast reader cannot read the text, so the parser must.
struct NotPlain;

type Read<T = ()> = Result<T, NotPlain>;

/// The parser must describe the error.
fn done(step: ControlFlow<()>) -> Read {
    match step {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(NotPlain),
    }
}

impl<'t> Loader<'t> {
    /// False if the tree is incomplete, so the parser must read the text.
    pub(super) fn read_lines(&mut self, base: usize, end: usize) -> bool {
        let text = self.text;
        let bytes = &text.as_bytes()[..end];
        if !is_printable(&text[base..end]) {
            return false;
        }
        let mut lines = Lines {
            loader: self,
            bytes,
            text,
            next: base,
            blocks: Vec::new(),
            is_pending: false,
        };
        lines.document().is_ok()
    }
}

/// Whether all libraries read the characters alike.
fn is_printable(text: &str) -> bool {
    let is_plain = |byte: u8| matches!(byte, b' '..=b'~' | b'\n');
    // The compiler can vectorize blocks without branches.
    let is_ascii = |block: &[u8]| block.iter().fold(true, |all, &byte| all & is_plain(byte));
    let is_one = |c: char| match c {
        '\n' | ' '..='~' => true,
        '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}'..='\u{ffff}' => false,
        other => other >= '\u{a0}',
    };
    text.as_bytes().chunks(64).all(is_ascii) || text.chars().all(is_one)
}

/// Value and length of a quoted scalar at the start of `text`, on one line.
fn quoted(text: &str, quote: u8) -> Read<(Cow<'_, str>, usize)> {
    let bytes = text.as_bytes();
    let mut value = String::new();
    let (mut from, mut at) = (1, 1);
    loop {
        let found = memchr::memchr3(quote, b'\\', b'\n', bytes.get(at..).ok_or(NotPlain)?);
        at += found.ok_or(NotPlain)?;
        let next = bytes.get(at + 1);
        let (character, length) = match bytes[at] {
            b'\n' => return Err(NotPlain),
            b'\\' if quote == b'\'' => {
                at += 1;
                continue;
            }
            b'\\' => escaped(&bytes[at + 1..]).ok_or(NotPlain)?,
            _ if quote == b'\'' && next == Some(&quote) => ('\'', 1),
            _ => break,
        };
        value.push_str(&text[from..at]);
        value.push(character);
        at += 1 + length;
        from = at;
    }
    let last = &text[from..at];
    let value = match from {
        1 => Cow::Borrowed(last),
        _ => {
            value.push_str(last);
            Cow::Owned(value)
        }
    };
    Ok((value, at + 1))
}

/// Character of an escape in JSON, and the length after the backslash.
fn escaped(text: &[u8]) -> Option<(char, usize)> {
    let character = match text.first()? {
        character @ (b'"' | b'\\' | b'/') => char::from(*character),
        b'n' => '\n',
        b't' => '\t',
        b'r' => '\r',
        b'u' => {
            let digits = text.get(1..5)?;
            if !digits.iter().all(u8::is_ascii_hexdigit) {
                return None;
            }
            let digits = std::str::from_utf8(digits).ok()?;
            let code = u32::from_str_radix(digits, 16).ok()?;
            return Some((char::from_u32(code).filter(|c| *c >= ' ')?, 5));
        }
        _ => return None,
    };
    Some((character, 1))
}

impl<'t> Lines<'_, 't> {
    fn document(&mut self) -> Read {
        let mut line = self.content().ok_or(NotPlain)?;
        let is_explicit = &self.bytes[line.start..line.end] == b"---" && line.indent == 0;
        let start = if is_explicit { line.start } else { line.end };
        let marker = if is_explicit { line.end } else { start };
        done(self.loader.start_document(is_explicit, start, marker))?;
        if is_explicit {
            line = self.content().ok_or(NotPlain)?;
        }
        if self.is_bracket(line.start) {
            self.flow(line.start, None)?;
            self.loader.end_document(0);
            return Ok(());
        }
        let indent = line.indent;
        let is_list = self.is_dash(line);
        self.block(line.start, indent, is_list)?;
        self.line(line)?;
        while let Some(line) = self.content() {
            self.line(line)?;
        }
        self.end_value()?;
        while self.blocks.pop().is_some() {
            self.loader.close(None);
        }
        self.loader.end_document(0);
        Ok(())
    }

    fn content(&mut self) -> Option<Line> {
        while self.next < self.bytes.len() {
            let from = self.next;
            let rest = &self.bytes[from..];
            let length = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            let end = from + length;
            self.next = end + 1;
            let indent = rest[..length]
                .iter()
                .take_while(|&&byte| byte == b' ')
                .count();
            if indent < length && rest[indent] != b'#' {
                let start = from + indent;
                return Some(Line { start, end, indent });
            }
        }
        None
    }

    fn is_bracket(&self, at: usize) -> bool {
        matches!(self.bytes.get(at), Some(b'{' | b'['))
    }

    fn is_dash(&self, line: Line) -> bool {
        self.bytes[line.start..line.end].starts_with(b"- ")
    }

    fn line(&mut self, line: Line) -> Read {
        let is_dash = self.is_dash(line);
        if self.is_pending {
            let indent = self.blocks.last().map_or(0, |block| block.indent);
            if line.indent > indent || is_dash && line.indent == indent {
                self.is_pending = false;
                self.block(line.start, line.indent, is_dash)?;
            } else {
                self.end_value()?;
            }
        }
        // Lists may align with the keys of their mapping.
        let is_inside = |block: &Block| {
            line.indent > block.indent || line.indent == block.indent && (is_dash || !block.is_list)
        };
        while self.blocks.last().is_some_and(|block| !is_inside(block)) {
            self.blocks.pop();
            self.loader.close(None);
        }
        let fits = self.blocks.last();
        let fits =
            fits.is_some_and(|block| block.indent == line.indent && block.is_list == is_dash);
        match (fits, is_dash) {
            (false, _) => Err(NotPlain),
            (true, false) => self.entry(line),
            (true, true) => self.item(line),
        }
    }

    fn block(&mut self, start: usize, indent: usize, is_list: bool) -> Read {
        let of = self.loader.children(is_list);
        done(self.loader.open(start, start, StructureStyle::Block, of))?;
        self.blocks.push(Block { indent, is_list });
        Ok(())
    }

    fn item(&mut self, line: Line) -> Read {
        let after = &self.bytes[line.start + 1..line.end];
        let spaces = after.iter().take_while(|&&byte| byte == b' ').count();
        let start = line.start + 1 + spaces;
        let inner = Line {
            start,
            end: line.end,
            indent: line.indent + 1 + spaces,
        };
        if self.key(inner).is_some() {
            self.block(start, inner.indent, false)?;
            return self.entry(inner);
        }
        self.value(start, line.end, line.indent)
    }

    /// Length of a key. Plain keys with spaces are left to the parser.
    fn key(&self, line: Line) -> Option<usize> {
        let bytes = &self.bytes[line.start..line.end];
        if let Some(quote @ (b'"' | b'\'')) = bytes.first() {
            let (_, length) = quoted(&self.text[line.start..line.end], *quote).ok()?;
            let is_key = matches!(bytes[length..], [b':'] | [b':', b' ', ..]);
            return (is_key && length <= MAX_KEY).then_some(length);
        }
        let near = &bytes[..bytes.len().min(MAX_KEY)];
        let end = memchr::memchr(b' ', near).unwrap_or(near.len());
        let (last, key) = bytes[..end].split_last()?;
        let is_whole = end == bytes.len() || bytes[end] == b' ';
        (is_whole && *last == b':' && starts_plain(key)).then_some(key.len())
    }

    fn entry(&mut self, line: Line) -> Read {
        let length = self.key(line).ok_or(NotPlain)?;
        let end = line.start + length;
        match self.bytes[line.start] {
            b'"' | b'\'' => self.quoted(line.start, end)?,
            _ => self.scalar(line.start, end, ScalarStyle::Plain)?,
        }
        let after = &self.bytes[line.start + length + 1..line.end];
        let spaces = after.iter().take_while(|&&byte| byte == b' ').count();
        if matches!(after.get(spaces), None | Some(b'#')) {
            self.is_pending = true;
            return Ok(());
        }
        self.value(line.start + length + 1 + spaces, line.end, line.indent)
    }

    fn end_value(&mut self) -> Read {
        if std::mem::take(&mut self.is_pending) {
            let at = self.loader.cursor;
            self.scalar(at, at, ScalarStyle::Plain)?;
        }
        Ok(())
    }

    /// A plain scalar may continue on indented lines.
    fn value(&mut self, start: usize, end: usize, indent: usize) -> Read {
        let bytes = &self.bytes[start..end];
        match bytes.first() {
            Some(b'{' | b'[') => self.flow(start, Some(indent)),
            Some(b'"' | b'\'') => {
                self.quoted(start, end)?;
                self.ends_here(indent)
            }
            Some(b'|') => self.literal(start, end, indent),
            _ => self.plain(start, end, indent),
        }
    }

    fn quoted(&mut self, start: usize, end: usize) -> Read {
        let quote = self.bytes[start];
        let (value, length) = quoted(&self.text[start..end], quote)?;
        if length != end - start {
            return Err(NotPlain);
        }
        let style = match quote {
            b'"' => ScalarStyle::DoubleQuoted,
            _ => ScalarStyle::SingleQuoted,
        };
        done(self.loader.scalar(value, style, None, start, end))
    }

    fn ends_here(&mut self, indent: usize) -> Read {
        let next = self.next;
        let goes_on = self.content().is_some_and(|line| line.indent > indent);
        self.next = next;
        if goes_on { Err(NotPlain) } else { Ok(()) }
    }

    fn plain(&mut self, start: usize, end: usize, indent: usize) -> Read {
        let bytes = &self.bytes[start..end];
        if let Some(comment) = memchr::memmem::find(bytes, b" #") {
            let end = start + bytes[..comment].trim_ascii_end().len();
            if !is_plain(&self.bytes[start..end]) {
                return Err(NotPlain);
            }
            self.scalar(start, end, ScalarStyle::Plain)?;
            return self.ends_here(indent);
        }
        if !is_plain(bytes) {
            return Err(NotPlain);
        }
        let Some(mut line) = self.goes_on(indent) else {
            return self.scalar(start, end, ScalarStyle::Plain);
        };
        let mut value = self.text[start..end].to_owned();
        loop {
            if !is_plain(&self.bytes[line.start..line.end]) {
                return Err(NotPlain);
            }
            value.push(' ');
            value.push_str(&self.text[line.start..line.end]);
            let Some(next) = self.goes_on(indent) else {
                break;
            };
            line = next;
        }
        let value = Cow::Owned(value);
        done(
            self.loader
                .scalar(value, ScalarStyle::Plain, None, start, line.end),
        )
    }

    fn goes_on(&mut self, indent: usize) -> Option<Line> {
        let from = self.next;
        let line = self.content()?;
        let is_next = line.start == from + line.indent;
        if is_next && line.indent > indent {
            return Some(line);
        }
        self.next = from;
        None
    }

    fn scalar(&mut self, start: usize, end: usize, style: ScalarStyle) -> Read {
        let value = Cow::Borrowed(&self.text[start..end]);
        done(self.loader.scalar(value, style, None, start, end))
    }
}

/// Whether a plain scalar on this line is unambiguous in any context.
fn is_plain(line: &[u8]) -> bool {
    let mut marks = memchr::memchr2_iter(b':', b'#', line);
    let is_inside = |at: usize| match line[at] {
        b':' => line.get(at + 1).is_some_and(|&next| next != b' '),
        _ => at > 0 && line[at - 1] != b' ',
    };
    starts_plain(line) && line.last() != Some(&b' ') && marks.all(is_inside)
}

fn starts_plain(text: &[u8]) -> bool {
    let is_first = |byte: &u8| byte.is_ascii_alphanumeric() || b"/._(+~<$=".contains(byte);
    text.first().is_some_and(is_first)
}

#[cfg(test)]
mod tests;
