//! Stops parsing at lines that nest lists and block quotes too deeply.

use super::bounds;

/// Offset of the first line that may open more than [`bounds::NESTING`] containers.
///
/// The depth is estimated from each line. A level needs a marker or two columns of indentation, so
/// the estimate is never too low, but may be too high for code.
pub(super) fn readable_end(text: &str, offset: usize) -> usize {
    let bytes = text.as_bytes();
    let mut start = offset;
    let breaks = memchr::memchr2_iter(b'\n', b'\r', &bytes[offset..]);
    for end in breaks.map(|at| offset + at + 1).chain([bytes.len()]) {
        let line = &bytes[start..end];
        if levels(line) > bounds::NESTING && !is_spaced_rule(line) {
            return start;
        }
        start = end;
    }
    text.len()
}

fn levels(bytes: &[u8]) -> usize {
    let (mut markers, mut columns, mut levels) = (0, 0, 0);
    for (at, byte) in bytes.iter().enumerate() {
        let spaced = bytes.get(at + 1).is_none_or(u8::is_ascii_whitespace);
        match byte {
            b' ' => columns += 1,
            b'\t' => columns += 4,
            b'0'..=b'9' => continue,
            b'>' => markers += 1,
            b'-' | b'+' | b'*' | b'.' | b')' if spaced => markers += 1,
            _ => break,
        }
        if markers > 0 && *byte > b' ' {
            levels = markers + columns / 2;
        }
    }
    levels
}

/// `- - - -` and `* * * *` are thematic breaks, not nested lists.
fn is_spaced_rule(line: &[u8]) -> bool {
    let mut marks = line.iter().filter(|byte| !byte.is_ascii_whitespace());
    let first = marks.next();
    matches!(first, Some(b'-' | b'*')) && marks.all(|byte| Some(byte) == first)
}
