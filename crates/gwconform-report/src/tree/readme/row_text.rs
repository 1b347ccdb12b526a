//! Outer pipes, surplus cells, and URLs in plain text, which the Markdown crate omits.

use std::ops::Range;

use gwconform_base::text::source::Span;

/// Whitespace that GFM trims from cells. A no-break space is content.
pub(super) fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\x0b' | '\x0c' | '\r' | '\n')
}

pub(super) fn trim(text: &str, range: Range<usize>) -> Range<usize> {
    let whole = &text[range.clone()];
    let trimmed = whole.trim_end_matches(is_blank);
    let end = range.start + trimmed.len();
    let start = end - trimmed.trim_start_matches(is_blank).len();
    if start == end {
        return range.start..range.start;
    }
    start..end
}

/// Trims a line. In GFM, other leading whitespace belongs to the first cell.
pub(super) fn line(text: &str, range: Range<usize>) -> Range<usize> {
    let whole = text[range.clone()].trim_start_matches([' ', '\t']);
    let start = range.end - whole.len();
    start..start + whole.trim_end_matches(is_blank).len()
}

/// Splits cells, and returns whether a pipe closes the last one. `range` starts after a pipe.
///
/// As in cmark-gfm, a pipe after any backslash, even an escaped one, does not separate cells.
pub(super) fn split(text: &str, range: Range<usize>) -> (Vec<Span>, bool) {
    let mut cells = Vec::new();
    let mut start = range.start;
    let bytes = text.as_bytes();
    for at in range.clone() {
        if bytes[at] == b'|' && bytes[at - 1] != b'\\' {
            let cell = trim(text, start..at);
            cells.push(Span::new(cell.start, cell.end));
            start = at + 1;
        }
    }
    let last = trim(text, start..range.end);
    let closed = last.is_empty();
    if !closed {
        cells.push(Span::new(last.start, last.end));
    }
    (cells, closed)
}

/// Finds the first URL outside links, code and HTML (`opaque`, in order). The URL ends as in a GFM
/// autolink.
pub(super) fn bare_url(text: &str, cell: Range<usize>, opaque: &[Range<usize>]) -> Option<Span> {
    let mut gap = cell.start;
    let ends = opaque.iter().map(|range| (range.start, range.end));
    for (start, next) in ends.chain([(cell.end, cell.end)]) {
        if start > gap
            && let Some(url) = first_url(text, gap..start.min(cell.end))
        {
            return Some(url);
        }
        gap = gap.max(next);
    }
    None
}

fn first_url(text: &str, range: Range<usize>) -> Option<Span> {
    let part = &text[range.clone()];
    let found = part.match_indices("http").find(|(at, _)| {
        let before = part[..*at].chars().next_back();
        let after_http = &part[*at + "http".len()..];
        let after_scheme = after_http.strip_prefix('s').unwrap_or(after_http);
        before.is_none_or(|c| !c.is_alphanumeric())
            && after_scheme
                .strip_prefix("://")
                .is_some_and(|host| host.starts_with(|c: char| c.is_alphanumeric()))
    });
    let (at, _) = found?;
    let rest = &part[at..];
    let end = rest
        .find(|c: char| c.is_whitespace() || c == '<')
        .unwrap_or(rest.len());
    let mut url = &rest[..end];
    let mut surplus = url
        .matches(')')
        .count()
        .saturating_sub(url.matches('(').count());
    while let Some(last) = url.chars().next_back() {
        match last {
            ')' if surplus > 0 => surplus -= 1,
            '?' | '!' | '.' | ',' | ':' | '*' | '_' | '~' | '\'' | '"' | ']' => {}
            _ => break,
        }
        url = &url[..url.len() - 1];
    }
    let start = range.start + at;
    Some(Span::new(start, start + url.len()))
}

/// Finds lines with a leading pipe and another pipe, except delimiter rows.
pub(super) fn stray(text: &str, range: Range<usize>) -> impl Iterator<Item = Span> {
    let mut start = range.start;
    text[range].split_inclusive('\n').filter_map(move |line| {
        let at = start;
        start += line.len();
        let row = line.trim_end_matches(is_blank);
        // Continuation lines may contain block quote markers.
        let inner = row.trim_start_matches(|c| is_blank(c) || c == '>');
        let begin = at + row.len() - inner.len();
        let delimiter = |c: char| matches!(c, '|' | '-' | ':') || is_blank(c);
        (inner.starts_with('|') && inner[1..].contains('|') && !inner.chars().all(delimiter))
            .then(|| Span::new(begin, at + row.len()))
    })
}
