//! Rules that check the differences from an earlier revision (`check --since`).

rules! {
    INPUTS: Rule<InputsContext> {
        altered_configuration,
        altered_statement,
    }
    CHANGE: Rule<ChangeContext> {
        address_moved,
        date_in_future,
        deleted_report,
        edited_metadata,
        edited_results,
        git_attributes,
        other_folder,
        other_spelling,
        several_implementations,
        unexpected_file,
        website,
    }
}

use crate::rules::{ChangeContext, InputsContext, Rule, rules};
