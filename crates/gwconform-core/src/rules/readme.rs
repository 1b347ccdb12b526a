//! Rules about the README of a submission.

rules! {
    alias_link,
    column_missing,
    dead_link,
    listener_isolation,
    mode_not_described,
    placeholder,
    report_link,
    report_link_version,
    report_not_linked,
    reproduce_empty,
    reproduce_missing,
    reproduce_version,
    reproduce_without_steps,
    row_channel,
    row_missing,
    row_mode,
    row_repeated,
    row_spelling,
    row_version,
    row_without_report,
    several_tables,
    stray_row,
    surplus_cells,
    table_heading,
    table_missing,
    text_in_table,
    title_missing,
    title_of_template,
    version_link,
    version_link_differs,
    x_cell,
}

mod anchors;
pub mod cells;
pub(super) mod listing;
pub mod fixes;
pub mod markup;
pub mod rows;
pub(in crate::rules) mod suggestions;
pub mod version;

use crate::text::letters;
use crate::text::message::{Line, Message, texts};

pub use listing::{ListedRow, Listing};

texts! {
    /// Advice about the structure of a README.
    pub enum Outline {
        /// For a missing or an empty README.
        Write => "write a README.md with a title, `## Table of contents` with a row for each report, and `## Reproduce`",
    }
}

texts! {
    enum Write {
        Line { line: Line } => "write {line}",
        LinkToPage { line: Line } => "write {line} with the URL of the release page",
        Fixed { help: Message, line: Line } => "{help}; the fix writes {line}",
    }
}
