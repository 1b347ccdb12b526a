//! Names of files that an interrupted run may leave behind.

/// Journal of the renames in a folder.
pub const JOURNAL: &str = ".gwconform-journal.json";

/// Prefix of a file that will replace another.
pub const PREFIX: &str = ".gwconform-";

/// Prefix of temporary names in cyclic renames. The journal lists the original name.
pub const BETWEEN: &str = ".gwconform-between-";

/// Superseded report, which the next run removes after an interruption. `None` for numbers above
/// 99.
pub fn gone(number: usize) -> Option<String> {
    (number < 100).then(|| format!("{PREFIX}gone{number:02}"))
}

const LETTERS: usize = 6;

/// True for temporary files that replace another file.
pub fn is_temporary(name: &str) -> bool {
    name.strip_prefix(PREFIX).is_some_and(|rest| {
        rest.len() == LETTERS && rest.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

/// True for the temporary name of a report.
pub fn is_between(name: &str) -> bool {
    let number = name.strip_prefix(BETWEEN);
    number.is_some_and(|number| number.parse::<u32>().is_ok())
}

/// True for files that the next run removes.
pub fn is_leftover(name: &str) -> bool {
    name == JOURNAL || is_temporary(name)
}
