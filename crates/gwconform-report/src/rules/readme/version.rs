//! Compares versions leniently. For example, `v1.2` equals `1.2.0`.

use crate::report::facts::ReportFacts;
use crate::report::formats::is_semver;
use crate::report::naming;
use crate::tree::readme::Cell;

/// True if a cell names a version in any spelling, or links to it.
pub(crate) fn names_version(cell: &Cell, version: &str) -> bool {
    cell.links.iter().any(|link| link.target == version)
        || words(cell.text.trim()).any(|word| word == version || is_same(word, version))
}

/// True if only the row has a semantic version, as the table requires (reports README, "Table of
/// Contents"), and the report does not contradict it. For example, `v1.3.1` matches `latest` and
/// `v1.3`, but not `v1.2`.
pub(crate) fn is_row_right(row: &str, report: &str) -> bool {
    right_in_row(row, report).is_some()
}

/// The row's version if [`is_row_right`], or else the report's version.
pub(crate) fn right_version<'t>(row: &'t str, report: &'t str) -> &'t str {
    right_in_row(row, report).unwrap_or(report)
}

fn right_in_row<'t>(row: &'t str, report: &str) -> Option<&'t str> {
    let contradicts = |word: &str| {
        release_numbers(report).is_some() && !Spelling::new(word).is_near(&Spelling::new(report))
    };
    let bare = words(row).map(|word| word.trim_matches(['[', ']', '(', ')']));
    let mut versions = bare.filter(|word| is_semver(word));
    if is_semver(report) {
        None
    } else {
        versions.find(|word| !contradicts(word))
    }
}

/// Returns the whole text, followed by its first words.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    const MAX_WORDS: usize = 20;
    std::iter::once(text).chain(text.split_whitespace().take(MAX_WORDS))
}

/// Compares two versions. Ignores a leading `v`, trailing zeros, prerelease dots, the length of
/// commit ids, and a name or build metadata on one side. Compares only the last path segment of
/// URLs.
pub fn is_same(a: &str, b: &str) -> bool {
    Spelling::new(a).is_same(&Spelling::new(b))
}

/// Relation of a link target to a version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkMatch {
    /// The link names the same version or its series.
    Same,
    /// The link names another version or commit.
    Other,
    /// The link names no version, as with general release notes.
    Nothing,
}

/// Compares segments of the path, query and fragment.
pub(crate) fn named_by_link(url: &str, version: &str) -> LinkMatch {
    let after_host = url.split_once("://").map_or(url, |(_, rest)| {
        rest.split_once('/').map_or("", |(_, path)| path)
    });
    let decoded = if after_host.contains('%') {
        &after_host
            .replace("%2F", "/")
            .replace("%2f", "/")
            .replace("%2B", "+")
    } else {
        after_host
    };
    let wanted = Spelling::new(version);
    let mut named = LinkMatch::Nothing;
    let separators = ['/', '?', '#', '&', '='];
    for part in decoded.split(separators).filter(|part| !part.is_empty()) {
        let name = without_extension(part);
        let found = Spelling::new(name);
        let is_series = |short: &Spelling, long: &Spelling| {
            short.count == 2 && long.numbers.starts_with(&short.numbers)
        };
        let is_page_of_series =
            is_series(&found, &wanted) && (found.rest.is_empty() || found.rest == "x");
        let is_release_of_series = is_series(&wanted, &found) && found.rest == wanted.rest;
        if found.is_same(&wanted) || is_page_of_series || is_release_of_series {
            return LinkMatch::Same;
        }
        let is_other_commit = commit(&wanted.text).is_some() && commit(&found.text).is_some();
        if found.count >= 2 || is_other_commit {
            named = LinkMatch::Other;
        }
    }
    named
}

