//! Subjects of README findings. The subject of a row is its report, and the subject of a cell also
//! names the column.

use super::cells::Column;
use super::listing::ListedRow;
use crate::rules::ReadmeContext;
use gwconform_base::text::diagnostic::{Anchor, Place, Subject};
use gwconform_base::text::source::Span;

pub(crate) const TABLE_OF_CONTENTS: &str = "table of contents";

/// Subject such as `row standard-v1.2.0-default-report.yaml`.
pub fn row(row: &ListedRow<'_>) -> Subject {
    Subject::new(format!("row {}", key(row)))
}

/// Subject such as `row standard-v1.2.0-default-report.yaml, Mode`.
pub(crate) fn cell(row: &ListedRow<'_>, column: Column) -> Subject {
    Subject::new(format!("row {}, {}", key(row), column.name()))
}

/// Listed report, link target or row text. Does not depend on the existence of the file.
fn key(row: &ListedRow<'_>) -> String {
    let link = || Some(row.link?.target.trim_start_matches("./"));
    match row.file.as_deref().or_else(link) {
        Some(target) => target.to_owned(),
        None => {
            let cells = row.row.cells.iter().map(|cell| cell.text.trim());
            let parts = cells.flat_map(|text| [text, " | "]);
            let text: String = parts.collect();
            text.trim_end_matches([' ', '|']).to_owned()
        }
    }
}

impl ReadmeContext<'_> {
    /// Place of a span, for labels without a subject.
    pub fn place(&self, span: Span) -> Place {
        Place::span(self.source, span)
    }

    /// Place of a span, with a subject.
    pub fn about(&self, span: Span, subject: impl Into<String>) -> Anchor {
        Anchor::new(self.place(span), Subject::new(subject))
    }

    /// Anchor for a finding about the whole README.
    pub fn whole(&self, place: Place) -> Anchor {
        Anchor::new(place, Subject::whole())
    }

    /// Empty before the first heading.
    pub(crate) fn heading_text(&self, section: usize) -> &str {
        let heading = self.readme.heading_of(section);
        heading.map_or("", |heading| heading.text.as_str())
    }

    /// Place of a span, with the row as the subject.
    pub fn row(&self, listed: &ListedRow<'_>, span: Span) -> Anchor {
        Anchor::new(self.place(span), row(listed))
    }

    /// Anchor of the cell or, if the cell is empty, of its row.
    pub(crate) fn cell(&self, row: &ListedRow<'_>, column: Column) -> Anchor {
        let written = row
            .cell(column.index(&row.columns))
            .filter(|cell| !cell.span.is_empty());
        let span = written.map_or(row.row.span, |cell| cell.span);
        let anchor = Anchor::new(self.place(span), cell(row, column));
        match written.map(|cell| cell.text.trim()) {
            Some(text) if !text.is_empty() => anchor.with_value(text),
            _ => anchor,
        }
    }
}
