//! Tables: CSV as RFC 4180 has it, whose columns are the fields of its rows, and whose cells no
//! spreadsheet runs as a formula.
//!
//! A cell that begins with `=`, `+`, `-`, `@`, a tab or a line end is a formula or a command to a
//! spreadsheet; OWASP names these (CSV injection). Such a cell gets a leading `'`, and so does one
//! that begins with `'`, so that removing one `'` gives the text back. Control characters and
//! invisible ones are written as escapes (`\n`), so that every record is one line.

use csv::{ReaderBuilder, StringRecord, Terminator, Writer, WriterBuilder};
use serde::Serialize;

use crate::text::visible;

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
        let with_header = [R::default()];
        let mut records = records(&with_header)?;
        records.truncate(1);
        records.extend(self::records(rows)?.into_iter().skip(1));
        let mut writer = writer();
        for record in &records {
            writer.write_record(record.iter().map(inert))?;
        }
        Ok(Self {
            columns: records.first().map_or_else(Vec::new, |header| {
                header.iter().map(str::to_owned).collect()
            }),
            rows: rows.len(),
            csv: bytes(writer)?,
        })
    }
}

/// The header and the rows, as text: no cell of any row leaves this module without [`inert`].
fn records<R: Serialize>(rows: &[R]) -> csv::Result<Vec<StringRecord>> {
    let mut writer = writer();
    for row in rows {
        writer.serialize(row)?;
    }
    let bytes = bytes(writer)?;
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .from_reader(bytes.as_slice());
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

/// A cell that no spreadsheet takes for a formula, also where it reads past what cannot be seen or
/// takes the wide forms of the characters.
fn inert(cell: &str) -> String {
    let visible = visible(cell);
    let is_formula = visible.starts_with(['=', '+', '-', '@', '\'', '＝', '＋', '－', '＠'])
        || cell.starts_with(['\t', '\r', '\n']);
    if is_formula {
        format!("'{visible}")
    } else {
        visible
    }
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
    fn a_table_without_rows_has_its_columns() {
        let table = Table::of::<Row<'_>>(&[]);
        assert_eq!((table.columns, table.rows), (vec!["cell".to_owned()], 0));
        assert_eq!(table.csv, b"cell\r\n");
    }
}
