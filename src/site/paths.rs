//! Builds the paths and URLs of the site. Paths are relative to the site root and use `/`. A page
//! path is a folder with a trailing slash, empty for the home page. This module depends on no other
//! site module.

use std::fmt::Display;

use fluent_uri::Uri;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use crate::site::badge::About;
use gwconform_base::api::Minor;
use gwconform_report::report::formats::is_web_address;

/// Host in feed IDs if the base URL is unknown. RFC 6761 reserves `.invalid`.
pub const FALLBACK_AUTHORITY: &str = "gwconform.invalid";

pub(super) const HOME_PAGE: &str = "";
pub(super) const ABOUT_PAGE: &str = "about/";
pub(super) const ANSWER_PAGE: &str = "answer/";
pub(super) const API_PAGE: &str = "api/";
pub(super) const BADGES_PAGE: &str = "badges/";
pub(super) const CALENDAR_PAGE: &str = "calendar/";
pub(super) const CHANGES_PAGE: &str = "changes/";
pub(super) const CHECK_PAGE: &str = "check/";
pub(super) const COMPARE_PAGE: &str = "compare/";
pub(super) const FINDINGS_PAGE: &str = "findings/";
pub(super) const FEATURES_PAGE: &str = "features/";
pub(super) const FIND_PAGE: &str = "find/";
pub(super) const IMPLEMENTATIONS_PAGE: &str = "implementations/";
pub(super) const MATRICES_PAGE: &str = "matrix/";
pub(super) const OUTLOOK_PAGE: &str = "outlook/";
pub(super) const RULES_PAGE: &str = "rules/";
pub(super) const TESTS_PAGE: &str = "tests/";

/// The only page that is not an `index.html` file.
pub(super) const NOT_FOUND: &str = "404.html";

pub(super) const ROBOTS: &str = "robots.txt";
pub(super) const SITEMAP: &str = "sitemap.xml";

pub(super) fn sitemap_part(number: usize) -> String {
    format!("sitemap-{number}.xml")
}

pub(super) const FEED: &str = "feed.atom";

/// Folder of the data files, relative to the site root.
pub const DATA_FOLDER: &str = "api/v1";

pub(super) fn implementation_page(slug: &str) -> String {
    [IMPLEMENTATIONS_PAGE, slug, "/"].concat()
}

pub(super) fn implementation_changes_page(slug: &str) -> String {
    format!("{}changes/", implementation_page(slug))
}

pub(super) fn gaps_page(slug: &str) -> String {
    format!("{}gaps/", implementation_page(slug))
}

pub(super) fn implementation_feed(slug: &str) -> String {
    format!("{}{FEED}", implementation_page(slug))
}

pub(super) fn report_page(id: &str) -> String {
    [IMPLEMENTATIONS_PAGE, id, "/"].concat()
}

pub(super) fn feature_page(name: &str) -> String {
    [FEATURES_PAGE, name, "/"].concat()
}

pub(super) fn feature_feed(name: &str) -> String {
    format!("{}{FEED}", feature_page(name))
}

pub(super) fn matrix_page(minor: impl Display, profile: &str) -> String {
    format!("{MATRICES_PAGE}{minor}/{profile}/")
}

/// One part of a matrix that is too wide for one page. Later parts are numbered from 2.
pub(super) fn matrix_part(minor: impl Display, profile: &str, number: usize) -> String {
    match number {
        0 | 1 => matrix_page(minor, profile),
        number => format!("{}{number}/", matrix_page(minor, profile)),
    }
}

pub(super) fn outlook_page(slug: &str) -> String {
    format!("{OUTLOOK_PAGE}{slug}/")
}

pub(super) fn rule_page(id: &str) -> String {
    [RULES_PAGE, id, "/"].concat()
}

pub(super) fn test_page(name: &str) -> String {
    [TESTS_PAGE, name, "/"].concat()
}

pub(super) fn page_file(page: &str) -> String {
    format!("{page}index.html")
}

pub(super) fn data_file(name: &str) -> String {
    format!("{DATA_FOLDER}/{name}")
}

/// Part of a split data file; parts are counted from 1.
pub(super) fn data_part(name: &str, part: usize) -> String {
    format!("{name}/{part}")
}

/// Data of one feature, next to the parts of all features.
pub(super) fn feature_data(name: &str) -> String {
    format!("features/{name}")
}

pub(super) fn matrix_data(minor: impl Display, profile: &str) -> String {
    format!("matrix/{minor}/{profile}")
}

pub(super) fn support_data(parts: usize) -> Vec<String> {
    match parts {
        0 | 1 => vec!["support".to_owned()],
        parts => (1..=parts).map(|part| data_part("support", part)).collect(),
    }
}

