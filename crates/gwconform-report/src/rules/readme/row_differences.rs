//! Differences between a row of a README and its report.

use super::cells::{Column, channel_in, is_same_mode};
use super::letters;
use super::listing::{ListedRow, is_x};
use super::version::{
    Spelling, adds_no_information, is_row_right, names_version, other_version, release_numbers,
    right_version, words,
};
use crate::report::facts::{Fact, ReportFacts};
use crate::report::formats::{Repository, is_branch, is_no_snapshot, is_semver};
use crate::report::naming::is_channel;
use crate::rules::remedy::Remedy;
use crate::tree::readme::Cell;
use gwconform_base::text::message::{Message, Words, texts};
use gwconform_base::text::source::{Source, Span};

texts! {
    /// A value that differs from the report.
    pub enum ValueText<'a> {
        Other { noun: Words, text: &'a str, expected: &'a str } => "{noun} {text} instead of {expected}",
        Empty { noun: Words, expected: &'a str } => "no {noun} instead of {expected}",
        Unknown { noun: Words, text: &'a str } => "{noun} {text} instead of the {noun} of the report",
        OfReport { noun: Words } => "{noun} of the report",
    }
}

texts! {
    /// A link that does not lead to the release or the report.
    pub enum LinkText<'a> {
        NotLinked { version: &'a str } => "version {version} is not linked to its release page",
        OtherPage { other: &'a str } => "the version is linked to the page of {other}",
        ReportNotLinked => "the report is not linked",
        NamesOther { found: &'a str } => "the link text names {found}",
        Surplus => "more cells than columns",
    }
}

/// Each weight has its own rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weight {
    /// The row belongs to another report.
    Value,
    /// The mode differs, or the row has `x`.
    Mode,
    /// Readers do not find the release or the report.
    Link,
    /// The spelling differs.
    Spelling,
}

/// Difference between a row and its report.
#[derive(Debug)]
pub struct Difference<'a> {
    pub weight: Weight,
    /// `None` for surplus cells.
    pub column: Option<Column>,
    pub message: Message,
    /// Incorrect value, and the expected one if known.
    pub subject: String,
    pub fact: Option<&'a Fact>,
    /// Whether the fix is safe. `None` if only the author knows the right value.
    pub is_safe: Option<bool>,
    /// How to get the report of the row.
    pub rerun: Option<Message>,
}

impl<'a> Difference<'a> {
    fn of_value(
        weight: Weight,
        column: Column,
        text: &'a str,
        fact: Option<&'a Fact>,
        is_safe: Option<bool>,
    ) -> Self {
        let noun = column.noun();
        let expected = fact.map(|fact| fact.value.as_str());
        let message = match expected {
            None => ValueText::Unknown { noun, text },
            Some(expected) if text.is_empty() => ValueText::Empty { noun, expected },
            Some(expected) => ValueText::Other {
                noun,
                text,
                expected,
            },
        };
        Self {
            weight,
            column: Some(column),
            message: message.into(),
            subject: format!(
                "{} = {text}, expected {}",
                column.name(),
                expected.unwrap_or("…")
            ),
            fact,
            is_safe,
            rerun: None,
        }
    }

    fn of_link(column: Column, target: &str, message: impl Into<Message>, is_safe: bool) -> Self {
        Self {
            weight: Weight::Link,
            column: Some(column),
            message: message.into(),
            subject: format!("{} = {target}", column.name()),
            fact: None,
            is_safe: Some(is_safe),
            rerun: None,
        }
    }

    /// The suite writes `default` if no mode is set, so only the author knows the tested mode.
    pub fn is_kept(&self) -> bool {
        self.column == Some(Column::Mode) && self.is_safe.is_none()
    }
}

/// All differences of a row. Up to v1.0.x, only wrong values and hidden cells matter.
pub fn differences<'a>(
    source: &'a Source,
    row: &ListedRow<'a>,
    is_legacy: bool,
) -> Vec<Difference<'a>> {
    let mut found = Vec::new();
    found.extend(channel(row));
    found.extend(version(source, row));
    found.extend(mode(row));
    found.extend(report(row));
    found.extend(surplus(source, row).map(|_| Difference {
        weight: Weight::Link,
        column: None,
        message: LinkText::Surplus.into(),
        subject: "surplus cells".to_owned(),
        fact: None,
        is_safe: None,
        rerun: None,
    }));
    if is_legacy {
        found.retain(|one| one.weight == Weight::Value || one.column.is_none());
    }
    found
}

pub fn filled(fact: &Option<Fact>) -> Option<&Fact> {
    fact.as_ref().filter(|fact| !fact.value.is_empty())
}

