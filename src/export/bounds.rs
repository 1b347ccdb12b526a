//! How large a value may be that is made into text: the engine does so in one step.

use minijinja::value::{Value, ValueKind};
use minijinja::{Error, ErrorKind};

/// Deepest value. The documents have ten levels.
const MAX_LEVELS: usize = 64;

/// Most items at all levels.
const MAX_ITEMS: usize = 1_000_000;

/// Refuses a value that is too deep or has too many items, counted where they are: a list that is
/// in it twice counts twice.
pub(super) fn check(value: &Value) -> Result<(), Error> {
    let mut left = MAX_ITEMS;
    walk(value, MAX_LEVELS, &mut left)
}

fn walk(value: &Value, levels: usize, left: &mut usize) -> Result<(), Error> {
    let is_map = match value.kind() {
        ValueKind::Map => true,
        ValueKind::Seq | ValueKind::Iterable => false,
        _ => return Ok(()),
    };
    let refused = |message: String| Err(Error::new(ErrorKind::InvalidOperation, message));
    if levels == 0 {
        return refused(format!(
            "the value is nested too deep to be written; expected at most {MAX_LEVELS} levels"
        ));
    }
    for item in value.try_iter()? {
        if *left == 0 {
            return refused(format!(
                "the value is too large to be written; expected at most {MAX_ITEMS} items"
            ));
        }
        *left -= 1;
        let item = if is_map { value.get_item(&item)? } else { item };
        walk(&item, levels - 1, left)?;
    }
    Ok(())
}
