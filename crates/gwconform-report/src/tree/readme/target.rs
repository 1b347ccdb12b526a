//! Classifies link targets by their text, without accessing files or the network.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

/// Link target, classified by its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// Empty text or only whitespace.
    Empty,
    /// Path relative to the README.
    Relative {
        /// Normalized and percent-decoded, without query, fragment and leading `/` or `..`. Empty
        /// for the starting folder.
        path: String,
        /// Number of folders to go up first.
        up: usize,
    },
    /// From the root of the repository or site, such as `/docs/x.md`.
    Rooted(String),
    /// Anchor in the same README, without `#`, as written.
    Fragment(String),
    /// URL with a scheme other than `mailto:`.
    Url {
        /// Scheme in lower case, such as `https`.
        scheme: String,
    },
    /// URL that inherits the scheme, such as `//example.com/x`.
    SchemeRelative,
    /// Email address with `mailto:`.
    Mail,
}

impl Target {
    /// Classifies a target as browsers do: surrounding whitespace is ignored, and `\` in a path
    /// equals `/`.
    pub fn new(target: &str) -> Self {
        let target = target.trim();
        if target.is_empty() {
            return Self::Empty;
        }
        if let Some(fragment) = target.strip_prefix('#') {
            return Self::Fragment(fragment.to_owned());
        }
        if let Some(scheme) = scheme_of(target) {
            let scheme = scheme.to_ascii_lowercase();
            return if scheme == "mailto" {
                Self::Mail
            } else {
                Self::Url { scheme }
            };
        }
        let is_slash = |byte: &u8| matches!(byte, b'/' | b'\\');
        let slashes = target.bytes().take_while(is_slash).take(2).count();
        match slashes {
            0 => relative(target),
            1 => Self::Rooted(target.to_owned()),
            _ => Self::SchemeRelative,
        }
    }
}

/// RFC 3986, section 3.1.
fn scheme_of(target: &str) -> Option<&str> {
    let (scheme, _) = target.split_once(':')?;
    let mut bytes = scheme.bytes();
    let first = bytes.next()?;
    let rest = bytes.all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    (first.is_ascii_alphabetic() && rest).then_some(scheme)
}

fn relative(target: &str) -> Target {
    let encoded_path = target.split(['?', '#']).next().unwrap_or_default();
    let path = percent_decode(encoded_path).replace('\\', "/");
    let mut names: Vec<&str> = Vec::new();
    let mut up = 0;
    // `%2e%2e%2f` goes up like `../`, and `%2Fetc` stays below.
    for name in path.split('/') {
        match name {
            "" | "." => {}
            ".." if names.is_empty() => up += 1,
            ".." => {
                names.pop();
            }
            name => names.push(name),
        }
    }
    Target::Relative {
        path: names.join("/"),
        up,
    }
}

fn percent_decode(text: &str) -> String {
    let decoded = percent_decode_str(text).decode_utf8();
    decoded.map_or_else(|_| text.to_owned(), Cow::into_owned)
}
