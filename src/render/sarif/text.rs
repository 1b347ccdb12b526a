//! Strings in SARIF: messages and addresses.

use crate::text::visible;

/// A plain text message (SARIF 2.1.0, 3.11). Braces make placeholders there and are doubled; `](`
/// makes a link, which a report must not put into ours.
pub(super) fn message(text: &str) -> String {
    visible(text)
        .replace('{', "{{")
        .replace('}', "}}")
        .replace("](", "] (")
}

/// A printed path as a URI, relative unless the path is absolute (RFC 3986: all but unreserved
/// characters and `/` is percent-encoded, so that no colon makes a scheme of a folder's name).
pub(super) fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    if path.starts_with('/') {
        uri.push_str("file://");
    }
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(byte as char);
            }
            byte => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::{message, uri};

    #[test]
    fn nothing_of_a_string_is_a_link_or_a_placeholder() {
        assert_eq!(message("[x](1) {0}\n"), "[x] (1) {{0}}\\n");
        assert_eq!(uri("a b/ü:%?#.yaml"), "a%20b/%C3%BC%3A%25%3F%23.yaml");
        assert_eq!(uri("/srv/x"), "file:///srv/x");
    }
}
