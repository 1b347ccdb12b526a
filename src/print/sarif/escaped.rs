use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use gwconform_base::text::visible;

/// Plain text message (SARIF 2.1.0, 3.11). Braces are doubled, because a single brace marks a
/// placeholder. `](` is split, so that report text cannot create links.
pub(super) fn message(text: &str) -> String {
    visible(text)
        .replace('{', "{{")
        .replace('}', "}}")
        .replace("](", "] (")
}

/// Percent-encodes all characters except `/` and the unreserved characters of RFC 3986.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~')
    .remove(b'/');

/// Percent-encodes a path (RFC 3986). A colon is encoded, so that a folder name is not a URI
/// scheme.
pub(super) fn uri(path: &str) -> String {
    let scheme = if path.starts_with('/') { "file://" } else { "" };
    format!("{scheme}{}", utf8_percent_encode(path, RESERVED))
}

#[cfg(test)]
mod tests {
    use super::{message, uri};

    #[test]
    fn escapes_links_and_placeholders() {
        assert_eq!(message("[x](1) {0}\n"), "[x] (1) {{0}}\\n");
        assert_eq!(uri("a b/ü:%?#.yaml"), "a%20b/%C3%BC%3A%25%3F%23.yaml");
        assert_eq!(uri("/srv/x"), "file:///srv/x");
    }
}
