//! Every address of the site: pages, data files, feeds, assets and badges, and the address of the
//! site itself.
//!
//! A path is relative to the site's folder and uses `/`. The path of a page is its folder, with a
//! slash at its end; that of the home page is empty. This module uses no other module of the site.

use std::fmt::Display;

use fluent_uri::Uri;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use crate::api::Minor;
use crate::report::formats::is_web_address;
use crate::site::badge::About;

/// The authority in the ids of feeds when the address of the site is not known. The name is
/// reserved and cannot be registered (RFC 6761).
pub const FALLBACK_AUTHORITY: &str = "gwconform.invalid";

pub(super) const HOME_PAGE: &str = "";
pub(super) const ABOUT_PAGE: &str = "about/";
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

/// What a server shows for an address that leads nowhere. It is the only page that is not a folder's.
pub(super) const NOT_FOUND: &str = "404.html";

/// For crawlers: what they may read, and the list of all pages.
pub(super) const ROBOTS: &str = "robots.txt";
pub(super) const SITEMAP: &str = "sitemap.xml";

/// A part of the list of all pages, where one file cannot hold it.
pub(super) fn sitemap_part(number: usize) -> String {
    format!("sitemap-{number}.xml")
}

/// The feed of all reports.
pub(super) const FEED: &str = "feed.atom";

/// The folder of the data files.
pub const DATA_FOLDER: &str = "api/v1";

/// The page of an implementation.
pub(super) fn implementation_page(slug: &str) -> String {
    format!("{IMPLEMENTATIONS_PAGE}{slug}/")
}

/// The page with the history of an implementation.
pub(super) fn implementation_changes_page(slug: &str) -> String {
    format!("{}changes/", implementation_page(slug))
}

/// The feed of an implementation.
pub(super) fn implementation_feed(slug: &str) -> String {
    format!("{}{FEED}", implementation_page(slug))
}

/// The page of a report, by its id `<implementation>/<release>/<report>`.
pub(super) fn report_page(id: &str) -> String {
    format!("{IMPLEMENTATIONS_PAGE}{id}/")
}

/// The page of a feature.
pub(super) fn feature_page(name: &str) -> String {
    format!("{FEATURES_PAGE}{name}/")
}

/// The feed of a feature.
pub(super) fn feature_feed(name: &str) -> String {
    format!("{}{FEED}", feature_page(name))
}

/// The page of the matrix of a minor and a profile.
pub(super) fn matrix_page(minor: impl Display, profile: &str) -> String {
    format!("{MATRICES_PAGE}{minor}/{profile}/")
}

/// A part of a matrix that is too wide for one page: the second one has the number 2.
pub(super) fn matrix_part(minor: impl Display, profile: &str, number: usize) -> String {
    match number {
        0 | 1 => matrix_page(minor, profile),
        number => format!("{}{number}/", matrix_page(minor, profile)),
    }
}

/// The page with what the next release means for an implementation.
pub(super) fn outlook_page(slug: &str) -> String {
    format!("{OUTLOOK_PAGE}{slug}/")
}

/// The page of a rule.
pub(super) fn rule_page(id: &str) -> String {
    format!("{RULES_PAGE}{id}/")
}

/// The HTML file of a page.
pub(super) fn page_file(page: &str) -> String {
    format!("{page}index.html")
}

/// A data file, by its name with extension: `reports.json`.
pub(super) fn data_file(name: &str) -> String {
    format!("{DATA_FOLDER}/{name}")
}

/// The name of the data of a matrix, without an extension.
pub(super) fn matrix_data(minor: impl Display, profile: &str) -> String {
    format!("matrix/{minor}/{profile}")
}

/// The names of the data that pages search, without extensions: one, or several parts.
pub(super) fn support_data(parts: usize) -> Vec<String> {
    match parts {
        0 | 1 => vec!["support".to_owned()],
        parts => (1..=parts).map(|part| format!("support/{part}")).collect(),
    }
}

/// The JSON Schema of a data file.
pub(super) fn schema_file(name: &str) -> String {
    format!("{DATA_FOLDER}/schema/{name}.schema.json")
}

/// A static file: `digest` becomes part of its name.
pub(super) fn asset_file(name: &str, digest: &str) -> String {
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    format!("assets/{stem}.{digest}.{extension}")
}

/// The section with the changes of a report in the page with the history of its implementation, by
/// the report's release and name in addresses.
pub(super) fn changes_section(release: &str, report: &str) -> String {
    // Only letters, digits, - and _ make an id that every tool takes.
    format!("{release}_{report}").replace('.', "-")
}

/// The section of the page of all changes with those for a minor.
pub(super) fn changes_of(minor: Option<Minor>) -> String {
    minor.map_or_else(
        || "others".to_owned(),
        |minor| minor.to_string().replace('.', "-"),
    )
}

/// The address of a file or folder of the reports tree below the address of the tree.
pub(super) fn in_repository(source: &str, path: &str) -> String {
    let mut address = source.trim_end_matches('/').to_owned();
    for part in path.split('/').filter(|part| !part.is_empty()) {
        address.push('/');
        address.extend(utf8_percent_encode(part, RESERVED));
    }
    address
}

/// The section of a report's page with its features.
pub(super) const FEATURES_SECTION: &str = "features";

/// The row of a feature in a page with a table of features.
pub(super) fn feature_row(name: &str) -> String {
    format!("f-{name}")
}

/// The image of a badge.
pub(super) fn badge_image(about: &About<'_>, slug: &str) -> String {
    format!("{BADGES_PAGE}{}.svg", about.path(slug))
}

/// The way from a page or another file to the site's folder: `../../`, empty at its top.
pub(super) fn to_root(from: &str) -> String {
    "../".repeat(from.matches('/').count())
}

/// The relative address of `to` in a page from which `to_root` leads to the site's folder.
pub(super) fn relative(to_root: &str, to: &str) -> String {
    match to_root.is_empty() && to.is_empty() {
        true => "./".to_owned(),
        false => [to_root, to].concat(),
    }
}

/// The address at which the site is served; it ends with a slash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaseUrl {
    text: String,
    host: String,
    path: String,
}

/// Why a text is not the address of a site.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not the URL of a site; expected a URL such as https://acme.example/gwconform")]
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

/// All but the unreserved characters of RFC 3986.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// A `tag:` id (RFC 4151): the host of the site, the year from which on these ids are given, then
/// the path of the site on its host and `parts`. It depends on nothing else, so it stays what it is
/// whatever is added to the site.
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

#[cfg(test)]
mod tests {
    use super::{BaseUrl, in_repository, relative, tag, to_root};

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
    fn addresses_in_a_repository() {
        let source = "https://acme.example/tree/main/reports/";
        let address = in_repository(source, "v1.5/acme operator/a\"b.yaml");
        assert_eq!(
            address,
            "https://acme.example/tree/main/reports/v1.5/acme%20operator/a%22b.yaml"
        );
    }

    #[test]
    fn addresses_from_page_to_page() {
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
