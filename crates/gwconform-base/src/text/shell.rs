//! Quotes untrusted arguments of printed commands.

use std::borrow::Cow;

use crate::text::source::is_invisible;

/// Quotes a word for a POSIX shell. Returns `None` for invisible characters, which users could not
/// review.
pub fn word(text: &str) -> Option<Cow<'_, str>> {
    // `shlex` quotes some of these characters unnecessarily.
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.,/:@%+=".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        return Some(Cow::Borrowed(text));
    }
    if text.contains(is_invisible) {
        return None;
    }
    if text.contains("##[") {
        // GitHub Actions reads `##[` as a command. A shell ignores the quotes in it.
        let text = text.replace('\'', "'\\''").replace("##[", "##''[");
        return Some(Cow::Owned(format!("'{text}'")));
    }
    shlex::try_quote(text).ok()
}

/// Messages would truncate longer arguments.
const MAX_CHARACTERS: usize = 100;

/// Formats `--name=value`. `None` if backticks or its length prevent copying from a message.
pub fn flag(name: &str, value: &str) -> Option<String> {
    let word = word(value).filter(|quoted| !quoted.contains('`'))?;
    (word.chars().count() <= MAX_CHARACTERS).then(|| format!("--{name}={word}"))
}

#[cfg(test)]
mod tests {
    use super::{flag, word};

    #[test]
    fn quotes_words_as_one_argument() {
        let word = |text| word(text).map(std::borrow::Cow::into_owned);
        assert_eq!(word("a,b/c=d").as_deref(), Some("a,b/c=d"));
        assert_eq!(word("").as_deref(), Some("''"));
        assert_eq!(word("$(id)").as_deref(), Some("'$(id)'"));
        assert_eq!(word("~").as_deref(), Some("'~'"));
        assert_eq!(word("a\nb"), None);
        assert_eq!(word("a\u{202e}b"), None);
        assert_eq!(flag("mode", "a b").as_deref(), Some("--mode='a b'"));
        assert_eq!(flag("mode", "`id`"), None);
        assert_eq!(flag("mode", &"a".repeat(101)), None);
    }

    #[cfg(unix)]
    #[test]
    #[allow(
        clippy::disallowed_methods,
        reason = "the test runs the installed shells"
    )]
    fn a_shell_gives_back_what_was_quoted() {
        let hostile = [
            "",
            " ",
            "a b",
            "$(id)",
            "`id`",
            "'",
            "''",
            "\"",
            "\\",
            "a'b\"c\\d$e`f`",
            "*",
            "?",
            "~",
            "~root",
            "#x",
            "-n",
            "--",
            ";id",
            "&",
            "|id",
            ">x",
            "<x",
            "(",
            ")",
            "{a,b}",
            "[a]",
            "!x",
            "!!",
            "^a^b",
            "%",
            "=",
            "$'x'",
            "$x",
            "${x}",
            "é😀",
            "\u{a0}",
            "'; id; '",
            "-- -x",
            "a\\",
            "##[error]x",
            "'##[##['[##[",
        ];
        for text in hostile {
            let word = word(text).unwrap();
            let script = format!("printf '%s\\0' x{word} {word}");
            for shell in ["sh", "bash"] {
                let Ok(output) = std::process::Command::new(shell)
                    .args(["-c", &script])
                    .output()
                else {
                    continue;
                };
                let printed = String::from_utf8(output.stdout).unwrap();
                assert_eq!(printed, format!("x{text}\0{text}\0"), "{shell}: {word}");
            }
        }
    }
}
