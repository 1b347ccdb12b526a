//! Texts and what is said about them: sources and places, messages, findings, changes; and text that
//! people read: counted, joined, made visible, escaped for each language it goes into.

pub mod change;
pub mod diagnostic;
pub mod escape;
pub mod json;
pub mod message;
pub mod node_path;
pub(crate) mod pattern;
pub mod shell;
pub mod source;
pub mod suggest;
pub mod wrap;

use std::borrow::Cow;

use crate::text::source::{is_invisible, is_plain, is_plain_byte};

/// `1 core test`, `2 core tests`.
pub fn counted(count: impl TryInto<u64>, noun: &str) -> String {
    let number = count.try_into().unwrap_or(u64::MAX);
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

/// A text that begins a sentence: its first letter is a capital one.
pub fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(letters).collect()
}

/// `a`, `a and b`, `a, b and c`; another word than `and` joins the last two.
pub fn joined(parts: &[String], word: &str) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [rest @ .., last] => format!("{} {word} {last}", rest.join(", ")),
    }
}

/// The letters and digits of a text in lower case, for comparisons that ignore spelling.
pub fn letters(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    // Whole READMEs come here, nearly all of them ASCII.
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

/// Numbers with blanks between, for scripts: `1 2 3`.
pub fn numbers<T: ToString>(numbers: impl IntoIterator<Item = T>) -> String {
    let numbers: Vec<String> = numbers
        .into_iter()
        .map(|number| number.to_string())
        .collect();
    numbers.join(" ")
}

/// How many names a sentence lists before it counts the rest.
const MAX_NAMES: usize = 20;

/// Names in a sentence.
pub fn listed<T: AsRef<str>>(names: &[T]) -> String {
    let names_listed: Vec<_> = names.iter().take(MAX_NAMES).map(AsRef::as_ref).collect();
    let text = names_listed.join(", ");
    match names.len().saturating_sub(MAX_NAMES) {
        0 => text,
        more => format!("{text} and {more} more"),
    }
}

/// The parts of a name between which a line can end: after a slash, and before a capital letter that
/// follows a small one. Together they are the name.
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

/// Text for a terminal or a log: control characters, and those that change the direction of text
/// or cannot be seen, are written as escapes (`\n`, `\u{202e}`). Values of reports can neither
/// move the cursor, nor pretend to be a line of our own, nor show its letters in another order.
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

/// Source lines for a terminal: like [`visible`], but each character stays one character, so that
/// columns stay what they are; line breaks and tabs are kept.
pub fn visible_source(text: &str) -> Cow<'_, str> {
    let mut bytes = text.bytes();
    if bytes.all(|byte| is_plain_byte(byte) || matches!(byte, b'\n' | b'\t')) {
        return Cow::Borrowed(text);
    }
    let picture = |c: char| match c {
        '\n' | '\t' => c,
        // The control pictures are in the order of the control characters.
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
    fn nothing_unseen_reaches_a_terminal() {
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
