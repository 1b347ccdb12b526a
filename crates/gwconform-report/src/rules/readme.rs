//! Rules about the README of a submission.

rules! {
    RULES: Rule<ReadmeContext> {
        alias_link,
        column_missing,
        dead_link,
        listener_isolation,
        mode_not_described,
        placeholder,
        reproduce_empty,
        reproduce_missing,
        reproduce_version,
        reproduce_without_steps,
        row_link,
        row_missing,
        row_mode,
        row_repeated,
        row_spelling,
        row_value,
        row_without_report,
        several_tables,
        stray_row,
        table_heading,
        table_missing,
        text_in_table,
        title_missing,
        title_of_template,
    }
}

mod anchors;
pub mod cells;
pub(super) mod listing;
pub mod fixes;
pub mod markup;
mod row_comparison;
pub(super) mod row_differences;
pub(in crate::rules) mod suggestions;
pub mod version;

use crate::rules::{ReadmeContext, Rule, rules};
use gwconform_base::text::letters;
use gwconform_base::text::message::texts;

pub use listing::{ListedRow, Listing};

texts! {
    /// Advice about the structure of a README.
    pub enum Outline {
        /// For a missing or an empty README.
        Write => "write a README.md with a title, `## Table of contents` with a row for each report, and `## Reproduce`",
    }
}
