//! Edits a table in its existing style: outer pipes, padding, columns and line endings.

use unicode_width::UnicodeWidthStr;

use super::{Readme, Row, Table, row_text};
use gwconform_base::text::source::Span;

#[derive(Debug, Clone, PartialEq, Eq)]
struct Formatting {
    indent: String,
    opened: bool,
    closed: bool,
    left: String,
    right: String,
    /// Column widths between pipes; `None` if the table is not aligned.
    widths: Option<Vec<usize>>,
    column_count: usize,
}

impl Formatting {
    pub fn new(text: &str, table: &Table) -> Self {
        let is_full = |row: &&Row| {
            row.cells.len() == table.header.cells.len()
                && row.cells.iter().any(|cell| !cell.span.is_empty())
        };
        let model = table
            .rows
            .iter()
            .rev()
            .find(is_full)
            .unwrap_or(&table.header);
        let at = model.span.start as usize;
        let line_start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
        let (left, right) = padding(text, model);
        Self {
            indent: text[line_start..at].to_owned(),
            opened: model.opened,
            closed: model.closed,
            left,
            right,
            widths: widths(text, table),
            column_count: table.header.cells.len(),
        }
    }

    pub fn row(&self, texts: &[String]) -> String {
        let mut line = self.indent.clone();
        for column in 0..self.column_count {
            let text = texts.get(column).map_or("", String::as_str);
            let is_last = column + 1 == self.column_count;
            if column > 0 || self.opened {
                line.push('|');
                line.push_str(&self.left);
            }
            line.push_str(text);
            if !is_last || self.closed {
                line.push_str(&self.right);
                line.push_str(&" ".repeat(self.missing(column, text)));
            }
        }
        if self.closed {
            line.push('|');
        }
        line
    }

    fn missing(&self, column: usize, text: &str) -> usize {
        let width = self.widths.as_ref().and_then(|widths| widths.get(column));
        let written = self.left.width() + text.width() + self.right.width();
        width.map_or(0, |width| width.saturating_sub(written))
    }
}

fn padding(text: &str, model: &Row) -> (String, String) {
    let mut cells = model.cells.iter().filter(|cell| !cell.span.is_empty());
    let Some(cell) = cells.next() else {
        return (" ".to_owned(), " ".to_owned());
    };
    let before = &text[model.span.start as usize..cell.span.start as usize];
    let after = &text[cell.span.end as usize..model.span.end as usize];
    let is_padded = before.ends_with(row_text::is_blank) || after.starts_with(row_text::is_blank);
    let pad = if is_padded { " " } else { "" };
    (pad.to_owned(), pad.to_owned())
}

/// A table is aligned if header and delimiter row match, and if all rows match too or the header is
/// padded.
fn widths(text: &str, table: &Table) -> Option<Vec<usize>> {
    let header = &text[table.header.span.range()];
    let widths = widths_of(header)?;
    let mut rows = table.rows.iter().filter(|row| !row.has_no_pipe());
    let has_rows = rows.clone().next().is_some();
    let agrees = |line: &str| widths_of(line).as_ref() == Some(&widths);
    let is_filled_up = agrees(delimiter(text, table)?)
        && (header.contains("  ") || has_rows && rows.all(|row| agrees(&text[row.span.range()])));
    is_filled_up.then_some(widths)
}

fn widths_of(line: &str) -> Option<Vec<usize>> {
    let line = line.trim().strip_prefix('|')?.strip_suffix('|')?;
    let (mut widths, mut start) = (Vec::new(), 0);
    let bytes = line.as_bytes();
    for at in 0..=line.len() {
        if at == line.len() || (bytes[at] == b'|' && (at == 0 || bytes[at - 1] != b'\\')) {
            widths.push(line[start..at].width());
            start = at + 1;
        }
    }
    Some(widths)
}

fn delimiter<'t>(text: &'t str, table: &Table) -> Option<&'t str> {
    let below = &text[table.header.span.end as usize..];
    below.split_inclusive('\n').nth(1)
}

