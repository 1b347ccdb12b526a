//! Reads sources in Go, and says what their constants and variables hold. Nothing of them runs: a
//! small part of the language is understood (`evaluate`), and all that is not is an [`Unread`] with
//! its file, line and text.
//!
//! The sources are hostile. Files and their number, brackets, calls and steps are bounded; what is
//! beyond a bound is an error like any other.
//!
//! Declarations are found by their tokens alone (`file`); an expression is parsed when its value is
//! asked for. So a function that nobody asks for may have anything in it that Go allows.

pub(crate) mod constraint;
pub(crate) mod evaluate;
pub(crate) mod file;
pub(crate) mod parse;
pub(crate) mod program;
pub(crate) mod syntax;
pub(crate) mod token;
pub(crate) mod value;

use std::fmt;
use std::rc::Rc;

pub use crate::files::Kind as EntryKind;

/// Where sources come from: a folder of a disk, or a commit of a repository. Paths are names with `/`
/// between them, seen from the top.
pub trait Sources {
    /// The names in a folder and what they are of, by name; `None` when there is no such folder.
    ///
    /// # Errors
    /// Why the folder cannot be listed, as a clause.
    fn entries(
        &self,
        folder: &str,
    ) -> std::result::Result<Option<Vec<(String, EntryKind)>>, String>;

    /// The bytes of a file.
    ///
    /// # Errors
    /// Why it cannot be read, as a clause.
    fn read(&self, path: &str) -> std::result::Result<Vec<u8>, String>;
}

/// Something in sources that is not understood, or that contradicts itself.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unread {
    /// The path of the file or folder.
    pub file: String,
    /// 1-based; 0 for the file as a whole.
    pub line: u32,
    /// What is wrong, one sentence without a full stop.
    pub reason: String,
    /// The text that is meant, on one line; empty for a file as a whole.
    pub expression: String,
    /// True where no other part of the sources can be read either.
    pub is_final: bool,
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file)?;
        if self.line > 0 {
            write!(f, ":{}", self.line)?;
        }
        write!(f, ": {}", self.reason)?;
        if !self.expression.is_empty() {
            write!(f, ": `{}`", self.expression)?;
        }
        Ok(())
    }
}

impl Unread {
    /// About a file or a folder as a whole.
    pub(crate) fn of_file(file: &str, reason: impl Into<String>) -> Self {
        Self {
            file: file.to_owned(),
            line: 0,
            reason: reason.into(),
            expression: String::new(),
            is_final: false,
        }
    }
}

/// What evaluates to a value, or the reason why it does not. Errors are kept in values, so they are
/// shared.
pub(crate) type Result<T> = std::result::Result<T, Rc<Unread>>;
