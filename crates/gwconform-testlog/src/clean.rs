//! Removes timestamps, job and step names, colors and group markers of CI systems.

use std::borrow::Cow;

pub(super) struct Cleaned<'l> {
    pub(super) text: Cow<'l, str>,
    pub(super) time: Option<&'l str>,
    /// Number of characters removed at the start; `None` if characters inside the line were
    /// removed.
    pub(super) taken: Option<u32>,
}

const MARK: &[u8] = b"\xef\xbb\xbf";

pub(super) fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(MARK).unwrap_or(bytes)
}

pub(super) fn clean(bytes: &[u8]) -> Cleaned<'_> {
    let mut whole = bytes;
    while let Some(line) = whole.strip_suffix(b"\r") {
        whole = line;
    }
    let mut rest = without_service(without_command(without_mark(whole)));
    let mut time = None;
    if let Some(after) = without_job(rest) {
        rest = after;
    }
    rest = without_mark(rest);
    if let Some((found, after)) = split_time(rest) {
        time = std::str::from_utf8(found).ok();
        rest = without_mark(without_stream(after));
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

/// `gh run view --log` writes `job<TAB>step<TAB>` before a timestamp.
fn without_job(bytes: &[u8]) -> Option<&[u8]> {
    let mut tabs = memchr::memchr_iter(b'\t', bytes);
    let second = tabs.nth(1)?;
    let rest = &bytes[second + 1..];
    split_time(without_mark(rest)).map(|_| rest)
}

/// Buildkite writes timestamps in a terminal command (APC).
fn without_command(bytes: &[u8]) -> &[u8] {
    let end = bytes
        .strip_prefix(b"\x1b_")
        .and_then(|rest| memchr::memchr(0x07, rest.get(..100.min(rest.len()))?));
    end.and_then(|end| bytes.get(end + 3..)).unwrap_or(bytes)
}

/// `docker compose` writes a service name before each line, such as `tests-1  | `.
fn without_service(bytes: &[u8]) -> &[u8] {
    let is_of_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    let name = bytes.iter().take(64).take_while(|byte| is_of_name(**byte));
    let (name, rest) = bytes.split_at(name.count());
    let after = rest.trim_ascii_start();
    match after.strip_prefix(b"|") {
        Some(text) if !name.is_empty() && after.len() < rest.len() => {
            text.strip_prefix(b" ").unwrap_or(text)
        }
        _ => bytes,
    }
}

/// GitLab writes stream number, type and continuation flag after the timestamp, such as `00O ` or
/// `01E+`.
fn without_stream(bytes: &[u8]) -> &[u8] {
    match bytes {
        [high, low, b'O' | b'E', b' ' | b'+', rest @ ..]
            if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() =>
        {
            rest
        }
        _ => bytes,
    }
}

/// A timestamp such as `2026-07-01T10:00:00.1234567Z `. Jenkins writes timestamps in brackets.
fn split_time(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    if let Some(rest) = bytes.strip_prefix(b"[") {
        let length = time_length(rest.get(..rest.len().min(40))?)?;
        let after = rest.get(length..)?.strip_prefix(b"]")?;
        let time = rest.get(..length)?;
        return Some((time, after.strip_prefix(b" ").unwrap_or(after)));
    }
    let is_time = bytes.first().is_some_and(u8::is_ascii_digit) && bytes.get(10) == Some(&b'T');
    let most = bytes.len().min(40);
    let end = memchr::memchr(b' ', bytes.get(..most)?).filter(|_| is_time);
    // The last line of a step can be empty, without a space after its timestamp.
    let (time, rest) = match end {
        Some(end) => (&bytes[..end], &bytes[end + 1..]),
        None if is_time && bytes.len() < 40 => (bytes, &[][..]),
        None => return None,
    };
    time_length(time).filter(|length| *length == time.len())?;
    Some((time, rest))
}

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

/// ECMA-48: CSI, strings such as OSC, and two-byte sequences.
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
            Some(']' | '_' | 'P' | '^' | 'X') => match after.find(['\u{7}', '\u{1b}']) {
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
            (
                "2026-07-01T10:00:00.123456Z 00O     a.go:1: x",
                "    a.go:1: x",
                Some("2026-07-01T10:00:00.123456Z"),
            ),
            (
                "2026-07-01T10:00:00.123456Z 01E+=== RUN   T",
                "=== RUN   T",
                Some("2026-07-01T10:00:00.123456Z"),
            ),
            (
                "[2026-07-01T10:00:00.123Z]     --- PASS: T/A (0.00s)",
                "    --- PASS: T/A (0.00s)",
                Some("2026-07-01T10:00:00.123Z"),
            ),
            (
                "\u{1b}_bk;t=1700000000000\u{7}    a.go:1: x",
                "    a.go:1: x",
                None,
            ),
            ("tests-1  |     a.go:1: x", "    a.go:1: x", None),
            ("=== RUN   T\r\r", "=== RUN   T", None),
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
