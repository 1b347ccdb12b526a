use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

use unicode_security::skeleton;

/// Replaces look-alikes of ASCII letters (Unicode Technical Standard 39), such as a Cyrillic `а`.
pub(crate) fn in_ascii_letters(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().map(ascii_letter).collect())
}

fn ascii_letter(c: char) -> char {
    if c.is_ascii() {
        return c;
    }
    static LETTERS: LazyLock<HashMap<String, char>> = LazyLock::new(|| {
        let letters = ('a'..='z').chain('A'..='Z').chain('0'..='9').rev();
        letters.map(|letter| (look(letter), letter)).collect()
    });
    LETTERS.get(&look(c)).copied().unwrap_or(c)
}

fn look(c: char) -> String {
    skeleton(c.encode_utf8(&mut [0; 4])).collect()
}

#[cfg(test)]
mod tests {
    use super::in_ascii_letters;

    #[test]
    fn letters_of_other_scripts_are_read_as_they_look() {
        for (text, read) in [
            ("main", "main"),
            ("m\u{430}in", "main"),
            ("\u{ff4d}\u{430}\u{456}n", "main"),
            ("un\u{3ba}nown", "un\u{3ba}nown"),
            ("l\u{430}t\u{435}st", "latest"),
            ("東京", "東京"),
        ] {
            assert_eq!(in_ascii_letters(text), read, "{text}");
        }
    }
}
