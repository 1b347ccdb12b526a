//! Writes CSV tables (RFC 4180). [`inert`] prevents spreadsheets from evaluating cells as formulas.

use std::borrow::Cow;

use csv::{Terminator, Writer, WriterBuilder};

use crate::site::{File, paths};
use crate::text::escape::inert;

/// Size in bytes from which a piece of a file is passed on.
const MAX_PIECE: usize = 256 * 1024;

/// Column name, and a function that returns the cell for a row.
pub(super) type Column<R> = (&'static str, fn(&R) -> String);

/// A CSV file, which is passed on in pieces because it can have many megabytes.
pub(super) struct Table {
    pub(super) path: String,
    is_started: bool,
    pub(super) columns: Vec<String>,
    /// Number of rows, not counting the header.
    pub(super) rows: usize,
    writer: Writer<Vec<u8>>,
}

impl Table {
    pub(super) fn new<R>(name: &str, columns: &[Column<R>]) -> Self {
        let names: Vec<String> = columns.iter().map(|(name, _)| (*name).to_owned()).collect();
        let mut table = Self {
            path: paths::data_file(&format!("{name}.csv")),
            is_started: false,
            columns: names.clone(),
            rows: 0,
            writer: writer(),
        };
        table.write(&names);
        table
    }

    pub(super) fn add<R>(&mut self, columns: &[Column<R>], row: &R) {
        let cells: Vec<String> = columns.iter().map(|(_, cell)| cell(row)).collect();
        self.write(&cells);
        self.rows += 1;
    }

    fn write(&mut self, cells: &[String]) {
        // Writing cannot fail: a `Vec` accepts all writes, and all records have the same length.
        let written = self
            .writer
            .write_record(cells.iter().map(|cell| Cell(inert(cell))));
        debug_assert!(written.is_ok());
    }

    /// Returns the next piece of the file if it is large enough.
    pub(super) fn piece(&mut self) -> Option<File> {
        (self.writer.get_ref().len() > MAX_PIECE).then(|| self.rest())
    }

    /// Returns the lines that no piece contained.
    pub(super) fn rest(&mut self) -> File {
        let writer = std::mem::replace(&mut self.writer, writer());
        let mut file = File::new(self.path.clone(), writer.into_inner().unwrap_or_default());
        file.continues = std::mem::replace(&mut self.is_started, true);
        file
    }
}

/// `Cow` does not implement `AsRef<[u8]>`.
struct Cell<'c>(Cow<'c, str>);

impl AsRef<[u8]> for Cell<'_> {
    fn as_ref(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

fn writer() -> Writer<Vec<u8>> {
    WriterBuilder::new()
        .terminator(Terminator::CRLF)
        .from_writer(Vec::new())
}

pub(super) fn cell(value: Option<impl ToString>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

pub(super) fn joined<T: AsRef<str>>(items: impl IntoIterator<Item = T>) -> String {
    let mut joined = String::new();
    for item in items {
        if !joined.is_empty() {
            joined.push_str("; ");
        }
        joined.push_str(item.as_ref());
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::{Column, Table};

    const COLUMNS: [Column<&str>; 1] = [("cell", |cell| (*cell).to_owned())];

    fn table<const N: usize>(cells: [&'static str; N]) -> Table {
        let mut table = Table::new("table", &COLUMNS);
        cells.iter().for_each(|cell| table.add(&COLUMNS, cell));
        table
    }

    #[test]
    fn cells_are_inert() {
        let cells = [
            "=1+1", "+1", "-1", "@a", "\t=1", "\r=1", "'a", "a,b", "a\"b\nc", "", "a=1",
        ];
        let csv = String::from_utf8(table(cells).rest().bytes).unwrap();
        let expected = "cell\r\n'=1+1\r\n'+1\r\n'-1\r\n'@a\r\n'\\t=1\r\n'\\r=1\r\n''a\r\n\"a,b\"\r\n\"a\"\"b\\nc\"\r\n\"\"\r\na=1\r\n";
        assert_eq!(csv, expected);
    }

    #[test]
    fn each_record_is_one_line() {
        for (cell, written) in [
            ("a\nb", "a\\nb"),
            ("a\r\nb", "a\\r\\nb"),
            ("a\rb", "a\\rb"),
            ("a", "a"),
        ] {
            let csv = String::from_utf8(table([cell]).rest().bytes).unwrap();
            assert_eq!(csv, format!("cell\r\n{written}\r\n"));
        }
    }

    #[test]
    fn a_table_without_rows_has_its_columns() {
        let mut table = table([]);
        assert_eq!(table.rest().bytes, b"cell\r\n");
        assert_eq!((table.columns, table.rows), (vec!["cell".to_owned()], 0));
    }
}
