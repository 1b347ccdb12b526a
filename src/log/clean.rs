//! Takes away what CI puts into lines: times, job and step, colours, groups.

use std::borrow::Cow;

/// A line without what CI has put around it.
pub(super) struct Cleaned<'l> {
    /// The text.
    pub(super) text: Cow<'l, str>,
    /// The time before it.
    pub(super) time: Option<&'l str>,
    /// How many characters were taken from its beginning; `None` when characters inside it were.
    pub(super) taken: Option<u32>,
}

const MARK: &[u8] = b"\xef\xbb\xbf";

/// The bytes without a byte order mark.
pub(super) fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(MARK).unwrap_or(bytes)
}

/// The line as the program wrote it that CI has run.
pub(super) fn clean(bytes: &[u8]) -> Cleaned<'_> {
    let whole = bytes.strip_suffix(b"\r").unwrap_or(bytes);
    let mut rest = without_mark(whole);
    let mut time = None;
    if let Some(after) = without_job(rest) {
        rest = after;
    }
    rest = without_mark(rest);
    if let Some((found, after)) = split_time(rest) {
        time = std::str::from_utf8(found).ok();
        rest = without_mark(after);
    }
    for group in [b"##[group]".as_slice(), b"::group::"] {
        rest = rest.strip_prefix(group).unwrap_or(rest);
    }
    let prefix = &whole[..whole.len() - rest.len()];
    let is_coloured = memchr::memchr(0x1b, rest).is_some();
    let text = match std::str::from_utf8(rest) {
        Ok(text) if is_coloured => Cow::Owned(without_colours(text)),
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(without_colours(&String::from_utf8_lossy(rest))),
    };
    let is_exact = matches!(text, Cow::Borrowed(_));
    let taken = String::from_utf8_lossy(prefix).chars().count();
    Cleaned {
        text,
        time,
        taken: u32::try_from(taken).ok().filter(|_| is_exact),
    }
}

/// What follows `job<TAB>step<TAB>` (`gh run view --log`); only where a time follows.
fn without_job(bytes: &[u8]) -> Option<&[u8]> {
    let mut tabs = memchr::memchr_iter(b'\t', bytes);
    let second = tabs.nth(1)?;
    let rest = &bytes[second + 1..];
    split_time(without_mark(rest)).map(|_| rest)
}

/// `2026-07-01T10:00:00.1234567Z ` and what follows.
fn split_time(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let is_time = bytes.first().is_some_and(u8::is_ascii_digit) && bytes.get(10) == Some(&b'T');
    let most = bytes.len().min(40);
    let end = memchr::memchr(b' ', bytes.get(..most)?).filter(|_| is_time);
    // The last line of a step may be empty: without the blank after the time.
    let (time, rest) = match end {
        Some(end) => (&bytes[..end], &bytes[end + 1..]),
        None if is_time && bytes.len() < 40 => (bytes, &[][..]),
        None => return None,
    };
    time_length(time).filter(|length| *length == time.len())?;
    Some((time, rest))
}

/// The length of the time in RFC 3339 at the beginning of some bytes.
pub(super) fn time_length(bytes: &[u8]) -> Option<usize> {
    const SHAPE: &[u8] = b"0000-00-00T00:00:00";
    let begin = bytes.get(..SHAPE.len())?;
    let fits = |(byte, shape): (&u8, &u8)| match shape {
        b'0' => byte.is_ascii_digit(),
        shape => byte == shape,
    };
    if !begin.iter().zip(SHAPE).all(fits) {
        return None;
    }
    let mut at = SHAPE.len();
    let digits = |from: usize| {
        let rest = bytes.get(from..).unwrap_or_default();
        rest.iter().take_while(|byte| byte.is_ascii_digit()).count()
    };
    if bytes.get(at) == Some(&b'.') {
        at += 1 + digits(at + 1);
    }
    match bytes.get(at)? {
        b'Z' => Some(at + 1),
        b'+' | b'-' => {
            let offset = bytes.get(at + 1..at + 6)?;
            let is_offset = offset.iter().zip(b"00:00").all(fits);
            is_offset.then_some(at + 6)
        }
        _ => None,
    }
}

/// A text without the escape sequences of terminals (ECMA-48: CSI, OSC and two-byte ones).
fn without_colours(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\u{1b}') {
        clean.push_str(before);
        let mut characters = after.chars();
        rest = match characters.next() {
            Some('[') => after
                .find(|c: char| ('\u{40}'..='\u{7e}').contains(&c) && c != '[')
                .map_or("", |end| &after[end + 1..]),
            Some(']') => match after.find(['\u{7}', '\u{1b}']) {
                Some(end) => after[end + 1..]
                    .strip_prefix('\\')
                    .unwrap_or(&after[end + 1..]),
                None => "",
            },
            Some(_) => characters.as_str(),
            None => "",
        };
    }
    clean.push_str(rest);
    clean
}

#[cfg(test)]
mod tests {
    use super::clean;

    #[test]
    fn what_ci_adds_is_taken_away() {
        let cases = [
            ("    --- PASS: T (0.00s)\r", "    --- PASS: T (0.00s)", None),
            ("\u{feff}=== RUN   T", "=== RUN   T", None),
            (
                "2026-07-01T10:00:00.1234567Z     a.go:1: x",
                "    a.go:1: x",
                Some("2026-07-01T10:00:00.1234567Z"),
            ),
            (
                "job\tRun tests\t\u{feff}2026-07-01T10:00:00.1234567Z === RUN   T",
                "=== RUN   T",
                Some("2026-07-01T10:00:00.1234567Z"),
            ),
            ("2026-07-01T10:00:00Z", "", Some("2026-07-01T10:00:00Z")),
            (
                "\u{1b}[32m--- PASS: T\u{1b}[0m (0.00s)",
                "--- PASS: T (0.00s)",
                None,
            ),
            ("\u{1b}]8;;https://x\u{1b}\\link\u{1b}[K", "link", None),
            ("##[group]=== RUN   T", "=== RUN   T", None),
            ("2026-07-01 is no time", "2026-07-01 is no time", None),
            ("a\tb\tc", "a\tb\tc", None),
        ];
        for (line, text, time) in cases {
            let cleaned = clean(line.as_bytes());
            assert_eq!(
                (cleaned.text.as_ref(), cleaned.time),
                (text, time),
                "{line:?}"
            );
        }
    }
}
