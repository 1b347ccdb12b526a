//! A second opinion: whether the family of libyaml, with which Kubernetes' tools read YAML, reads a
//! text that the parser of record refuses.

use serde::de::IgnoredAny;

/// Longest text that is checked, in bytes; the largest real report has 20 KB.
const MAX_BYTES: usize = 64 * 1024;

/// Most brackets and braces in it: that parser takes time that grows with their square.
const MAX_BRACKETS: usize = 200;

/// True when the text is read as one document. Of long or deeply nested texts nothing is known:
/// false.
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
