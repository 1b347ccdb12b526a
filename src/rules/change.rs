//! Rules about a change: what differs from an earlier revision.

pub mod address_moved;
pub mod altered_configuration;
pub mod deleted_report;
pub mod edited_results;
pub mod several_implementations;
pub mod unexpected_file;
