//! Builds the cells, links and rows that README fixes write.

use super::markup::{is_plain_address, link, plain, report_link};
use super::row_differences::wrong_page;
use super::version::{LinkMatch, named_by_link, names_version, release_number, release_numbers};
use crate::report::facts::ReportFacts;
use crate::report::formats::{Repository, is_no_snapshot};
use crate::report::naming::is_channel;
use crate::rules::ReadmeContext;
use crate::tree::readme::{Columns, Table, formatting};
use gwconform_base::text::diagnostic::Fix;
use gwconform_base::text::source::Span;

impl ReadmeContext<'_> {
    /// Removes a row with its line break.
    pub fn without_row(&self, title: &str, row: Span) -> Option<Fix> {
        let text = self.source.text();
        let start = text[..row.start as usize].rfind('\n')?;
        let row_end = row.end as usize;
        let end = text[row_end..].find('\n');
        let end = end.map_or(text.len(), |at| row_end + at);
        Fix::safe(title).replace(self.source, Span::new(start, end), "")
    }

    /// Replaces a span of the README.
    pub fn fix(&self, fix: Fix, span: Span, text: &str) -> Option<Fix> {
        let whole = self.source.text();
        let (span, text) = formatting::replacing(whole, self.readme, span, text);
        fix.replace(self.source, span, text)
    }

    /// Release page derived from other rows or from GitHub. `None` if the URL scheme is unknown.
    pub fn release_page(&self, report: &ReportFacts, version: &str) -> Option<Page> {
        let like_others = self.page_like_others(report, version);
        let known = like_others.map(|address| Page {
            address,
            is_known: true,
        });
        known.or_else(|| {
            let address = page_on_github(report.url()?, version)?;
            let is_known = false;
            (!is_no_snapshot(version)).then_some(Page { address, is_known })
        })
    }

    /// Page that another row with the same version links to.
    pub fn page_of_same_version(&self, report: &ReportFacts, version: &str) -> Option<String> {
        let mut pages = self.listing.rows.iter().rev().filter_map(|row| {
            let cell = row.cell(row.columns.version)?;
            let link = cell.links.first().filter(|_| cell.links.len() == 1)?;
            names_version(cell, version).then(|| link.target.clone())
        });
        let is_front = |page: &str| {
            let host = page.split_once("://").map_or(page, |(_, rest)| rest);
            let own = report.url().unwrap_or_default();
            host.trim_end_matches('/').find('/').is_none()
                || page.trim_end_matches('/') == own.trim_end_matches('/')
        };
        pages.find(|page| {
            let is_web = page.starts_with("https://") || page.starts_with("http://");
            is_web
                && is_plain_address(page)
                && !is_front(page)
                && wrong_page(page, Some(report)).is_none()
                && named_by_link(page, version) != LinkMatch::Other
        })
    }

    /// Release page derived from the links of other rows.
    pub fn page_like_others(&self, report: &ReportFacts, version: &str) -> Option<String> {
        if is_no_snapshot(version) || plain(version).is_none() {
            return None;
        }
        let mut known = self.listing.rows.iter().rev().filter_map(|row| {
            let cell = row.cell(row.columns.version)?;
            Some((cell.links.first()?.target.as_str(), cell.text.trim()))
        });
        let own = report.url().and_then(Repository::of);
        let own = own.map(|(own, _)| own).filter(Repository::is_complete);
        // Wrong repositories are reported by readme/row-link.
        let is_own = |page: &String| {
            let repository = Repository::of(page).map(|(repository, _)| repository);
            own.is_none() || repository.is_none() || repository == own
        };
        known.find_map(|(url, text)| page_like(url, text, version).filter(is_own))
    }

    /// `None` if a value is unknown or cannot be written, or if the report must be moved first.
    pub(crate) fn row_for(&self, file: &str, report: &ReportFacts) -> Option<NewRow> {
        if file.contains('/') || !file.ends_with(".yaml") {
            return None;
        }
        let version = report.version().and_then(plain)?;
        let page = self.release_page(report, version)?;
        let is_legacy = report.release.is_legacy();
        let text = |value: Option<&str>| match (value.and_then(plain), is_legacy) {
            (Some(value), _) => Some(value.to_owned()),
            (None, true) => Some("x".to_owned()),
            (None, false) => None,
        };
        let channel = text(report.channel())?;
        if !is_legacy && !is_channel(&channel) {
            return None;
        }
        let mode = text(report.mode())?;
        let report = report_link(version, file)?;
        Some(NewRow {
            cells: [channel, link(version, &page.address)?, mode, report],
            page,
        })
    }
}

/// Release page of an implementation.
pub struct Page {
    /// URL of the page.
    pub address: String,
    /// False if the URL was derived from the repository and may not exist.
    pub is_known: bool,
}

impl Page {
    /// Safe only if the page is known.
    pub fn fix(&self, title: impl Into<String>) -> Fix {
        if self.is_known {
            Fix::safe(title)
        } else {
            Fix::unsafe_(title)
        }
    }
}

/// Cells of a new row.
pub struct NewRow {
    /// Texts in the order of [`Columns::NAMES`].
    pub cells: [String; 4],
    /// Release page that the row links to.
    pub page: Page,
}