/// Part of a URL that names neither the version of the row nor that of the report. `None` if the URL
/// names one of them or no version.
pub(crate) fn other_version<'u>(
    url: &'u str,
    of_row: &str,
    of_report: Option<&str>,
) -> Option<&'u str> {
    let is_other = |text: &str| {
        let wanted = [Some(of_row), of_report].into_iter().flatten();
        let mut wanted = wanted.filter(|version| !version.is_empty()).peekable();
        wanted.peek().is_some()
            && wanted.all(|version| named_by_link(text, version) == LinkMatch::Other)
    };
    let path = url.split_once("://").map_or(url, |(_, rest)| {
        rest.split_once('/').map_or("", |(_, below)| below)
    });
    let mut parts = path.rsplit(['/', '?', '#', '&', '=']);
    is_other(url).then(|| parts.find(|part| is_other(part)).unwrap_or(path))
}

/// Replaces another version in a URL.
pub(crate) fn address_with(url: &str, of_row: &str, version: &str) -> Option<String> {
    let other = other_version(url, of_row, Some(version))?;
    // Next to `v3.2.0-rc2`, a tag `v3.2` is unlikely.
    let are_alike = release_numbers(other)? == release_numbers(version)?;
    let number = release_number(version)?;
    release_number(other)?;
    let prefix = if other.starts_with('v') { "v" } else { "" };
    (are_alike && url.matches(other).count() == 1)
        .then(|| url.replacen(other, &format!("{prefix}{number}"), 1))
}

fn without_extension(name: &str) -> &str {
    const EXTENSIONS: [&str; 6] = [".html", ".htm", ".md", ".tar.gz", ".tgz", ".zip"];
    let mut cut = EXTENSIONS.iter().filter_map(|end| name.strip_suffix(end));
    cut.next().unwrap_or(name)
}

/// Parts of a version, in lowercase.
pub struct Spelling {
    text: String,
    /// Letters before the number. Empty for generic words such as `version`.
    name: String,
    numbers: Vec<String>,
    /// Number of components, including trailing zeros.
    count: usize,
    rest: String,
    build: String,
}

impl Spelling {
    /// Splits a version into its parts.
    pub fn new(text: &str) -> Self {
        const MAX_BYTES: usize = 1000;
        let around = |c: char| c.is_whitespace() || "()[]<>`'\",;:#/*".contains(c);
        let text = text[..text.floor_char_boundary(MAX_BYTES)].trim_matches(around);
        let last = if text.contains("://") {
            text.rsplit('/').next().unwrap_or(text)
        } else {
            text
        };
        let text = last.to_lowercase();
        let start = number_start(&text);
        let (before, version) = text.split_at(start.unwrap_or(0));
        let name = super::letters(before.strip_suffix('v').unwrap_or(before));
        let is_plain = ["", "version", "release", "tag"].contains(&name.as_str());
        let end = version.find(|c: char| !c.is_ascii_digit() && c != '.');
        let (dotted, rest) = version.split_at(end.unwrap_or(version.len()));
        let mut numbers: Vec<String> = dotted
            .split('.')
            .filter(|number| !number.is_empty())
            .map(|number| number.trim_start_matches('0').to_owned())
            .collect();
        let count = numbers.len();
        while numbers.last().is_some_and(String::is_empty) {
            numbers.pop();
        }
        let (rest, build) = rest.split_once('+').unwrap_or((rest, ""));
        Self {
            name: if is_plain { String::new() } else { name },
            numbers,
            count,
            rest: super::letters(rest),
            build: build.to_owned(),
            text,
        }
    }

    /// Compares versions as [`is_same`] does.
    pub fn is_same(&self, other: &Self) -> bool {
        let (a, b) = (self, other);
        if let (Some(a), Some(b)) = (commit(&a.text), commit(&b.text)) {
            return a.starts_with(b) || b.starts_with(a);
        }
        let is_name_same = a.name == b.name || a.name.is_empty() || b.name.is_empty();
        let is_build_same = a.build == b.build || a.build.is_empty() || b.build.is_empty();
        let is_a_version = !a.rest.is_empty() || a.count > 0;
        is_a_version && is_name_same && a.numbers == b.numbers && a.rest == b.rest && is_build_same
    }

