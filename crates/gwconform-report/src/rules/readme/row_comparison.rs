//! Compares each row with its report.
//!
//! Four rules report the differences: `readme/row-value`, `readme/row-mode`, `readme/row-link` and
//! `readme/row-spelling`. Each has at most one finding per row, and all show the same row to paste:
//! the row with its differing cells replaced.

use std::cell::OnceCell;

use super::anchors::{self, Column};
use super::cells::{channel_in, is_same_mode};
use super::fixes::{Page, adds_no_information, wrong_page};
use super::letters;
use super::listing::{ListedRow, is_x};
use super::markup::{link, plain, report_link};
use super::version::{
    LinkMatch, Spelling, address_with, is_row_right, named_by_link, names_version, other_version,
    release_numbers, right_version, words,
};
use crate::report::facts::{Fact, ReportFacts};
use crate::report::formats::{is_no_snapshot, is_semver};
use crate::report::naming::is_channel;
use crate::rules::{Findings, MAX_FINDINGS, ReadmeContext, Remedy};
use crate::tree::readme::{Cell, formatting};
use gwconform_base::release::stated::is_legacy_folder;
use gwconform_base::text::diagnostic::{Anchor, Fix};
use gwconform_base::text::message::{Line, Message, Words, texts};
use gwconform_base::text::source::Span;

texts! {
    /// Message about all differences of a row.
    pub enum Text {
        Differs { differences: Message } => "the row differs from its report: {differences}",
    }
}

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

texts! {
    /// Advice with the row to paste, or else with a cell.
    pub enum Help {
        Write { line: Line } => "write {line}",
        WriteWithPage { line: Line } => "write {line} with the URL of the release page",
        Remove => "remove the surplus cells, or write a pipe within a cell as `\\|`",
        Or { subject: Words, remedy: Message } => "if {subject} is right, link the report of its run, or {remedy}",
    }
}

/// Each weight has its own rule.
#[derive(Clone, Copy, PartialEq, Eq)]
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

struct Difference<'a> {
    weight: Weight,
    /// `None` for surplus cells.
    column: Option<Column>,
    message: Message,
    /// Incorrect value, and the expected one if known.
    subject: String,
    fact: Option<&'a Fact>,
    /// Whether the fix is safe. `None` if only the author knows the right value.
    is_safe: Option<bool>,
    /// How to get the report of the row.
    rerun: Option<Message>,
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
    fn is_kept(&self) -> bool {
        self.column == Some(Column::Mode) && self.is_safe.is_none()
    }
}

/// Reports differences of one weight.
pub fn check(cx: &ReadmeContext<'_>, weight: Weight, out: &mut Findings) {
    // Fixes require more findings than are printed, but no helps.
    let mut printed = 0..MAX_FINDINGS;
    for row in &cx.listing.rows {
        let all = differences(cx, row);
        let own: Vec<_> = all.iter().filter(|one| one.weight == weight).collect();
        let Some(first) = own.first() else {
            continue;
        };
        let place = match (first.column, surplus(cx, row)) {
            (None, Some(surplus)) => cx.place(surplus),
            (column, _) => cx.cell(row, column.unwrap_or(Column::Report)).place,
        };
        let subjects: Vec<&str> = own.iter().map(|one| one.subject.as_str()).collect();
        let anchor = Anchor::new(place, anchors::row(row)).and(subjects.join(", "));
        let messages = own.iter().map(|one| one.message.clone());
        let differences = Message::list(messages, ", ", " and ");
        let finding = out.at(anchor, Text::Differs { differences });
        for one in &own {
            if let (Some(column), Some(fact)) = (one.column, one.fact) {
                let noun = column.noun();
                finding.label(fact.place.clone(), ValueText::OfReport { noun });
            }
        }
        if finding.is_shown {
            let expected = Expected::new(cx, row);
            if let Some(help) = printed.next().and_then(|_| expected.help(&all, &own)) {
                finding.help(help);
            }
            finding.fix(expected.fix(&own));
        }
    }
}

fn differences<'a>(cx: &ReadmeContext<'_>, row: &'a ListedRow<'a>) -> Vec<Difference<'a>> {
    let mut found = Vec::new();
    found.extend(channel(row));
    found.extend(version(cx, row));
    found.extend(mode(row));
    found.extend(report(row));
    found.extend(surplus(cx, row).map(|_| Difference {
        weight: Weight::Link,
        column: None,
        message: LinkText::Surplus.into(),
        subject: "surplus cells".to_owned(),
        fact: None,
        is_safe: None,
        rerun: None,
    }));
    if is_legacy_folder(cx.submission.release.as_ref()) {
        // Up to v1.0.x, only wrong values and hidden cells matter.
        found.retain(|one| one.weight == Weight::Value || one.column.is_none());
    }
    found
}

