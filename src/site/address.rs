//! The address of the site, and ids for the entries of feeds.

use fluent_uri::Uri;

use crate::formats::is_web_address;

/// Stands in the ids of feeds for the host of a site whose address is not known. The name is
/// reserved: nobody can ever own it (RFC 6761).
pub const FALLBACK_AUTHORITY: &str = "gwconform.invalid";

/// The address at which the site is served; it ends with a slash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaseUrl {
    text: String,
    host: String,
    path: String,
}

/// Why a text is not the address of a site.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not the address of a site, expected one like https://acme.example/gwconform")]
pub struct NotABaseUrl(String);

impl BaseUrl {
    /// Reads an address: http or https, a host, perhaps a port and a path. A slash at its end may
    /// be left out.
    ///
    /// # Errors
    /// When it is none, or has a user name, a query or a fragment.
    pub fn parse(text: &str) -> Result<Self, NotABaseUrl> {
        let refused = || NotABaseUrl(text.to_owned());
        if !is_web_address(text) {
            return Err(refused());
        }
        let uri = Uri::parse(text).map_err(|_| refused())?;
        let authority = uri.authority().ok_or_else(refused)?;
        let has_more = uri.has_query() || uri.has_fragment() || authority.has_userinfo();
        if has_more {
            return Err(refused());
        }
        Ok(Self {
            text: format!("{}/", text.trim_end_matches('/')),
            host: authority.host().to_ascii_lowercase(),
            path: uri.path().as_str().trim_matches('/').to_owned(),
        })
    }

    /// The address of the site, with a slash at its end.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The address of a file of the site.
    pub fn join(&self, path: &str) -> String {
        format!("{}{path}", self.text)
    }
}

/// A `tag:` id (RFC 4151): the host of the site, the year from which on these ids are given, then
/// the path of the site on its host and `parts`. It depends on nothing else, so it stays what it is
/// whatever is added to the site.
pub(super) fn tag(base: Option<&BaseUrl>, parts: &[&str]) -> String {
    let authority = base.map(|base| base.host.as_str());
    let authority = authority.filter(|host| is_dns_name(host));
    let mut tag = format!("tag:{},2026:", authority.unwrap_or(FALLBACK_AUTHORITY));
    let path = base.map_or("", |base| &base.path);
    let path = path.split('/').filter(|part| !part.is_empty());
    let parts = path.chain(parts.iter().copied());
    for (at, part) in parts.enumerate() {
        if at > 0 {
            tag.push('/');
        }
        tag.push_str(&encoded(part));
    }
    tag
}

/// RFC 4151 knows names of hosts only, neither IPv6 addresses nor percent signs.
fn is_dns_name(host: &str) -> bool {
    let is_label = |label: &str| {
        let inner = |c: char| c.is_ascii_alphanumeric() || c == '-';
        !label.is_empty()
            && label.chars().all(inner)
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    host.split('.').all(is_label)
}

/// Percent-encodes all but letters, digits and `-._~`.
fn encoded(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::{BaseUrl, tag};

    #[test]
    fn addresses_of_sites() {
        for (text, joined) in [
            ("https://acme.example", "https://acme.example/a.json"),
            ("https://acme.example/", "https://acme.example/a.json"),
            (
                "http://acme.example:8080/x/y",
                "http://acme.example:8080/x/y/a.json",
            ),
        ] {
            assert_eq!(BaseUrl::parse(text).unwrap().join("a.json"), joined);
        }
        for text in [
            "",
            "acme.example",
            "/x",
            "ftp://acme.example",
            "https://acme.example/?q",
            "https://acme.example/#f",
            "https://me@acme.example/",
            "https://acme.example/\"><script>",
        ] {
            assert!(BaseUrl::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn ids_are_tags() {
        let base = |text| Some(BaseUrl::parse(text).unwrap());
        for (base, id) in [
            (None, "tag:gwconform.invalid,2026:report/a%2Fb%20%C3%A9"),
            (
                base("https://Acme.example:8080/x/"),
                "tag:acme.example,2026:x/report/a%2Fb%20%C3%A9",
            ),
            (
                base("http://[::1]/"),
                "tag:gwconform.invalid,2026:report/a%2Fb%20%C3%A9",
            ),
        ] {
            assert_eq!(tag(base.as_ref(), &["report", "a/b é"]), id);
        }
    }
}