/// Releases up to v1.0.x have neither channels nor modes, so `x` is their value.
fn x_cell<'a>(column: Column, text: &'a str, fact: Option<&'a Fact>) -> Option<Difference<'a>> {
    let is_meant = |fact: &Fact| is_x(&fact.value);
    let is_wrong = is_x(text) && !fact.is_some_and(is_meant);
    is_wrong.then(|| Difference {
        // The value does not depend on the report.
        subject: format!("{} = {text}", column.name()),
        ..Difference::of_value(Weight::Mode, column, text, fact, Some(true))
    })
}

fn channel<'a>(row: &ListedRow<'a>) -> Option<Difference<'a>> {
    let text = row.text(row.columns.channel)?;
    let fact = row.report.and_then(|report| filled(&report.channel));
    if let Some(found) = x_cell(Column::Channel, text, fact) {
        return Some(found);
    }
    let expected = fact.map(|fact| fact.value.as_str())?;
    if text == expected || !is_channel(expected) {
        return None;
    }
    let (weight, is_safe) = if channel_in(text) == Some(expected) {
        let is_all = letters(text).trim_end_matches("channel") == expected;
        (Weight::Spelling, is_all)
    } else {
        (Weight::Value, text.is_empty())
    };
    Some(Difference::of_value(
        weight,
        Column::Channel,
        text,
        fact,
        Some(is_safe),
    ))
}

fn mode<'a>(row: &ListedRow<'a>) -> Option<Difference<'a>> {
    let text = row.text(row.columns.mode)?;
    let fact = row.report.and_then(|report| filled(&report.mode));
    if let Some(found) = x_cell(Column::Mode, text, fact) {
        return Some(found);
    }
    let expected = fact.map(|fact| fact.value.as_str())?;
    if text == expected || is_x(text) {
        return None;
    }
    let is_same = text.is_empty() || is_same_mode(text, expected);
    let is_kept = !is_same && expected.eq_ignore_ascii_case("default");
    let is_safe = (!is_kept).then_some(is_same);
    Some(Difference {
        rerun: is_kept.then(|| Remedy::with("mode", text).into()),
        ..Difference::of_value(Weight::Mode, Column::Mode, text, fact, is_safe)
    })
}

fn version<'a>(source: &'a Source, row: &ListedRow<'a>) -> Option<Difference<'a>> {
    const COLUMN: Column = Column::Version;
    let text = row.text(row.columns.version)?;
    let cell = row.cell(row.columns.version);
    let fact = row.report.and_then(|report| filled(&report.version));
    let is_named = |fact: &Fact| cell.is_some_and(|cell| names_version(cell, &fact.value));
    let is_named = fact.is_none_or(is_named);
    let written = written(source, row);
    if let Some(version) = fact.map(|fact| fact.value.as_str())
        && !is_named
        && !is_row_right(text, version)
    {
        let is_safe = (text.is_empty() || is_semver(version)).then_some(text.is_empty());
        let remedy = if is_semver(&written) {
            Some(Remedy::with("version", &written))
        } else {
            is_no_snapshot(version).then(|| Remedy::of_field("version"))
        };
        return Some(Difference {
            rerun: remedy.map(Message::from),
            ..Difference::of_value(Weight::Value, COLUMN, text, fact, is_safe)
        });
    }
    let cell = cell.filter(|_| !text.is_empty() && !is_x(text))?;
    let of_report = fact.map(|fact| fact.value.as_str());
    let expected = of_report.map_or(&*written, |version| right_version(text, version));
    let is_safe = written.is_empty() || adds_no_information(&written, expected);
    let targets = targets(source, cell);
    if targets.is_empty() || cell.bracketed_without_link {
        let version = if written.is_empty() { text } else { &written };
        let message = LinkText::NotLinked { version };
        let is_settled = is_named || of_report.is_some_and(is_no_snapshot);
        return is_settled.then(|| Difference::of_link(COLUMN, text, message, is_safe));
    }
    if let Some((url, message)) = wrong_target(&targets, text, row.report, is_named) {
        return Some(Difference::of_link(COLUMN, url, message, false));
    }
    let version = of_report.filter(|version| is_named && !is_row_right(text, version))?;
    let is_spelled = text != version && !targets.contains(&version);
    is_spelled.then(|| Difference::of_value(Weight::Spelling, COLUMN, text, fact, Some(is_safe)))
}

