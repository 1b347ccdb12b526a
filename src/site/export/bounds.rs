//! Limits the size of values. The engine converts a value to text in one step, so the size must be
//! checked first.

use minijinja::value::{Value, ValueKind};
use minijinja::{Error, ErrorKind};

/// Maximum template size in bytes. Each byte can add a nesting level (as in `--1`) and use parser
/// stack.
pub(super) const MAX_TEXT: usize = 256 * 1024;

/// Maximum output in bytes. The `tables` export of 154 real reports writes 70 KB per page.
pub const MAX_OUTPUT: usize = 32 * 1024 * 1024;

/// Maximum nesting. The documents have ten levels.
const MAX_LEVELS: usize = 64;

const MAX_ITEMS: usize = 1_000_000;

struct Left {
    items: usize,
    bytes: usize,
}

/// Rejects values that are too large or nested too deeply. A shared list counts each time it
/// occurs.
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
            "the value is nested too deeply to be written; expected at most {MAX_LEVELS} levels"
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
