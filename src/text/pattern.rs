//! The regular expressions of the library: the only place that compiles any, and a test compiles them all.

use std::sync::OnceLock;

use regex::Regex;

/// A regular expression that is compiled when it is first used.
pub(crate) struct Pattern {
    text: &'static str,
    compiled: OnceLock<Option<Regex>>,
}

/// A GitHub user or team, or an email address.
pub(crate) static HANDLE_OR_MAIL: Pattern = Pattern::new(concat!(
    "^(?:",
    r"@[A-Za-z0-9](?:[A-Za-z0-9-]{0,37}[A-Za-z0-9])?(?:/[A-Za-z0-9][A-Za-z0-9._-]*)?",
    "|",
    r"(?:mailto:)?[^\s@<>():]+@[^\s@<>()./:]+(?:\.[^\s@<>()./:]+)+",
    ")$",
));

/// Escaped text that GitHub links and that notifies the target of the link, whatever escapes were used:
/// people and teams (`@name`), issues (`#1`, `owner/repository#1`, `GH-1`) and commits
/// (`owner/repository@4d5e6f7`, `4d5e6f7`).
pub(crate) static REFERENCE: Pattern = Pattern::new(r"(?i-u)\\[@#]|GH-|\b[0-9a-f]{7,40}\b");

impl Pattern {
    const fn new(text: &'static str) -> Self {
        let compiled = OnceLock::new();
        Self { text, compiled }
    }

    /// The compiled expression. `None` only if it does not compile, which the test below rules out; the
    /// caller then does what is safe.
    #[expect(clippy::disallowed_methods, reason = "the one place")]
    pub(crate) fn regex(&self) -> Option<&Regex> {
        let compiled = self.compiled.get_or_init(|| Regex::new(self.text).ok());
        compiled.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::{HANDLE_OR_MAIL, REFERENCE};

    #[test]
    fn each_pattern_compiles_with_the_features_that_are_declared() {
        // Another crate can turn a feature on, so the manifest shows what this crate relies on.
        let manifest: toml::Table = toml::from_str(include_str!("../../Cargo.toml")).unwrap();
        let features = manifest["dependencies"]["regex"]["features"].as_array();
        let has_classes = features
            .unwrap()
            .iter()
            .any(|one| one.as_str() == Some("unicode-perl"));
        for pattern in [&HANDLE_OR_MAIL, &REFERENCE] {
            assert!(pattern.regex().is_some(), "{}", pattern.text);
            let is_ascii = pattern.text.contains("-u)");
            let classes = [r"\s", r"\d", r"\w", r"\b", r"\S", r"\D", r"\W", r"\B"];
            let has_class = classes.iter().any(|class| pattern.text.contains(class));
            assert!(is_ascii || !has_class || has_classes, "{}", pattern.text);
        }
    }
}
