//! Compares each row with its report.
//!
//! Four rules report the differences: `readme/row-value`, `readme/row-mode`, `readme/row-link` and
//! `readme/row-spelling`. Each has at most one finding per row, and all show the same row to paste:
//! the row with its differing cells replaced.

use std::cell::OnceCell;

use super::anchors;
use super::cells::Column;
use super::fixes::Page;
use super::listing::ListedRow;
use super::markup::{link, plain, report_link};
use super::row_differences::{
    Difference, ValueText, Weight, filled, surplus, targets, written, wrong_page,
};
use super::version::{LinkMatch, address_with, named_by_link, other_version, right_version};
use crate::report::formats::is_no_snapshot;
use crate::rules::{Findings, MAX_FINDINGS, ReadmeContext};
use crate::tree::readme::formatting;
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
    /// Advice with the row to paste, or else with a cell.
    pub enum Help {
        Write { line: Line } => "write {line}",
        WriteWithPage { line: Line } => "write {line} with the URL of the release page",
        Remove => "remove the surplus cells, or write a pipe within a cell as `\\|`",
        Or { subject: Words, remedy: Message } => "if {subject} is right, link the report of its run, or {remedy}",
    }
}

/// Reports differences of one weight.
pub fn compare(cx: &ReadmeContext<'_>, weight: Weight, out: &mut Findings) {
    // Fixes require more findings than are printed, but no helps.
    let mut printed = 0..MAX_FINDINGS;
    for (row, all) in cx.listing.rows.iter().zip(cx.row_differences()) {
        let own: Vec<_> = all.iter().filter(|one| one.weight == weight).collect();
        let Some(first) = own.first() else {
            continue;
        };
        let place = match (first.column, surplus(cx.source, row)) {
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
            if let Some(help) = printed.next().and_then(|_| expected.help(all, &own)) {
                finding.help(help);
            }
            finding.fix(expected.fix(&own));
        }
    }
}

/// Values of the cells that belong to a report.
struct Expected<'c, 'a> {
    cx: &'c ReadmeContext<'a>,
    row: &'c ListedRow<'a>,
    /// `None` for a branch, which no row may name.
    version: Option<String>,
    page: OnceCell<Option<Page>>,
}

impl<'c, 'a> Expected<'c, 'a> {
    fn new(cx: &'c ReadmeContext<'a>, row: &'c ListedRow<'a>) -> Self {
        let written = written(cx.source, row);
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
    let targets = targets(cx.source, row.cell(row.columns.version)?);
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
