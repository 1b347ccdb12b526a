//! How large a value may be that is made into text: the engine does so in one step.

use minijinja::value::{Value, ValueKind};
use minijinja::{Error, ErrorKind};

/// Most bytes of a template that is run: each can be one more level of an expression (`--1`), for
/// which the parser needs a part of the stack.
pub(super) const MAX_TEXT: usize = 256 * 1024;

/// Most bytes of an output. The tables of 154 real reports have 70 KB a page.
pub const MAX_OUTPUT: usize = 32 * 1024 * 1024;

/// Deepest value. The documents have ten levels.
const MAX_LEVELS: usize = 64;

/// Most items at all levels.
const MAX_ITEMS: usize = 1_000_000;

/// What is left of the items, and of the bytes of their texts.
struct Left {
    items: usize,
    bytes: usize,
}

/// Refuses a value that is too deep, or has too many items or bytes, counted where they are: a list
/// that is in it twice counts twice.
pub(super) fn check(value: &Value) -> Result<(), Error> {
    let mut left = Left {
        items: MAX_ITEMS,
        bytes: MAX_OUTPUT,
    };
    walk(value, MAX_LEVELS, &mut left)
}

fn walk(value: &Value, levels: usize, left: &mut Left) -> Result<(), Error> {
    let refused = |message: String| Err(Error::new(ErrorKind::InvalidOperation, message));
    if let Some(text) = value.as_str() {
        let Some(rest) = left.bytes.checked_sub(text.len()) else {
            return refused(format!(
                "the value is too large to be written; expected at most {} MiB",
                MAX_OUTPUT / (1024 * 1024)
            ));
        };
        left.bytes = rest;
    }
    let is_map = match value.kind() {
        ValueKind::Map => true,
        ValueKind::Seq | ValueKind::Iterable => false,
        _ => return Ok(()),
    };
    if levels == 0 {
        return refused(format!(
            "the value is nested too deeplyly to be written; expected at most {MAX_LEVELS} levels"
        ));
    }
    for item in value.try_iter()? {
        if left.items == 0 {
            return refused(format!(
                "the value is too large to be written; expected at most {MAX_ITEMS} items"
            ));
        }
        left.items -= 1;
        let item = if is_map { value.get_item(&item)? } else { item };
        walk(&item, levels - 1, left)?;
    }
    Ok(())
}