/// Adds a row at the end, or replaces an empty template row. Returns the replaced span and the new
/// text.
pub(crate) fn with_row(text: &str, table: &Table, texts: &[String]) -> (Span, String) {
    with_rows(text, table, &[texts.to_vec()])
}

/// Like `with_row`, for more than one row.
pub fn with_rows(text: &str, table: &Table, rows: &[Vec<String>]) -> (Span, String) {
    let formatting = Formatting::new(text, table);
    let below = |newline: &str, rows: &[Vec<String>]| -> String {
        let lines = rows.iter().map(|texts| formatting.row(texts));
        lines.map(|line| format!("{newline}{line}")).collect()
    };
    let is_empty = |row: &&Row| row.cells.iter().all(|cell| cell.span.is_empty());
    if let Some(empty) = table.rows.iter().find(is_empty)
        && !empty.has_no_pipe()
    {
        let (first, others) = rows.split_at(rows.len().min(1));
        let first: String = first.iter().map(|texts| formatting.row(texts)).collect();
        let others = below(newline(&text[..empty.span.end as usize]), others);
        return (empty.span, format!("{}{others}", first.trim_start()));
    }
    let last = table.rows.iter().rev().find(|row| !row.has_no_pipe());
    let end = match last {
        Some(row) => row.span.end as usize,
        None => {
            let header = table.header.span.end as usize;
            let below = text[header..]
                .find('\n')
                .map_or(header, |at| header + at + 1);
            below + text[below..].find('\n').unwrap_or(text.len() - below)
        }
    };
    let line_end = text[end..].find('\n').map_or(text.len(), |at| end + at);
    let has_return = text[..line_end].ends_with('\r');
    let end = line_end - usize::from(has_return);
    let newline = if has_return { "\r\n" } else { "\n" };
    (Span::at(end), below(newline, rows))
}

/// Line ending of the last line in a text.
pub fn newline(text: &str) -> &'static str {
    let last = text.rfind('\n').map_or("", |at| &text[..at]);
    if last.ends_with('\r') { "\r\n" } else { "\n" }
}

/// Replaces a span of a README. In an aligned table, the padding is adjusted. Returns the replaced
/// span and the new text.
pub(crate) fn replacing(text: &str, readme: &Readme, span: Span, new: &str) -> (Span, String) {
    let unchanged = (span, new.to_owned());
    let holds = |outer: Span| outer.start <= span.start && span.end <= outer.end;
    let Some(table) = readme.tables.iter().find(|table| holds(table.span)) else {
        return unchanged;
    };
    let rows = &table.rows;
    let at = rows.partition_point(|row| row.span.end < span.start);
    let Some(row) = rows.get(at).filter(|row| holds(row.span)) else {
        return unchanged;
    };
    let Some(column) = row.cells.iter().position(|cell| holds(cell.span)) else {
        return unchanged;
    };
    let cell = &row.cells[column];
    let cell_end = cell.span.end as usize;
    let rest = &text[span.end as usize..cell_end];
    let after = &text[cell_end..];
    let blank = &after[..after.len() - after.trim_start_matches([' ', '\t']).len()];
    if cell.span.is_empty() {
        let width = blank.width().max(new.width() + 2);
        let pad = " ".repeat(width - new.width() - 1);
        let span = Span::new(cell_end, cell_end + blank.len());
        return (span, format!(" {new}{pad}"));
    }
    let width_in = |row: &Row| widths_of(&text[row.span.range()])?.get(column).copied();
    let is_filled_up = width_in(row).is_some() && width_in(row) == width_in(&table.header);
    if blank.is_empty() || !is_filled_up {
        return unchanged;
    }
    let width = text[span.range()].width() + blank.width();
    let pad = width.saturating_sub(new.width()).max(1);
    let replaced = Span::new(span.start as usize, cell_end + blank.len());
    (replaced, format!("{new}{rest}{}", " ".repeat(pad)))
}
