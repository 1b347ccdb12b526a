//! Regular expressions of the crate. A test compiles all of them.

use std::sync::LazyLock;

use regex::Regex;

/// Contacts of a report: a handle such as `@org/team`, or an email address.
pub static HANDLE_OR_MAIL: LazyLock<Regex> = LazyLock::new(|| {
    compiled(concat!(
        "^(?:",
        r"@[A-Za-z0-9](?:[A-Za-z0-9-]{0,37}[A-Za-z0-9])?(?:/[A-Za-z0-9][A-Za-z0-9._-]*)?",
        "|",
        r"(?:mailto:)?[^\s@<>():]+@[^\s@<>()./:]+(?:\.[^\s@<>()./:]+)+",
        ")$",
    ))
});

/// References that GitHub links despite escapes, and that may notify people: mentions (`@name`),
/// issues (`#1`, `owner/repository#1`, `GH-1`) and commits (`4d5e6f7`).
pub(crate) static REFERENCE: LazyLock<Regex> =
    LazyLock::new(|| compiled(r"(?i-u)\\[@#]|GH-|\b[0-9a-f]{7,40}\b"));

#[expect(
    clippy::disallowed_methods,
    reason = "only this function compiles patterns"
)]
#[expect(clippy::expect_used, reason = "a test compiles all patterns")]
fn compiled(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a pattern that compiles")
}

#[cfg(test)]
mod tests {
    use super::{HANDLE_OR_MAIL, REFERENCE};

    #[test]
    fn each_pattern_compiles_with_the_features_that_are_declared() {
        // Cargo unifies features across crates, so the compiled crate proves nothing.
        let manifest: toml::Table = toml::from_str(include_str!("../../../../Cargo.toml")).unwrap();
        let features = manifest["workspace"]["dependencies"]["regex"]["features"].as_array();
        let has_classes = features
            .unwrap()
            .iter()
            .any(|one| one.as_str() == Some("unicode-perl"));
        for pattern in [&HANDLE_OR_MAIL, &REFERENCE] {
            let text = pattern.as_str();
            let is_ascii = text.contains("-u)");
            let classes = [r"\s", r"\d", r"\w", r"\b", r"\S", r"\D", r"\W", r"\B"];
            let has_class = classes.iter().any(|class| text.contains(class));
            assert!(is_ascii || !has_class || has_classes, "{text}");
        }
    }
}
