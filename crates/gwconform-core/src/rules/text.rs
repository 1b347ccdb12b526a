//! Rules that check the text of READMEs and reports.

rules! {
    byte_order_mark,
    conflict_marker,
    encoding,
    final_newline,
    line_endings,
}
