//! Findings to text: one file per output format.

pub mod certify;
pub mod diff;
pub mod escape;
pub mod facts;
pub mod human;
pub mod json;

/// Text for a terminal or a log: control characters, and those that change the direction of text
/// or cannot be seen, are written as escapes (`\n`, `\u{202e}`). What a report says can neither
/// move the cursor, nor pretend to be a line of our own, nor show its letters in another order.
pub fn visible(text: &str) -> String {
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
pub fn visible_source(text: &str) -> String {
    let picture = |c: char| match c {
        '\n' | '\t' => c,
        // The control pictures stand in the order of the control characters.
        '\0'..'\u{20}' => char::from_u32(0x2400 + c as u32).unwrap_or('\u{FFFD}'),
        '\u{7F}' => '\u{2421}',
        c if is_invisible(c) => '\u{FFFD}',
        c => c,
    };
    text.chars().map(picture).collect()
}

/// Control characters, directional controls, line separators, and characters without width.
pub(crate) fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{AD}' | '\u{61C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}')
}

/// `1 error`, `2 errors`.
pub fn counted(count: usize, noun: &str) -> String {
    if count == 1 {
        format!("1 {noun}")
    } else {
        format!("{count} {noun}s")
    }
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