fn filled(fact: &Option<Fact>) -> Option<&Fact> {
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

fn channel<'a>(row: &'a ListedRow<'_>) -> Option<Difference<'a>> {
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

fn mode<'a>(row: &'a ListedRow<'_>) -> Option<Difference<'a>> {
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

fn version<'a>(cx: &ReadmeContext<'_>, row: &'a ListedRow<'_>) -> Option<Difference<'a>> {
    const COLUMN: Column = Column::Version;
    let text = row.text(row.columns.version)?;
    let cell = row.cell(row.columns.version);
    let fact = row.report.and_then(|report| filled(&report.version));
    let is_named = |fact: &Fact| cell.is_some_and(|cell| names_version(cell, &fact.value));
    let is_named = fact.is_none_or(is_named);
    let written = written(cx, row);
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
    let targets = targets(cx, cell);
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
fn written(cx: &ReadmeContext<'_>, row: &ListedRow<'_>) -> String {
    let text = row.text(row.columns.version).unwrap_or_default();
    let url = row.cell(row.columns.version).and_then(|cell| cell.bare_url);
    let url = url.map_or("", |url| cx.source.slice(url));
    let text = text.replacen(url, "", 1).replace("()", "");
    text.trim_matches([' ', '[', ']', '<', '>']).to_owned()
}

/// Excludes the URL of [`Help::WriteWithPage`].
fn targets<'a>(cx: &'a ReadmeContext<'_>, cell: &'a Cell) -> Vec<&'a str> {
    let bare = cell.bare_url.map(|url| cx.source.slice(url));
    let links = cell.links.iter().map(|link| link.target.as_str());
    links.chain(bare).filter(|url| !url.contains('…')).collect()
}

fn report<'a>(row: &'a ListedRow<'_>) -> Option<Difference<'a>> {
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
    let release = report.release.version.as_ref().map(ToString::to_string);
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

fn surplus(cx: &ReadmeContext<'_>, row: &ListedRow<'_>) -> Option<Span> {
    let (first, last) = (row.row.surplus.first()?, row.row.surplus.last()?);
    let surplus = Span {
        end: last.end,
        ..*first
    };
    (!cx.source.slice(surplus).trim().is_empty()).then_some(surplus)
}

/// Values of the cells that belong to a report.
struct Expected<'a> {
    cx: &'a ReadmeContext<'a>,
    row: &'a ListedRow<'a>,
    /// `None` for a branch, which no row may name.
    version: Option<String>,
    page: OnceCell<Option<Page>>,
}

impl<'a> Expected<'a> {
    fn new(cx: &'a ReadmeContext<'a>, row: &'a ListedRow<'a>) -> Self {
        let written = written(cx, row);
        let of_report = row.report.and_then(|report| filled(&report.version));
        let version = of_report.map_or(&*written, |fact| right_version(&written, &fact.value));
        let version = Some(version).filter(|version| !is_no_snapshot(version));
        Self {
            cx,
            row,
            version: version.map(str::to_owned),
            page: OnceCell::new(),
        }
    }

    fn page(&self) -> Option<&Page> {
        let page = || page(self.cx, self.row, self.version.as_deref()?);
        self.page.get_or_init(page).as_ref()
    }

    fn value(&self, column: Column) -> Option<String> {
        let (report, version) = (self.row.report, self.version.as_deref());
        match column {
            Column::Channel => report?.channel().and_then(plain).map(str::to_owned),
            Column::Mode => report?.mode().and_then(plain).map(str::to_owned),
            Column::Report => report_link(version?, self.row.file.as_deref()?),
            Column::Version => match (self.page(), plain(version?)?) {
                (Some(page), version) => link(version, &page.address),
                (None, version) => Some(format!("[{version}](https://…)")),
            },
        }
    }

    /// Replacements that remove a difference. `None` if a value is unknown.
    fn edits(&self, one: &Difference<'_>) -> Option<Vec<(Span, String)>> {
        let Some(column) = one.column else {
            let end = self.row.row.span.end as usize;
            let last = self.row.row.cells.last()?.span.end as usize;
            let pipe = self.cx.source.text()[last..end].find('|')?;
            return Some(vec![(Span::new(last + pipe + 1, end), String::new())]);
        };
        // The link text of the report also names the version.
        let is_version = one.weight == Weight::Value && column == Column::Version;
        let columns = [Some(column), is_version.then_some(Column::Report)];
        let edit = |column: Column| {
            let cell = self.row.cell(column.index(&self.row.columns))?;
            Some((cell.span, self.value(column)?))
        };
        columns.into_iter().flatten().map(edit).collect()
    }

