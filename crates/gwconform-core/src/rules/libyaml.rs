//! Parses text with libyaml, on which YAML parsers of Kubernetes tools are based.

use serde::de::IgnoredAny;

/// Maximum size in bytes. The largest published report has 20 KB.
const MAX_BYTES: usize = 64 * 1024;

/// Parsing time is quadratic in the number of brackets.
const MAX_BRACKETS: usize = 200;

/// True if libyaml accepts the text. Texts over the limits are never accepted.
pub fn libyaml_reads(text: &str) -> bool {
    let brackets = text.bytes().filter(|byte| b"[{".contains(byte)).count();
    let is_bounded = text.len() <= MAX_BYTES && brackets <= MAX_BRACKETS;
    is_bounded && serde_yaml::from_str::<IgnoredAny>(text).is_ok()
}

#[cfg(test)]
mod tests {
    use super::libyaml_reads;

    #[test]
    fn it_reads_what_go_reads_and_is_not_asked_about_bombs() {
        assert!(libyaml_reads("a: \"b\nc\"\n"));
        assert!(!libyaml_reads("a: [\n"));
        assert!(!libyaml_reads(&format!(
            "{}{}",
            "[".repeat(300),
            "]".repeat(300)
        )));
        assert!(!libyaml_reads(&"a: b\n".repeat(20_000)));
    }
}
