//! Rules about what a submission's README says.

pub mod alias_link;
pub mod cells;
pub mod column_missing;
pub mod dead_link;
pub mod html_table;
pub mod listener_isolation;
pub mod mode_not_described;
pub mod placeholder;
pub mod report_link;
pub mod reproduce_empty;
pub mod reproduce_missing;
pub mod row_channel;
pub mod row_missing;
pub mod row_mode;
pub mod row_repeated;
pub mod row_spelling;
pub mod row_version;
pub mod row_without_report;
pub mod several_tables;
pub mod stray_row;
pub mod surplus_cells;
pub mod table_heading;
pub mod table_missing;
pub mod text_in_table;
pub mod title_missing;
pub mod unclosed_comment;
pub mod version_link;
pub mod version_link_differs;
pub mod x_cell;
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