    fn help(&self, all: &[Difference<'_>], own: &[&Difference<'_>]) -> Option<Message> {
        let row = self.line(all);
        let is_mode = row.is_some() && own.iter().any(|one| one.is_kept());
        let subject = Words(if is_mode { "its mode" } else { "the row" });
        let is_surplus = row.is_none() && own.iter().any(|one| one.column.is_none());
        let mut changed = own.iter().filter(|one| !one.is_kept());
        let cell = || changed.find_map(|one| Line::printable(&self.value(one.column?)?));
        let write = row.or_else(cell).map(|line| match &line.0 {
            text if text.contains("(https://…)") => Help::WriteWithPage { line },
            _ => Help::Write { line },
        });
        let remedy = own.iter().find_map(|one| one.rerun.clone());
        let or = remedy.map(|remedy| Help::Or { subject, remedy });
        let parts = [write, is_surplus.then_some(Help::Remove), or];
        let mut parts = parts.into_iter().flatten().map(Message::from).peekable();
        parts.peek()?;
        Some(Message::list(parts, "; ", "; "))
    }

    /// Row to paste. `None` if nothing changes, or if a value is unknown or cannot be written.
    fn line(&self, all: &[Difference<'_>]) -> Option<Line> {
        let version = self.row.report?.version();
        version.filter(|version| !is_no_snapshot(version))?;
        let (source, Span { end, .. }) = (self.cx.source, self.row.row.span);
        // Tables may be in lists and quotes.
        let Span { start, .. } = source.lines_around(self.row.row.span);
        let whole = Span { start, end };
        let mut edits = Vec::new();
        for one in all.iter().filter(|one| !one.is_kept()) {
            for (span, text) in self.edits(one)? {
                edits.push(formatting::replacing(
                    source.text(),
                    self.cx.readme,
                    span,
                    &text,
                ));
            }
        }
        edits.first()?;
        edits.sort();
        edits.dedup();
        let (mut line, mut done) = (String::new(), whole.start);
        for (span, text) in edits {
            line.push_str(source.slice(Span {
                start: done,
                end: span.start,
            }));
            line.push_str(&text);
            done = span.end;
        }
        line.push_str(source.slice(Span {
            start: done,
            ..whole
        }));
        Line::printable(&line).filter(|_| source.is_showable(whole))
    }

    /// Writes the cells of one rule with known values: the safe ones first, and then the others.
    fn fix(&self, own: &[&Difference<'_>]) -> Option<Fix> {
        let edits = own.iter().filter_map(|one| {
            let is_known = one.column != Some(Column::Version) || self.page()?.is_known;
            Some((one.is_safe? && is_known, self.edits(one)?))
        });
        let (safe, others): (Vec<_>, Vec<_>) = edits.partition(|(is_safe, _)| *is_safe);
        let title = "correct the row";
        let (fix, edits) = if safe.is_empty() {
            (Fix::unsafe_(title), others)
        } else {
            (Fix::safe(title), safe)
        };
        edits.first()?;
        let mut edits = edits.into_iter().flat_map(|(_, edits)| edits);
        edits.try_fold(fix, |fix, (span, text)| self.cx.fix(fix, span, &text))
    }
}

/// A right link stays. The others are replaced by the page that `add` would choose.
fn page(cx: &ReadmeContext<'_>, row: &ListedRow<'_>, version: &str) -> Option<Page> {
    let of_row = row.text(row.columns.version)?;
    let targets = targets(cx, row.cell(row.columns.version)?);
    let is_right = |page: &Page| {
        wrong_page(&page.address, row.report).is_none()
            && named_by_link(&page.address, version) != LinkMatch::Other
    };
    let page = |address: String, is_known| Some(Page { address, is_known });
    let mut own = targets
        .iter()
        .filter_map(|url| page((*url).to_owned(), true));
    let of_other_version = targets.first().filter(|url| {
        wrong_page(url, row.report).is_none() && other_version(url, of_row, Some(version)).is_some()
    });
    own.find(&is_right).or_else(|| {
        let page = match of_other_version {
            // No page is guessed next to one that names its version in another way.
            Some(url) => page(address_with(url, of_row, version)?, false),
            None => cx.release_page(row.report?, version),
        };
        page.filter(&is_right)
    })
}
