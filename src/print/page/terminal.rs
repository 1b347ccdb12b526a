use std::mem;

use unicode_width::UnicodeWidthStr;

use super::{Block, Inline, Item, Page, Piece, Table};
use gwconform_base::text::visible;
use gwconform_base::text::wrap::wrap;

impl Page {
    /// Wraps lines at `width` columns, except commands and text to copy.
    pub fn human(&self, width: usize) -> String {
        let mut out = Lines {
            text: String::new(),
            width,
            has_gap: false,
        };
        let mut indent = 0;
        for block in &self.blocks {
            match block {
                Block::Mark(_) => {}
                Block::Gap => {
                    out.has_gap = true;
                    indent = 0;
                }
                Block::Heading(1, text) => out.add(0, &text.human()),
                Block::Heading(_, text) | Block::Folded { title: text, .. } => {
                    out.empty();
                    let text = text.human();
                    out.add(0, &text);
                    if matches!(block, Block::Heading(2, _)) {
                        out.add(0, &"=".repeat(text.width().min(width)));
                    }
                    indent = 1;
                }
                Block::Paragraph(text) => out.add(indent, &text.human()),
                Block::List(items) | Block::WholeList(items) => {
                    let cut = self.cut.filter(|_| matches!(block, Block::List(_)));
                    let shown = cut.map_or(usize::MAX, |cut| cut.lines);
                    for item in items.iter().take(shown) {
                        out.add_item(indent, item);
                    }
                    if let more @ 1.. = items.len().saturating_sub(shown) {
                        out.add(indent, &self.more(more));
                    }
                }
                Block::Table(table) => out.add_table(indent, table),
                Block::Code(command) => out.text.push_str(&format!("\n{command}\n")),
            }
        }
        out.text
    }
}

impl Inline {
    pub(super) fn human(&self) -> String {
        let pieces = self.0.iter().map(|piece| match piece {
            Piece::Words(text) | Piece::Text(text) | Piece::Code(text) | Piece::Link(text, _) => {
                visible(text)
            }
            Piece::Message(message) => visible(&message.to_string()),
            Piece::Image(_) => String::new(),
        });
        pieces.collect()
    }
}

/// Maximum column width in characters. A wider cell moves the rest of its line to the right.
const WIDEST_COLUMN: usize = 64;

struct Lines {
    text: String,
    width: usize,
    has_gap: bool,
}

impl Lines {
    fn empty(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    fn add(&mut self, indent: usize, text: &str) {
        self.add_wrapped(indent, text, self.width);
    }

    fn add_wrapped(&mut self, indent: usize, text: &str, width: usize) {
        if mem::take(&mut self.has_gap) {
            self.empty();
        }
        for part in wrap(&format!("{:1$}{text}", "", 2 * indent), width) {
            self.text.push_str(&part);
            self.text.push('\n');
        }
    }

    fn add_item(&mut self, indent: usize, item: &Item) {
        let indent = indent + item.depth;
        if !item.lines.is_empty() {
            self.empty();
        }
        self.add(indent, &item.text.human());
        for line in &item.lines {
            self.add(indent + 1, &line.human());
        }
    }

    fn add_table(&mut self, indent: usize, table: &Table) {
        let rows = || table.rows.iter().map(|row| row.cells.as_slice());
        let cell = |row: &[Inline], column: usize| row.get(column).map(Inline::human);
        let columns: Vec<(usize, bool)> =
            (0..rows().map(<[Inline]>::len).max().unwrap_or_default())
                .map(|column| {
                    let cells: Vec<String> = rows().filter_map(|row| cell(row, column)).collect();
                    let head = table.head.get(column).map_or(0, |head| head.width());
                    let widest = cells.iter().map(|cell| cell.width()).max();
                    let is_number = |cell: &String| cell.bytes().all(|byte| byte.is_ascii_digit());
                    let is_right = cells.iter().all(is_number);
                    let widest = widest.unwrap_or_default().min(WIDEST_COLUMN);
                    (widest.max(head), is_right)
                })
                .collect();
        let line = |cells: Vec<String>| {
            let cells = cells.iter().zip(&columns).map(|(cell, (width, is_right))| {
                let room = " ".repeat(width.saturating_sub(cell.width()));
                if *is_right {
                    room + cell
                } else {
                    cell.clone() + &room
                }
            });
            cells.collect::<Vec<_>>().join("  ")
        };
        if !table.head.is_empty() && table.rows.iter().any(|row| row.line.is_none()) {
            let head = table.head.iter().map(|head| (*head).to_owned()).collect();
            self.add_wrapped(indent, line(head).trim_end(), usize::MAX);
        }
        // Tables with column names are not wrapped.
        let width = if table.head.is_empty() {
            self.width
        } else {
            usize::MAX
        };
        for row in &table.rows {
            match &row.line {
                Some(line) => self.add(indent, &line.human()),
                None => {
                    let cells = row.cells.iter().map(Inline::human).collect();
                    self.add_wrapped(indent, line(cells).trim_end(), width);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::print::page::{Inline, Page};

    #[test]
    fn a_long_cell_makes_no_other_row_longer() {
        let mut page = Page::default();
        let row = |cell: String| vec![Inline::from(cell), Inline::from("b")].into();
        let rows = ["a".repeat(10_000), "a".to_owned(), "aa".to_owned()].map(row);
        page.table(&["A", "B"], rows.into());
        let text = page.human(80);
        let lengths: Vec<usize> = text.lines().map(str::len).collect();
        assert_eq!(lengths, [67, 10_003, 67, 67]);
    }
}
