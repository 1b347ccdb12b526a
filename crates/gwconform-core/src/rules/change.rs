//! Rules that check the differences from an earlier revision (`check --since`).

rules! {
    address_moved,
    altered_configuration,
    altered_statement,
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