/// Arranges values in the columns of a table. Other columns stay empty.
pub fn cells(table: &Table, values: &[String; 4]) -> Vec<String> {
    let columns = Columns::new(table);
    let mut texts = vec![String::new(); table.header.cells.len()];
    for (column, value) in columns.as_array().into_iter().zip(values) {
        if let Some(text) = column.and_then(|column| texts.get_mut(column)) {
            value.clone_into(text);
        }
    }
    texts
}

fn page_like(url: &str, text: &str, version: &str) -> Option<String> {
    // For example, the tag of `version-4.8.5` is `4.8.5`.
    let words = ["version", "release"].into_iter();
    let mut named = words.filter_map(|word| text.strip_prefix(word));
    let text = named
        .next()
        .map_or(text, |rest| rest.trim_start_matches(['-', ' ']));
    let (text, version) = (release_number(text)?, release_number(version)?);
    let is_web = url.starts_with("https://") || url.starts_with("http://");
    // If the version is `v3.1.0`, `v3.2` is a series instead of a tag.
    let are_alike = release_numbers(text) == release_numbers(version);
    let (at, _) = url.match_indices(text).next()?;
    let (before, after) = (&url[..at], &url[at + text.len()..]);
    // In `v3.70`, `1.13.7` and `v3.7-rc.1`, `3.7` is part of another version.
    let begins = !before.ends_with(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-'));
    let ends =
        !after.starts_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '+'));
    let page = format!("{before}{version}{after}");
    let is_like = is_web && are_alike && begins && ends && !after.contains(text);
    (is_like && is_plain_address(&page)).then_some(page)
}

/// Only final versions with a `v` are assumed to be tags, because naming schemes vary and
/// prereleases may have no page.
fn page_on_github(url: &str, version: &str) -> Option<String> {
    // Reports often omit the scheme.
    let address = url.strip_prefix("https://").unwrap_or(url);
    let path = address.strip_prefix("github.com/")?.trim_end_matches('/');
    let (owner, repository) = path.strip_suffix(".git").unwrap_or(path).split_once('/')?;
    let is_name = |text: &str| {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-._".contains(c);
        !text.is_empty() && text.chars().all(is_plain) && !text.starts_with('.')
    };
    let are_names = is_name(owner) && is_name(repository);
    let is_tag = version.starts_with('v') && !version.contains(['-', '+']);
    (are_names && is_tag && release_numbers(version) >= Some(3))
        .then(|| format!("https://github.com/{owner}/{repository}/releases/tag/{version}"))
}

#[cfg(test)]
mod tests {
    use super::{page_like, page_on_github, plain};

    #[test]
    fn pages_are_those_of_other_versions_or_of_github() {
        let page = |url, text, version| page_like(url, text, version);
        assert_eq!(
            page("https://acme.example/tag/v1.2.0", "1.2.0", "v1.3.0").as_deref(),
            Some("https://acme.example/tag/v1.3.0")
        );
        assert_eq!(page("https://acme.example/news", "1.2.0", "v1.3.0"), None);
        assert_eq!(
            page("https://a.example/1.2.0/1.2.0", "1.2.0", "1.3.0"),
            None
        );
        assert_eq!(page("https://a.example/main", "main", "1.3.0"), None);
        assert_eq!(page("https://a.example/1.2.0", "1.2.0", "1.3"), None);
        assert_eq!(
            page("https://a.example/1.2", "1.2", "1.3").as_deref(),
            Some("https://a.example/1.3")
        );
        for (url, text) in [
            ("https://a.example/v1.20", "v1.2"),
            ("https://a.example/v3.1.2", "v1.2"),
            ("https://a.example/v1.2.0-rc.1", "v1.2.0"),
            ("https://a.example/v1.2+build", "v1.2"),
        ] {
            assert_eq!(page(url, text, "v1.3.0"), None, "{url}");
            assert_eq!(page(url, text, "v1.3"), None, "{url}");
        }
        let github = |url| page_on_github(url, "v1.3.0");
        assert_eq!(
            github("https://github.com/acme/operator.git/").as_deref(),
            Some("https://github.com/acme/operator/releases/tag/v1.3.0")
        );
        for url in [
            "https://github.com/acme",
            "https://github.com/acme/operator/tree/main",
            "https://github.com/acme/../x",
            "https://github.com.evil.example/acme/operator",
            "https://github.com/acme/op)erator",
        ] {
            assert_eq!(github(url), None, "{url}");
        }
        assert_eq!(
            page_on_github("https://github.com/acme/operator", "main"),
            None
        );
        for unsure in ["1.3.0", "v2.1.0-main", "v2.7.0-pre-release", "v1.3.0+lts"] {
            let page = page_on_github("https://github.com/acme/operator", unsure);
            assert_eq!(page, None, "{unsure}");
        }
        let described = "v3.2.0-244-gea4944bb0";
        assert_eq!(
            page_on_github("https://github.com/acme/operator", described),
            None
        );
    }

    #[test]
    fn refuses_to_write_markup() {
        for text in ["v1.2.0", "1.35.2-gke.1751000", "with_the-lot", "1.0+e"] {
            assert!(plain(text).is_some(), "{text}");
        }
        for text in [
            "", "a|b", "a]b", "*a*", "_a_", "a b", "<b>", "-", "…", "a__b",
        ] {
            assert!(plain(text).is_none(), "{text}");
        }
    }
}
