//! Joins the lines of quoted scalars that continue without deeper indentation than their key.
//! libyaml, and therefore `kubectl`, accepts such scalars, but YAML 1.2 does not.

use std::ops::Range;

/// Joins lines without changing the length: each line break becomes a space, and padding follows
/// the closing quote. Empty lines are lost. `None` if no scalar changes.
pub(super) fn on_one_line(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut copied = 0;
    let mut at = 0;
    while at < text.len() {
        let line_end = end_of_line(text, at);
        let (next, quoted) = match value_of(text, at..line_end) {
            Value::Block { column } => (end_of_block(text, line_end, column), None),
            Value::Quoted { start, column } => match closing(text, start) {
                Some(end) if end > line_end => {
                    let is_outdented = goes_out(&text[start..end], column);
                    let next = end_of_line(text, end);
                    (next, is_outdented.then_some(start..end))
                }
                Some(_) => (line_end, None),
                None => break,
            },
            Value::Other => (line_end, None),
        };
        if let Some(range) = quoted {
            out.push_str(&text[copied..range.start]);
            push_folded(&mut out, &text[range.clone()]);
            copied = range.end;
        }
        at = next;
    }
    if copied == 0 {
        return None;
    }
    out.push_str(&text[copied..]);
    Some(out)
}

enum Value {
    /// Quoted value, with the column of its key or dash.
    Quoted {
        start: usize,
        column: usize,
    },
    Block {
        column: usize,
    },
    Other,
}

fn end_of_line(text: &str, at: usize) -> usize {
    memchr::memchr(b'\n', &text.as_bytes()[at..]).map_or(text.len(), |found| at + found + 1)
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

fn value_of(text: &str, line: Range<usize>) -> Value {
    let mut at = line.start + indentation(&text[line.clone()]);
    let mut column = at - line.start;
    let skip_blanks = |at: usize| at + indentation(&text[at..line.end]);
    while text[at..line.end].starts_with("- ") {
        column = at - line.start;
        at = skip_blanks(at + 2);
    }
    if value_at(text, at, column).is_none() || text[at..line.end].starts_with(['\'', '"']) {
        let quoted_key = text[at..line.end]
            .starts_with(['\'', '"'])
            .then(|| closing(text, at).filter(|end| *end < line.end))
            .flatten();
        let key_end = quoted_key.unwrap_or(at);
        let colon = text[key_end..line.end].find(": ");
        if let Some(colon) = colon.filter(|colon| quoted_key.is_none() || *colon == 0) {
            column = at - line.start;
            at = skip_blanks(key_end + colon + 2);
        }
    }
    while text[at..line.end].starts_with(['&', '!']) {
        let Some(blank) = text[at..line.end].find(' ') else {
            return Value::Other;
        };
        at = skip_blanks(at + blank);
    }
    value_at(&text[..line.end], at, column).unwrap_or(Value::Other)
}

fn value_at(text: &str, at: usize, column: usize) -> Option<Value> {
    match text[at..].bytes().next()? {
        b'\'' | b'"' => Some(Value::Quoted { start: at, column }),
        b'|' | b'>' => Some(Value::Block { column }),
        _ => None,
    }
}

/// Offset of the first line without deeper indentation than the key.
fn end_of_block(text: &str, mut at: usize, column: usize) -> usize {
    while at < text.len() {
        let end = end_of_line(text, at);
        let line = &text[at..end];
        if !line.trim().is_empty() && indentation(line) <= column {
            break;
        }
        at = end;
    }
    at
}

fn closing(text: &str, start: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let quote = *bytes.get(start)?;
    let mut at = start + 1;
    loop {
        let found = at + memchr::memchr2(quote, b'\\', bytes.get(at..)?)?;
        at = match (bytes[found], bytes.get(found + 1)) {
            (b'\\', _) if quote == b'"' => found + 2,
            (b'\\', _) => found + 1,
            (_, Some(&next)) if quote == b'\'' && next == quote => found + 2,
            _ => return Some(found + 1),
        };
    }
}

fn goes_out(quoted: &str, column: usize) -> bool {
    let mut lines = quoted.split('\n').skip(1);
    lines.any(|line| !line.trim().is_empty() && indentation(line) <= column)
}

/// Appends `quoted` on one line, padded to its original length so that later offsets stay valid.
fn push_folded(out: &mut String, quoted: &str) {
    let length = out.len() + quoted.len();
    let is_double = quoted.starts_with('"');
    let mut lines = quoted.split('\n');
    let first = lines.next().unwrap_or_default();
    let mut last = first.trim_end_matches([' ', '\t', '\r']);
    out.push_str(last);
    for line in lines {
        let line = line.trim_matches([' ', '\t', '\r']);
        if line.is_empty() {
            continue;
        }
        let is_joined = is_double && ends_with_escape(last);
        if is_joined {
            out.pop();
        } else {
            out.push(' ');
        }
        out.push_str(line);
        last = line;
    }
    while out.len() < length {
        out.push(' ');
    }
}

fn ends_with_escape(line: &str) -> bool {
    let slashes = line.bytes().rev().take_while(|&byte| byte == b'\\').count();
    slashes % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::on_one_line;

    #[test]
    fn folds_only_quotes_that_leave_their_block() {
        let text = "a:\n  b: 'one\n  it''s\n    three' # why\n  c: |\n    d: 'no\n  e: \"x\n\n  y \\\n  z\"\n  - 'f\n  g'\n  h: 'i\n    j'\n";
        let one_line = on_one_line(text).unwrap();
        assert_eq!(one_line.len(), text.len());
        assert!(one_line.contains("b: 'one it''s three'"), "{one_line}");
        assert!(one_line.contains("\n  c: |\n    d: 'no\n"), "{one_line}");
        assert!(one_line.contains("e: \"x y z\""), "{one_line}");
        assert!(one_line.contains("- 'f g'"), "{one_line}");
        assert!(one_line.contains("h: 'i\n    j'"), "{one_line}");
        assert_eq!(one_line.find("# why"), text.find("# why"));
    }

    #[test]
    fn leaves_texts_without_such_quotes_unchanged() {
        for text in [
            "",
            "a: 'b'\n",
            "a: 'b\n",
            "a: \"b\n  c\"\n",
            "# it's\nb: c\n",
        ] {
            assert_eq!(on_one_line(text), None, "{text}");
        }
    }
}
