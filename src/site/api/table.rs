//! Tables: CSV as RFC 4180 has it, whose columns are the fields of its rows, and whose cells no
//! spreadsheet runs as a formula ([`inert`]).

use csv::{ReaderBuilder, StringRecord, Terminator, Writer, WriterBuilder};
use serde::Serialize;

use crate::text::escape::inert;

/// A table as a file.
#[derive(Default)]
pub(super) struct Table {
    pub(super) columns: Vec<String>,
    /// How many rows it has, without the header.
    pub(super) rows: usize,
    pub(super) csv: Vec<u8>,
}

impl Table {
    /// A table of rows. The row of default values only gives its columns: they are there without
    /// any row too.
    pub(super) fn of<R: Serialize + Default>(rows: &[R]) -> Self {
        let table = Self::try_of(rows);
        // Rows are structs of texts and numbers, and a Vec takes everything: nothing can fail.
        debug_assert!(table.is_ok());
        table.unwrap_or_default()
    }

    fn try_of<R: Serialize + Default>(rows: &[R]) -> csv::Result<Self> {
        let columns = header(&written(&[R::default()])?)?;
        let mut csv = written(rows)?;
        if !is_inert(&csv, rows.len()) {
            let mut writer = writer();
            writer.write_record(columns.iter().map(|name| inert(name)))?;
            for record in records(&csv)?.iter().skip(1) {
                writer.write_record(record.iter().map(inert))?;
            }
            csv = bytes(writer)?;
        }
        Ok(Self {
            columns,
            rows: rows.len(),
            csv,
        })
    }
}

/// The first record of a table. Names of fields need no quotes, and a reader of CSV costs more than a small
/// table to make.
fn header(csv: &[u8]) -> csv::Result<Vec<String>> {
    let end = memchr::memmem::find(csv, b"\r\n").unwrap_or(csv.len());
    match std::str::from_utf8(&csv[..end]) {
        Ok(names) if !names.contains('"') => Ok(names.split(',').map(str::to_owned).collect()),
        _ => {
            let first = records(csv)?.into_iter().next().unwrap_or_default();
            Ok(first.iter().map(str::to_owned).collect())
        }
    }
}

/// The header and the rows as they are; none without rows.
fn written<R: Serialize>(rows: &[R]) -> csv::Result<Vec<u8>> {
    let mut writer = writer();
    for row in rows {
        writer.serialize(row)?;
    }
    bytes(writer)
}

/// True for a header and rows none of whose cells [`inert`] changes: each is one line of printable ASCII,
/// and nothing that may begin a cell begins a formula.
fn is_inert(csv: &[u8], rows: usize) -> bool {
    let lines = memchr::memmem::find_iter(csv, b"\r\n").count();
    let breaks = memchr::memchr2_iter(b'\r', b'\n', csv).count();
    let mut before = b'\n';
    let is_plain = csv.iter().all(|&byte| {
        let begins = matches!(before, b'\n' | b',' | b'"');
        before = byte;
        let is_formula = begins && matches!(byte, b'=' | b'+' | b'-' | b'@' | b'\'');
        matches!(byte, b' '..=b'~' | b'\r' | b'\n') && !is_formula
    });
    is_plain && lines == rows + 1 && breaks == 2 * lines
}

/// The records of a table: no cell of any row that is not [`inert`] leaves this module.
fn records(csv: &[u8]) -> csv::Result<Vec<StringRecord>> {
    let mut reader = ReaderBuilder::new().has_headers(false).from_reader(csv);
    reader.records().collect()
}

fn writer() -> Writer<Vec<u8>> {
    WriterBuilder::new()
        .terminator(Terminator::CRLF)
        .from_writer(Vec::new())
}

fn bytes(writer: Writer<Vec<u8>>) -> csv::Result<Vec<u8>> {
    writer
        .into_inner()
        .map_err(|error| error.into_error().into())
}

/// Several texts in one cell.
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
    use serde::Serialize;

    use super::Table;

    #[derive(Default, Serialize)]
    struct Row<'r> {
        cell: &'r str,
    }

    #[test]
    fn cells_are_inert() {
        let cells = [
            "=1+1", "+1", "-1", "@a", "\t=1", "\r=1", "'a", "a,b", "a\"b\nc", "", "a=1",
        ];
        let rows = cells.map(|cell| Row { cell });
        let csv = String::from_utf8(Table::of(&rows).csv).unwrap();
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
            let csv = String::from_utf8(Table::of(&[Row { cell }]).csv).unwrap();
            assert_eq!(csv, format!("cell\r\n{written}\r\n"));
        }
    }

    #[test]
    fn a_table_without_rows_has_its_columns() {
        let table = Table::of::<Row<'_>>(&[]);
        assert_eq!((table.columns, table.rows), (vec!["cell".to_owned()], 0));
        assert_eq!(table.csv, b"cell\r\n");
    }
}
