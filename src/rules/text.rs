//! Rules about the text of a file, README or report.

pub mod byte_order_mark;
pub mod conflict_marker;
pub mod encoding;
pub mod final_newline;
pub mod line_endings;
