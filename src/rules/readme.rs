//! Rules about what a submission's README says.

rules! {
    alias_link,
    column_missing,
    dead_link,
    html_table,
    listener_isolation,
    mode_not_described,
    placeholder,
    report_link,
    reproduce_empty,
    reproduce_missing,
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
    unclosed_comment,
    version_link,
    version_link_differs,
    x_cell,
}

pub mod cells;
mod listing;
pub mod fixes;
mod version;

use crate::diagnostic::in_code;
use crate::suggest::letters;

pub use listing::{ListedRow, Listing};

/// A text as messages quote it: not longer than some lines of a screen.
fn quoted(text: &str) -> String {
    const MAX_CHARS: usize = 300;
    match text.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("`{}…`", in_code(&text[..end])),
        None => format!("`{text}`", text = in_code(&text)),
    }
}
