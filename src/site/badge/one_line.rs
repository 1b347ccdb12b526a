use gwconform_base::text::source::is_invisible;

/// Maximum characters. Longer text is truncated with an ellipsis.
const MAX_CHARACTERS: usize = 80;

/// Removes invisible characters and those that XML forbids, collapses whitespace, and truncates
/// long text.
pub(super) fn one_line(text: &str) -> String {
    let mut line = String::new();
    let (mut count, mut is_space_due) = (0, false);
    for c in text.chars() {
        if c.is_whitespace() {
            is_space_due = !line.is_empty();
            continue;
        }
        // The last two code points of each Unicode plane are noncharacters.
        if is_invisible(c) || c as u32 & 0xFFFE == 0xFFFE {
            continue;
        }
        if count + usize::from(is_space_due) >= MAX_CHARACTERS {
            line.push('…');
            break;
        }
        if std::mem::take(&mut is_space_due) {
            line.push(' ');
            count += 1;
        }
        line.push(c);
        count += 1;
    }
    line
}

#[cfg(test)]
mod tests {
    use super::one_line;

    #[test]
    fn texts_are_one_bounded_line() {
        assert_eq!(one_line(" a\r\n\t b\u{0}c\u{202e}d\u{fffe} "), "a bcd");
        assert_eq!(one_line("\u{1b}\u{200b}"), "");
        let long = one_line(&"ab ".repeat(10_000));
        assert_eq!(long.chars().count(), 81);
        assert!(long.ends_with("ab ab…"), "{long}");
        assert_eq!(one_line(&"x".repeat(80)), "x".repeat(80));
        assert_eq!(one_line(&"x".repeat(81)), "x".repeat(80) + "…");
    }
}
