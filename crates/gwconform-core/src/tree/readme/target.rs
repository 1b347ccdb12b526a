//! Where a link leads, determined from its text alone.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

/// A link target split into parts. Nothing is opened or fetched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// Nothing but white space.
    Empty,
    /// A path relative to the README.
    Relative {
        /// Percent-decoded, with `/` between names, without query and fragment, `.` and inner
        /// `..`; never begins with `/` or `..`. Empty for the folder it starts from.
        path: String,
        /// Folders to go up before `path` begins: 3 leave the tree from a submission.
        up: usize,
    },
    /// A path from the root of the repository or site (`/docs/x.md`), as written.
    Rooted(String),
    /// A place in the README itself: `#reproduce` without the `#`, as written.
    Fragment(String),
    /// Anything with a scheme but mail.
    Url {
        /// In lower case: `https`.
        scheme: String,
    },
    /// `//example.com/x`.
    SchemeRelative,
    /// `mailto:`.
    Mail,
}

impl Target {
    /// Classifies a target as browsers do: white space around it is dropped and `\` in a path is
    /// a `/`.
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

/// The scheme by the grammar of RFC 3986, section 3.1.
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
    // Taken apart after decoding: `%2e%2e%2f` goes up as `../` does, and `%2Fetc` stays below.
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

/// Decodes `%XX`; what is not well formed or not UTF-8 stays as it is.
fn percent_decode(text: &str) -> String {
    let decoded = percent_decode_str(text).decode_utf8();
    decoded.map_or_else(|_| text.to_owned(), Cow::into_owned)
}
