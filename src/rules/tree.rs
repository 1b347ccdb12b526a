//! Rules about names in the tree, and about reports side by side.

pub mod file_name;
pub mod file_name_channel;
pub mod link;
pub mod misplaced_report;
pub mod no_reports;
pub mod project_spelling;
pub mod readme_missing;
pub mod release_folder;
pub mod report_extension;
pub mod same_identity;
pub mod stray_file;
pub mod unreadable;
