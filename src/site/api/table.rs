//! Writes CSV tables (RFC 4180). [`inert`] prevents spreadsheets from evaluating cells as formulas.

use std::borrow::Cow;

use csv::{Terminator, Writer, WriterBuilder};
use serde_json::Value;

use crate::site::{File, paths};
use gwconform_base::text::escape::inert;

/// Size in bytes from which a piece of a file is passed on.
const MAX_PIECE: usize = 256 * 1024;

/// A CSV file, which is passed on in pieces because it can have many megabytes.
pub(super) struct Table {
    pub(super) path: String,
    is_started: bool,
    pub(super) columns: Vec<&'static str>,
    /// Number of rows, not counting the header.
    pub(super) rows: usize,
    writer: Writer<Vec<u8>>,
}

impl Table {
    /// `columns` are the names of the columns, with commas.
    pub(super) fn new(name: &str, columns: &'static str) -> Self {
        let mut table = Self {
            path: paths::data_file(&format!("{name}.csv")),
            is_started: false,
            columns: columns.split(',').collect(),
            rows: 0,
            writer: writer(),
        };
        written(table.writer.write_record(&table.columns));
        table
    }

    /// Adds a row. A cell is the field with the name of the column, from the first object that has
    /// this field. A name with dots is the path of a nested field.
    pub(super) fn add(&mut self, objects: &[&Value]) {
        let cell = |column: &&str| {
            let mut objects = objects.iter();
            let field = objects.find_map(|object| column.split('.').try_fold(*object, Value::get));
            field.map(text).unwrap_or_default()
        };
        let cells: Vec<_> = self.columns.iter().map(cell).collect();
        self.add_cells(cells.iter().map(AsRef::as_ref));
    }

    /// Adds a row with a cell for each column.
    pub(super) fn add_cells<'c>(&mut self, cells: impl IntoIterator<Item = &'c str>) {
        for cell in cells {
            written(self.writer.write_field(inert(cell).as_bytes()));
        }
        written(self.writer.write_record(None::<&[u8]>));
        self.rows += 1;
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

/// Writing cannot fail: a `Vec` accepts all writes, and all records have the same length.
fn written(result: csv::Result<()>) {
    debug_assert!(result.is_ok());
}

fn writer() -> Writer<Vec<u8>> {
    WriterBuilder::new()
        .terminator(Terminator::CRLF)
        .from_writer(Vec::new())
}

fn text(value: &Value) -> Cow<'_, str> {
    match value {
        Value::Null => "".into(),
        Value::String(text) => text.into(),
        Value::Array(items) => items.iter().map(text).collect::<Vec<_>>().join("; ").into(),
        value => value.to_string().into(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Table;

    fn table<const N: usize>(cells: [&'static str; N]) -> Table {
        let mut table = Table::new("table", "cell");
        cells
            .iter()
            .for_each(|cell| table.add(&[&json!({ "cell": cell })]));
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
        assert_eq!((table.columns, table.rows), (vec!["cell"], 0));
    }
}
