//! Rules that check the text of READMEs and reports.

rules! {
    RULES: Rule<TextContext> {
        byte_order_mark,
        conflict_marker,
        encoding,
        final_newline,
        line_endings,
        other_format,
    }
}

use crate::rules::{Rule, TextContext, rules};

pub use encoding::RULE as ENCODING;
pub use other_format::RULE as OTHER_FORMAT;
