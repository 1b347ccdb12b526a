//! Tables as CSV (RFC 4180).
//!
//! Cells are hostile: a spreadsheet takes a cell that begins with `=`, `+`, `-` or `@` for a
//! formula, and reads past a tab or a line end in front. Such a cell gets a leading `'`, and so does
//! one that begins with `'`, so that taking one `'` away gives the text back. Control characters, and those that cannot be seen, are written as
//! escapes (`\n`), so that every record is one line.

use crate::text::visible;

/// A table: its columns, and one row for each thing.
pub(super) struct Table {
    pub(super) columns: &'static [&'static str],
    pub(super) rows: Vec<Vec<String>>,
}

impl Table {
    pub(super) fn to_csv(&self) -> Vec<u8> {
        let mut writer = csv::WriterBuilder::new()
            .terminator(csv::Terminator::CRLF)
            .flexible(true)
            .from_writer(Vec::new());
        // A Vec takes everything, and rows of any length are allowed: nothing here can fail.
        let mut written = writer.write_record(self.columns);
        for row in &self.rows {
            debug_assert_eq!(row.len(), self.columns.len());
            written =
                written.and_then(|()| writer.write_record(row.iter().map(|cell| inert(cell))));
        }
        debug_assert!(written.is_ok());
        writer.into_inner().unwrap_or_default()
    }
}

/// A cell that no spreadsheet takes for a formula, also where it reads past what cannot be seen or
/// takes the wide forms of the characters.
fn inert(cell: &str) -> String {
    let shown = visible(cell);
    let is_formula = shown.starts_with(['=', '+', '-', '@', '\'', '＝', '＋', '－', '＠'])
        || cell.starts_with(['\t', '\r', '\n']);
    if is_formula {
        format!("'{shown}")
    } else {
        shown
    }
}

/// The text of something that may be missing.
pub(super) fn or_empty(value: Option<impl ToString>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
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
    use super::Table;

    #[test]
    fn cells_are_inert() {
        let cells = [
            "=1+1", "+1", "-1", "@a", "\t=1", "\r=1", "'a", "a,b", "a\"b\nc", "", "a=1",
        ];
        let table = Table {
            columns: &["cell"],
            rows: cells.iter().map(|cell| vec![(*cell).to_owned()]).collect(),
        };
        let csv = String::from_utf8(table.to_csv()).unwrap();
        let expected = "cell\r\n'=1+1\r\n'+1\r\n'-1\r\n'@a\r\n'\\t=1\r\n'\\r=1\r\n''a\r\n\"a,b\"\r\n\"a\"\"b\\nc\"\r\n\"\"\r\na=1\r\n";
        assert_eq!(csv, expected);
    }
}