    /// True if `other` contains all parts of this version.
    pub(crate) fn is_covered_by(&self, other: &Self) -> bool {
        let has_name = !self.name.is_empty() && self.name != other.name;
        let has_build = !self.build.is_empty() && self.build != other.build;
        !has_name && !has_build && self.is_same(other)
    }

    /// True if at least two numbers are common, and all common numbers are equal.
    pub fn is_near(&self, other: &Self) -> bool {
        let (a, b) = (self, other);
        let common = a.numbers.iter().zip(&b.numbers);
        a.count.min(b.count) >= 2 && common.clone().all(|(a, b)| a == b)
    }
}

/// Version without `v`. `None` if the version is unsafe in a URL.
pub fn release_number(text: &str) -> Option<&str> {
    let number = text.strip_prefix('v').unwrap_or(text);
    let is_number = number.starts_with(|c: char| c.is_ascii_digit());
    let mut words = number.split(|c: char| !c.is_ascii_alphanumeric());
    let is_build = |word: &str| {
        let is_development = DEVELOPMENT.iter().any(|one| word.eq_ignore_ascii_case(one));
        is_development || commit(word.strip_prefix('g').unwrap_or(word)).is_some()
    };
    (is_number && release_numbers(text).is_some() && !words.any(is_build)).then_some(number)
}

const DEVELOPMENT: [&str; 10] = [
    "dev", "dirty", "latest", "main", "master", "nightly", "snapshot", "unknown", "unstable", "wip",
];

/// Expected file name of a report. If the report has no semantic version, the version in the
/// current name is kept.
pub(crate) fn expected_file_name(report: &ReportFacts) -> Option<String> {
    let end = format!("-{}-report.yaml", report.mode()?);
    let start = format!("{}-", report.channel()?);
    let name = report.file_name.strip_suffix(&end);
    let in_name = name.map(|name| name.strip_prefix(&start).unwrap_or(name));
    let version = report.version()?;
    let right = in_name.filter(|in_name| is_row_right(in_name, version));
    naming::file_name_with(report, right.unwrap_or(version))
}

/// Number of numeric components. `None` for commits and other text.
pub(crate) fn release_numbers(text: &str) -> Option<usize> {
    let spelling = Spelling::new(text);
    (spelling.count >= 2 && commit(&spelling.text).is_none()).then_some(spelling.count)
}

/// A number that follows a name must contain a dot.
fn number_start(text: &str) -> Option<usize> {
    let mut start = 0;
    for part in text.split_inclusive(['-', '_', '/', '@', ' ']) {
        let number = part.strip_prefix('v').unwrap_or(part);
        if number.starts_with(|c: char| c.is_ascii_digit()) {
            let digits = number.trim_start_matches(|c: char| c.is_ascii_digit());
            let is_dotted = digits.starts_with('.');
            let plain = ["", "version", "release", "tag"];
            let is_alone = plain.contains(&super::letters(&text[..start]).as_str());
            return (is_dotted || is_alone).then_some(start + part.len() - number.len());
        }
        start += part.len();
    }
    None
}

/// Accepts a commit id or the output of `git describe`.
fn commit(text: &str) -> Option<&str> {
    let id = text.rsplit_once("-g").map_or(text, |(_, end)| end);
    let is_hex = id.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_id = is_hex && (7..=40).contains(&id.len());
    let has_letter = id.bytes().any(|byte| byte.is_ascii_alphabetic());
    (is_id && (has_letter || id.len() == 40)).then_some(id)
}

/// True if `text` lacks only a `v`, trailing zeros or part of a commit id.
pub(crate) fn adds_no_information(text: &str, version: &str) -> bool {
    let is_one_word = !text.contains(char::is_whitespace);
    is_one_word && Spelling::new(text).is_covered_by(&Spelling::new(version))
}

#[cfg(test)]
mod tests;
