//! Reads collections in brackets, such as JSON. Keys and values are quoted or plain scalars on one
//! line.

use granit_parser::{ScalarStyle, StructureStyle};

use super::{Line, Lines, MAX_KEY, NotPlain, Read, done, is_plain, quoted};

impl Lines<'_, '_> {
    /// Reads a collection that starts at `start`. Its lines are indented more than `indent`, or
    /// have any indentation if there is no block around it.
    pub(super) fn flow(&mut self, start: usize, indent: Option<usize>) -> Read {
        let mut at = start;
        let mut brackets = Vec::new();
        loop {
            // A value, or the first bracket.
            at = match self.bytes.get(at) {
                Some(b'{' | b'[') => {
                    let is_list = self.bytes[at] == b'[';
                    let of = self.loader.children(is_list);
                    done((self.loader).open(at, at + 1, StructureStyle::Flow, of))?;
                    brackets.push(is_list);
                    let inner = self.skip(at + 1, indent)?;
                    match self.bytes.get(inner) {
                        Some(b'}' | b']') => inner,
                        _ if is_list => {
                            at = inner;
                            continue;
                        }
                        _ => {
                            at = self.flow_key(inner, indent)?;
                            continue;
                        }
                    }
                }
                _ => {
                    let end = self.flow_scalar(at)?;
                    self.skip(end, indent)?
                }
            };
            // After a value: closing brackets, then a comma or the end.
            while let (Some(bracket @ (b'}' | b']')), Some(is_list)) =
                (self.bytes.get(at), brackets.last())
            {
                if (*bracket == b']') != *is_list {
                    return Err(NotPlain);
                }
                brackets.pop();
                self.loader.close(Some(at + 1));
                if brackets.is_empty() {
                    return self.flow_end(at + 1, indent);
                }
                at = self.skip(at + 1, indent)?;
            }
            if self.bytes.get(at) != Some(&b',') {
                return Err(NotPlain);
            }
            at = self.skip(at + 1, indent)?;
            if brackets.last() == Some(&false) {
                at = self.flow_key(at, indent)?;
            }
        }
    }

    /// Only line breaks may follow the last bracket on its line.
    fn flow_end(&mut self, end: usize, indent: Option<usize>) -> Read {
        if self.bytes.get(end).is_some_and(|&byte| byte != b'\n') {
            return Err(NotPlain);
        }
        self.next = end + 1;
        match indent {
            Some(indent) => self.ends_here(indent),
            None if self.content().is_some() => Err(NotPlain),
            None => Ok(()),
        }
    }

    /// Skips spaces and line breaks.
    fn skip(&self, from: usize, indent: Option<usize>) -> Read<usize> {
        let mut at = from;
        let mut line = None;
        loop {
            match self.bytes.get(at) {
                Some(b' ') => at += 1,
                Some(b'\n') => {
                    at += 1;
                    line = Some(at);
                }
                Some(b'#') | None => return Err(NotPlain),
                Some(_) => break,
            }
        }
        let is_outside = |line: usize| indent.is_some_and(|indent| at - line <= indent);
        if line.is_some_and(is_outside) {
            Err(NotPlain)
        } else {
            Ok(at)
        }
    }

    /// Reads a key and its colon. Returns the start of the value.
    fn flow_key(&mut self, start: usize, indent: Option<usize>) -> Read<usize> {
        let end = self.flow_scalar(start)?;
        let is_quoted = matches!(self.bytes[start], b'"' | b'\'');
        let after = self.bytes.get(end + 1);
        let is_colon = self.bytes.get(end) == Some(&b':')
            && (is_quoted || after.is_some_and(|byte| matches!(byte, b' ' | b'\n')));
        if !is_colon || end - start > MAX_KEY {
            return Err(NotPlain);
        }
        let value = self.skip(end + 1, indent)?;
        match self.bytes[value] {
            b',' | b'}' | b']' => Err(NotPlain),
            _ => Ok(value),
        }
    }

    fn flow_scalar(&mut self, start: usize) -> Read<usize> {
        let rest = &self.bytes[start..];
        let Some(quote @ (b'"' | b'\'')) = rest.first() else {
            let is_end = |at: &usize| match rest[*at] {
                b',' | b'[' | b']' | b'{' | b'}' | b'\n' => true,
                b':' => matches!(
                    rest.get(at + 1),
                    None | Some(b' ' | b'\n' | b',' | b'[' | b']' | b'{' | b'}')
                ),
                _ => false,
            };
            let end = (0..rest.len()).find(is_end).ok_or(NotPlain)?;
            let text = rest[..end].trim_ascii_end();
            // A plain scalar may go on in the next line.
            let is_open = matches!(rest[end], b'\n' | b'[' | b'{');
            if is_open && !self.ends_value(start + end) || !is_plain(text) {
                return Err(NotPlain);
            }
            let end = start + text.len();
            self.scalar(start, end, ScalarStyle::Plain)?;
            return Ok(end);
        };
        let (value, length) = quoted(&self.text[start..self.bytes.len()], *quote)?;
        let style = match quote {
            b'"' => ScalarStyle::DoubleQuoted,
            _ => ScalarStyle::SingleQuoted,
        };
        let end = start + length;
        done((self.loader).scalar(value, style, None, start, end))?;
        Ok(end)
    }

    /// Whether a bracket or comma follows a line break.
    fn ends_value(&self, at: usize) -> bool {
        let mut rest = self.bytes[at..].iter();
        let next = rest.find(|byte| !matches!(byte, b' ' | b'\n'));
        self.bytes[at] == b'\n' && matches!(next, Some(b',' | b']' | b'}'))
    }

    /// Reads a scalar of the style `|`, whose header is at `start`.
    pub(super) fn literal(&mut self, start: usize, end: usize, indent: usize) -> Read {
        let is_stripped = match &self.bytes[start..end] {
            b"|" => false,
            b"|-" => true,
            _ => return Err(NotPlain),
        };
        let mut value = String::new();
        let mut inner = None;
        let mut last = end;
        while self.next < self.bytes.len() {
            let line = self.raw_line();
            if line.start == line.end {
                if inner.is_some_and(|inner| line.indent > inner) {
                    return Err(NotPlain);
                }
                value.push('\n');
                self.next = line.end + 1;
                continue;
            }
            let inner = *inner.get_or_insert(line.indent);
            if inner <= indent {
                return Err(NotPlain);
            }
            if line.indent < inner {
                if line.indent > indent {
                    return Err(NotPlain);
                }
                break;
            }
            value.push_str(&self.text[line.start - (line.indent - inner)..line.end]);
            value.push('\n');
            last = line.end;
            self.next = line.end + 1;
        }
        // At the end of a file without a line break, the parser reads spaces in another way.
        if self.next > self.bytes.len() && self.bytes.last() == Some(&b' ') {
            return Err(NotPlain);
        }
        let content = value.trim_end_matches('\n').len();
        // A leading empty line or one without content is left to the parser.
        if content == 0 || value.starts_with('\n') {
            return Err(NotPlain);
        }
        value.truncate(content + usize::from(!is_stripped));
        let value = std::borrow::Cow::Owned(value);
        done((self.loader).scalar(value, ScalarStyle::Literal, None, end, last))
    }

    fn raw_line(&self) -> Line {
        let from = self.next;
        let rest = &self.bytes[from..];
        let length = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        let spaces = rest[..length].iter().take_while(|&&byte| byte == b' ');
        let indent = spaces.count();
        Line {
            start: from + indent,
            end: from + length,
            indent,
        }
    }
}
