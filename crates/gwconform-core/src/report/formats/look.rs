use std::borrow::Cow;

use unicode_security::skeleton;

/// In bytes. Longer texts are not words.
const MAX_LENGTH: usize = 200;

/// Replaces look-alikes of ASCII letters (Unicode Technical Standard 39), such as a Cyrillic `а`.
pub fn in_ascii_letters(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || text.len() > MAX_LENGTH {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().map(ascii_letter).collect())
}

fn ascii_letter(c: char) -> char {
    if c.is_ascii() {
        return c;
    }
    let looks = |c: char| skeleton(c.encode_utf8(&mut [0; 4])).collect::<String>();
    let look = looks(c);
    let mut letters = ('a'..='z').chain('A'..='Z').chain('0'..='9');
    letters.find(|letter| looks(*letter) == look).unwrap_or(c)
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
        let long = "\u{430}".repeat(200);
        assert_eq!(in_ascii_letters(&long), long);
    }
}
