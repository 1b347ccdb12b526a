use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

/// Style and script within a page, which its Content Security Policy permits by their digests.
pub(super) struct Inline {
    pub(super) style: &'static str,
    pub(super) script: Option<&'static str>,
    pub(super) policy: String,
}

impl Inline {
    pub(super) fn new(style: &'static str, script: Option<&'static str>) -> Self {
        let own = script.map_or_else(String::new, |script| format!(" '{}'", digest(script)));
        Self {
            policy: format!(
                "default-src 'none'; style-src '{}'; script-src 'self'{own}; img-src 'self'; \
                 connect-src 'self'; base-uri 'none'; form-action 'self'",
                digest(style)
            ),
            style,
            script,
        }
    }
}

/// Source expression of a Content Security Policy: `sha256-` and the digest in Base64.
fn digest(text: &str) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digest = Sha256::digest(text.as_bytes());
    let mut encoded = "sha256-".to_owned();
    for bytes in digest.chunks(3) {
        let mut group = [0; 3];
        group[..bytes.len()].copy_from_slice(bytes);
        let [a, b, c] = group.map(u32::from);
        let bits = a << 16 | b << 8 | c;
        for at in 0..4 {
            let digit = ALPHABET[(bits >> (18 - 6 * at) & 63) as usize] as char;
            let is_padding = at > bytes.len();
            let _ = write!(encoded, "{}", if is_padding { '=' } else { digit });
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::digest;

    #[test]
    fn a_digest_is_a_source_expression() {
        assert_eq!(
            digest("alert('Hello, world.');"),
            "sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng="
        );
    }
}
