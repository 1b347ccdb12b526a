//! Handles sources, positions, messages, findings, file changes, and escaping.

pub mod change;
pub mod diagnostic;
pub mod escape;
pub mod file_type;
pub mod json;
pub mod message;
pub mod node_path;
pub mod pattern;
pub mod shell;
pub mod source;
pub mod suggest;
pub mod wrap;

use std::borrow::Cow;

use crate::text::source::{all_bytes, is_invisible, is_plain, is_plain_byte};

/// Formats a count and its noun, such as `1 core test` or `2 core tests`.
pub fn counted(count: impl TryInto<u64>, noun: &str) -> String {
    let number = count.try_into().unwrap_or(u64::MAX);
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

/// Capitalizes the first letter.
pub fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(letters).collect()
}

/// Joins parts as `a, b and c`; `word` replaces `and`.
pub fn joined(parts: &[String], word: &str) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [rest @ .., last] => format!("{} {word} {last}", rest.join(", ")),
    }
}

/// Letters and digits in lower case, to compare names despite different spelling.
pub fn letters(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    // Fast path for READMEs, which are mostly ASCII.
    for c in text.chars() {
        if c.is_ascii() {
            if c.is_ascii_alphanumeric() {
                kept.push(c.to_ascii_lowercase());
            }
        } else if c.is_alphanumeric() {
            kept.extend(c.to_lowercase());
        }
    }
    kept
}

/// Numbers with spaces between them, for scripts.
pub fn numbers<T: ToString>(numbers: impl IntoIterator<Item = T>) -> String {
    let numbers: Vec<String> = numbers
        .into_iter()
        .map(|number| number.to_string())
        .collect();
    numbers.join(" ")
}

/// Maximum items that a sentence lists. The others are counted.
const MAX_LISTED: usize = 3;

/// Number of items that a sentence lists. Lists one more item instead of `1 more`.
pub fn listed_of(count: usize) -> usize {
    if count == MAX_LISTED + 1 {
        return count;
    }
    count.min(MAX_LISTED)
}

const MAX_NAMES: usize = 20;

/// Names with commas. After 20 names, the rest are counted.
pub fn listed<T: AsRef<str>>(names: &[T]) -> String {
    listed_up_to(names, names.len().min(MAX_NAMES))
}

/// Maximum examples of tests or places.
pub const MAX_EXAMPLES: usize = 5;

/// Like [`listed`], for examples.
pub fn examples<T: AsRef<str>>(names: &[T]) -> String {
    listed_up_to(names, names.len().min(MAX_EXAMPLES))
}

/// Like [`listed`], for a list within a sentence.
pub fn listed_briefly<T: AsRef<str>>(names: &[T]) -> String {
    listed_up_to(names, listed_of(names.len()))
}

fn listed_up_to<T: AsRef<str>>(names: &[T], count: usize) -> String {
    let (first, others) = names.split_at(count);
    let first: Vec<_> = first.iter().map(AsRef::as_ref).collect();
    let text = first.join(", ");
    match others.len() {
        0 => text,
        more => format!("{text} and {more} more"),
    }
}

/// Splits a name at possible line breaks: after `/` and before a capital.
pub fn breakable(name: &str) -> Vec<&str> {
    let letters = name.char_indices().zip(name.chars().skip(1));
    let ends =
        letters.filter(|((_, c), next)| *c == '/' || c.is_lowercase() && next.is_uppercase());
    let ends = ends.map(|((at, c), _)| at + c.len_utf8());
    let mut parts = Vec::new();
    let mut start = 0;
    for end in ends.chain([name.len()]) {
        parts.push(&name[start..end]);
        start = end;
    }
    parts
}

/// Escapes control, bidirectional and invisible characters (`\n`, `\u{202e}`), so that values
/// cannot forge output.
pub fn visible(text: &str) -> String {
    if is_plain(text) {
        return text.to_owned();
    }
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => shown.push_str("\\n"),
            '\r' => shown.push_str("\\r"),
            '\t' => shown.push_str("\\t"),
            c if is_invisible(c) => shown.extend(c.escape_unicode()),
            c => shown.push(c),
        }
    }
    shown
}

/// Like [`visible`], but keeps columns, line breaks and tabs, for source lines.
pub fn visible_source(text: &str) -> Cow<'_, str> {
    if all_bytes(text, |c| is_plain_byte(c) | (c == b'\n') | (c == b'\t')) {
        return Cow::Borrowed(text);
    }
    let picture = |c: char| match c {
        '\n' | '\t' => c,
        '\0'..'\u{20}' => char::from_u32(0x2400 + c as u32).unwrap_or('\u{FFFD}'),
        '\u{7F}' => '\u{2421}',
        c if is_invisible(c) => '\u{FFFD}',
        c => c,
    };
    Cow::Owned(text.chars().map(picture).collect())
}

#[cfg(test)]
mod tests {
    use super::{visible, visible_source};

    #[test]
    fn escapes_invisible_characters_for_terminals() {
        let hostile = "a\u{1b}[2J\r\n\u{202e}b\u{7f}\u{9b}c\u{200b}\u{e0041}é";
        assert_eq!(
            visible(hostile),
            "a\\u{1b}[2J\\r\\n\\u{202e}b\\u{7f}\\u{9b}c\\u{200b}\\u{e0041}é"
        );
        let source = visible_source(hostile);
        assert_eq!(source, "a␛[2J␍\n\u{FFFD}b␡\u{FFFD}c\u{FFFD}\u{FFFD}é");
        assert_eq!(source.chars().count(), hostile.chars().count());
    }
}