pub(super) fn schema_file(name: &str) -> String {
    format!("{DATA_FOLDER}/schema/{name}.schema.json")
}

pub(super) fn asset_file(name: &str, digest: &str) -> String {
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    format!("assets/{stem}.{digest}.{extension}")
}

/// ID of a section on a changes page. `release` and `report` must be URL segments.
pub(super) fn changes_section(release: &str, report: &str) -> String {
    // Some tools accept only letters, digits, `-` and `_` in IDs.
    format!("{release}_{report}").replace('.', "-")
}

pub(super) fn changes_of(minor: Option<Minor>) -> String {
    minor.map_or_else(
        || "others".to_owned(),
        |minor| minor.to_string().replace('.', "-"),
    )
}

pub(super) fn in_repository(source: &str, path: &str) -> String {
    let mut address = source.trim_end_matches('/').to_owned();
    for part in path.split('/').filter(|part| !part.is_empty()) {
        address.push('/');
        address.extend(utf8_percent_encode(part, RESERVED));
    }
    address
}

pub(super) const FEATURES_SECTION: &str = "features";

pub(super) fn feature_row(name: &str) -> String {
    ["f-", name].concat()
}

pub(super) fn badge_image(about: &About<'_>, slug: &str) -> String {
    format!("{BADGES_PAGE}{}.svg", about.path(slug))
}

/// Badge of a feature, as an image (`svg`) or for shields.io (`json`). The folders below `badges/`
/// belong to implementations.
pub(super) fn feature_badge(name: &str, extension: &str) -> String {
    format!("{}badge.{extension}", feature_page(name))
}

/// Relative path to the site root, such as `../../`; empty at the root.
pub(super) fn to_root(from: &str) -> String {
    "../".repeat(from.matches('/').count())
}

pub(super) fn relative(to_root: &str, to: &str) -> String {
    if to_root.is_empty() && to.is_empty() {
        "./".to_owned()
    } else {
        [to_root, to].concat()
    }
}

/// URL of the site, with a trailing slash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaseUrl {
    text: String,
    host: String,
    path: String,
}

/// The text is not an `http` or `https` URL, or has a user name, query or fragment.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not the URL of a site; expected a URL such as https://acme.example/gwconform")]
pub struct NotABaseUrl(String);

impl BaseUrl {
    /// Parses an `http` or `https` URL without user name, query and fragment. The trailing slash is
    /// optional.
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

    /// URL with its trailing slash.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Absolute URL of a file. `path` is relative to the site root.
    pub fn join(&self, path: &str) -> String {
        format!("{}{path}", self.text)
    }
}

/// Percent-encodes all characters except the unreserved characters of RFC 3986.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// Builds a `tag:` URI (RFC 4151) from host, a fixed year, URL path and `parts`, so IDs never
/// change.
pub(super) fn tag(base: Option<&BaseUrl>, parts: &[&str]) -> String {
    let authority = base
        .map(|base| base.host.as_str())
        .filter(|host| is_dns_name(host));
    let mut tag = format!("tag:{},2026:", authority.unwrap_or(FALLBACK_AUTHORITY));
    let folders = base.map_or("", |base| &base.path).split('/');
    let parts = folders
        .filter(|part| !part.is_empty())
        .chain(parts.iter().copied());
    for (at, part) in parts.enumerate() {
        if at > 0 {
            tag.push('/');
        }
        tag.extend(utf8_percent_encode(part, RESERVED));
    }
    tag
}

/// Checks whether RFC 4151 allows the host in a `tag:` URI. IPv6 addresses and percent signs are
/// not allowed.
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

#[cfg(test)]
mod tests {
    use super::{BaseUrl, in_repository, relative, tag, to_root};

    #[test]
    fn parses_addresses_of_sites() {
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
    fn computes_addresses_in_a_repository() {
        let source = "https://acme.example/tree/main/reports/";
        let address = in_repository(source, "v1.5/acme operator/a\"b.yaml");
        assert_eq!(
            address,
            "https://acme.example/tree/main/reports/v1.5/acme%20operator/a%22b.yaml"
        );
    }

    #[test]
    fn computes_addresses_from_page_to_page() {
        for (from, to, address) in [
            ("", "", "./"),
            ("", "find/", "find/"),
            ("find/", "", "../"),
            ("features/HTTPRoute/", "feed.atom", "../../feed.atom"),
        ] {
            assert_eq!(relative(&to_root(from), to), address);
        }
    }

    #[test]
    fn computes_ids_as_tag_uris() {
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
