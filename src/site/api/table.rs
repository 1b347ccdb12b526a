//! Writes CSV tables (RFC 4180). [`inert`] prevents spreadsheets from evaluating cells as formulas.

use csv::{Terminator, WriterBuilder};

use crate::text::escape::inert;

#[derive(Default)]
pub(super) struct Table {
    pub(super) columns: Vec<String>,
    /// Number of rows, not counting the header.
    pub(super) rows: usize,
    pub(super) csv: Vec<u8>,
}

/// Column name, and a function that returns the cell for a row.
pub(super) type Column<R> = (&'static str, fn(&R) -> String);

impl Table {
    pub(super) fn new<R>(columns: &[Column<R>], rows: impl IntoIterator<Item = R>) -> Self {
        let mut writer = WriterBuilder::new()
            .terminator(Terminator::CRLF)
            .from_writer(Vec::new());
        let mut count = 0;
        // Writing cannot fail: a `Vec` accepts all writes, and all records have the same length.
        let mut write = |cells: Vec<String>| {
            let written = writer.write_record(cells.iter().map(|cell| inert(cell)));
            debug_assert!(written.is_ok());
        };
        let names: Vec<String> = columns.iter().map(|(name, _)| (*name).to_owned()).collect();
        write(names.clone());
        for row in rows {
            write(columns.iter().map(|(_, cell)| cell(&row)).collect());
            count += 1;
        }
        Self {
            columns: names,
            rows: count,
            csv: writer.into_inner().unwrap_or_default(),
        }
    }
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

    #[test]
    fn cells_are_inert() {
        let cells = [
            "=1+1", "+1", "-1", "@a", "\t=1", "\r=1", "'a", "a,b", "a\"b\nc", "", "a=1",
        ];
        let csv = String::from_utf8(Table::new(&COLUMNS, cells).csv).unwrap();
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
            let csv = String::from_utf8(Table::new(&COLUMNS, [cell]).csv).unwrap();
            assert_eq!(csv, format!("cell\r\n{written}\r\n"));
        }
    }

    #[test]
    fn a_table_without_rows_has_its_columns() {
        let table = Table::new(&COLUMNS, []);
        assert_eq!((table.columns, table.rows), (vec!["cell".to_owned()], 0));
        assert_eq!(table.csv, b"cell\r\n");
    }
}
