//! Rules about the text of a file, README or report.

rules! {
    byte_order_mark,
    conflict_marker,
    encoding,
    final_newline,
    line_endings,
}
