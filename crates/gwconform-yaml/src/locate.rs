//! Finds positions that parser events omit, namely those of missing values and block scalars.

use crate::Span;

/// Finds an indicator. Only whitespace, comments, tags, anchors, other indicators, document ends
/// and a byte order mark may precede the indicator.
pub(super) fn find(text: &str, from: usize, limit: usize, wanted: &[u8]) -> Option<usize> {
    // A key's colon precedes the dash, tag and anchor of its value.
    let beyond_colon = wanted != b":";
    let bytes = &text.as_bytes()[..limit.min(text.len())];
    let mut at = from;
    while let Some(byte) = bytes.get(at) {
        let rest = &bytes[at..];
        if wanted.contains(byte) && is_standalone(rest) {
            return Some(at);
        }
        at += match byte {
            b' ' | b'\t' | b'\r' | b'\n' => 1,
            b'#' => length_until(rest, |byte| matches!(byte, b'\n' | b'\r')),
            b'&' | b'!' if beyond_colon => length_until(rest, |byte| byte.is_ascii_whitespace()),
            b':' | b'-' | b'?' if beyond_colon => 1,
            b'.' if beyond_colon && rest.starts_with(b"...") => 3,
            0xEF if rest.starts_with("\u{feff}".as_bytes()) => 3,
            _ => return None,
        };
    }
    None
}

/// Whether an indicator is not part of a plain scalar, such as `-1` or `:a`.
fn is_standalone(rest: &[u8]) -> bool {
    // The parser treats U+0000 as the end of the text.
    let blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | 0);
    match rest {
        [b'-', next, ..] => blank(next),
        [b':', next, ..] => blank(next) || matches!(next, b',' | b'[' | b']' | b'{' | b'}'),
        _ => true,
    }
}

fn length_until(bytes: &[u8], end: impl Fn(u8) -> bool) -> usize {
    let found = bytes.iter().position(|byte| end(*byte));
    found.unwrap_or(bytes.len())
}

/// Span from the `|` or `>` to the last nonblank line. The parser event covers only content and
/// trailing line breaks.
pub(super) fn block_scalar(text: &str, from: usize, start: usize, end: usize) -> Span {
    let header = find(text, from, start, b"|>").unwrap_or(start.max(from));
    let content = text
        .get(start..end)
        .unwrap_or_default()
        .trim_end_matches([' ', '\t', '\r', '\n']);
    if !content.is_empty() {
        return Span::new(header, start + content.len());
    }
    let indicators = text.get(header..start).unwrap_or_default();
    let len = indicators.find(|character: char| character.is_ascii_whitespace());
    Span::new(header, header + len.unwrap_or(indicators.len()))
}