/// One link to the right repository is sufficient. The repository does not matter while the
/// version is wrong.
fn wrong_target<'u>(
    targets: &[&'u str],
    text: &str,
    report: Option<&ReportFacts>,
    is_named: bool,
) -> Option<(&'u str, Message)> {
    let of_report = report.and_then(ReportFacts::version);
    let is_branch = report.is_some() && is_no_snapshot(of_report.unwrap_or_default());
    if is_named && !is_no_snapshot(text) && !is_branch {
        let pages = targets
            .iter()
            .map(|url| Some((*url, wrong_page(url, report)?)));
        let wrong: Option<Vec<_>> = pages.collect();
        if let Some(first) = wrong.and_then(|wrong| wrong.into_iter().next()) {
            return Some(first);
        }
    }
    targets.iter().find_map(|url| {
        let other = other_version(url, text, of_report)?;
        Some((*url, LinkText::OtherPage { other }.into()))
    })
}

/// Text of the version cell without URL and brackets.
pub fn written(source: &Source, row: &ListedRow<'_>) -> String {
    let text = row.text(row.columns.version).unwrap_or_default();
    let url = row.cell(row.columns.version).and_then(|cell| cell.bare_url);
    let url = url.map_or("", |url| source.slice(url));
    let text = text.replacen(url, "", 1).replace("()", "");
    text.trim_matches([' ', '[', ']', '<', '>']).to_owned()
}

/// Excludes the URL that stands for an unknown page.
pub fn targets<'a>(source: &'a Source, cell: &'a Cell) -> Vec<&'a str> {
    let bare = cell.bare_url.map(|url| source.slice(url));
    let links = cell.links.iter().map(|link| link.target.as_str());
    links.chain(bare).filter(|url| !url.contains('…')).collect()
}

fn report<'a>(row: &ListedRow<'a>) -> Option<Difference<'a>> {
    let cell = row.cell(row.columns.report)?;
    let text = cell.text.trim();
    if row.link.is_none() {
        row.file.as_ref()?;
        let message = LinkText::ReportNotLinked;
        return Some(Difference::of_link(Column::Report, text, message, true));
    }
    let found = other_version_in_text(text, row)?;
    let message = LinkText::NamesOther { found };
    Some(Difference::of_link(Column::Report, text, message, false))
}

/// Version in a link text that is neither that of the row or report nor the release of the API.
fn other_version_in_text<'t>(text: &'t str, row: &ListedRow<'_>) -> Option<&'t str> {
    let report = row.report?;
    let is_version = |text: &&str| release_numbers(text).is_some();
    let version = report.version().filter(is_version)?;
    let release = report.release_text();
    let of_row = row.text(row.columns.version).unwrap_or_default();
    let right = [version, of_row, release.as_deref().unwrap_or_default()].map(Spelling::new);
    let is_right = |word: &str| {
        let word = Spelling::new(word);
        right
            .iter()
            .any(|right| word.is_same(right) || word.is_near(right))
    };
    let mut named = words(text).skip(1).filter(is_version);
    let first = named.next()?;
    let is_named = is_right(first) || named.any(is_right);
    (!is_named && !text.contains(".yaml")).then_some(first)
}

pub fn surplus(source: &Source, row: &ListedRow<'_>) -> Option<Span> {
    let (first, last) = (row.row.surplus.first()?, row.row.surplus.last()?);
    let surplus = Span {
        end: last.end,
        ..*first
    };
    (!source.slice(surplus).trim().is_empty()).then_some(surplus)
}

texts! {
    /// Why a version is not linked to its release page.
    pub(super) enum PageText {
        OtherProject { other: String, own: String } => "the version is linked to a page of {other} instead of {own}",
        FrontPage => "the version is linked to the front page of a repository",
        Moving => "the version is linked to a page that changes with later releases",
    }
}

/// Why a page on a code host is not the page of a release of the implementation.
pub(super) fn wrong_page(url: &str, report: Option<&ReportFacts>) -> Option<Message> {
    let (linked, below) = Repository::of(url)?;
    let own = report.and_then(|report| Repository::of(report.url()?));
    let own = own.map(|(own, _)| own).filter(Repository::is_complete);
    if let Some(own) = own.filter(|own| *own != linked) {
        let [other, own] = [linked, own].map(|repository| repository.to_string());
        return Some(PageText::OtherProject { other, own }.into());
    }
    let names: Vec<&str> = below.iter().map(String::as_str).collect();
    let text = match names.as_slice() {
        [] => PageText::FrontPage,
        _ if !linked.is_complete() => PageText::FrontPage,
        ["releases", "latest"] | ["releases", "permalink", "latest", ..] => PageText::Moving,
        ["tree" | "blob" | "commits", branch, ..] if is_branch(branch) => PageText::Moving,
        ["src", "branch", ..] => PageText::Moving,
        _ => return None,
    };
    Some(text.into())
}
