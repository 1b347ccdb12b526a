//! Files that a run of ours leaves when it is killed.

/// The journal of renames in a folder.
pub const JOURNAL: &str = ".gwconform-journal.json";

/// How the name of a file begins that takes the place of another one when it is written; random
/// letters follow.
pub const PREFIX: &str = ".gwconform-";

/// How the name begins that a report has between two others while reports are renamed in a circle; a
/// number follows. The journal beside it says what it was called.
pub const BETWEEN: &str = ".gwconform-between-";

/// The name that a report has from when another one takes its place until it is removed: a temporary
/// one, so that the run after one that was killed removes it, once the journal is gone. `None` for
/// more than are ever removed together.
pub fn gone(number: usize) -> Option<String> {
    (number < 100).then(|| format!("{PREFIX}gone{number:02}"))
}

/// How many letters.
const LETTERS: usize = 6;

/// True for a file that is put in the place of another one once it is written.
pub fn is_temporary(name: &str) -> bool {
    name.strip_prefix(PREFIX).is_some_and(|rest| {
        rest.len() == LETTERS && rest.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

/// True for the name of a report between two others.
pub fn is_between(name: &str) -> bool {
    let number = name.strip_prefix(BETWEEN);
    number.is_some_and(|number| number.parse::<u32>().is_ok())
}

/// True for what a killed run may leave in a folder of the tree and the next one removes.
pub fn is_leftover(name: &str) -> bool {
    name == JOURNAL || is_temporary(name)
}
