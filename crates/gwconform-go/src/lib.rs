//! Evaluates constants, variables and composite literals of Go packages without a Go toolchain.
//!
//! Nothing of the sources runs. A small part of the language is understood ([`evaluate`]); all
//! that is not is an [`Unread`] with its file, line and text.
//!
//! ```
//! use gwconform_go::value::Value;
//! use gwconform_go::{EntryKind, Sources, program::Program};
//!
//! struct OneFile;
//!
//! impl Sources for OneFile {
//!     fn entries(&self, folder: &str) -> Result<Option<Vec<(String, EntryKind)>>, String> {
//!         let is_there = folder == "colors";
//!         Ok(is_there.then(|| vec![("colors.go".to_owned(), EntryKind::File)]))
//!     }
//!     fn read(&self, _: &str) -> Result<Vec<u8>, String> {
//!         Ok(b"package colors\nconst base = \"sea\"\nvar Green = base + \"-green\"\n".to_vec())
//!     }
//! }
//!
//! let program = Program::new(&OneFile, "example.org/m", false);
//! let package = program.package("colors")?;
//! let value = program.member(&package, "Green", &package)?;
//! assert!(matches!(value, Some(Value::Text(text)) if &*text == "sea-green"));
//! # Ok::<(), std::rc::Rc<gwconform_go::Unread>>(())
//! ```
//!
//! Sources may be hostile. The number and size of files, the depth of brackets and calls, and the
//! number of steps are bounded; beyond a bound there is an error like any other.
//!
//! Declarations are found by their tokens alone ([`mod@file`]); an expression is parsed when its value
//! is asked for. So a function that nobody asks for may contain anything that Go allows.

pub(crate) mod constraint;
pub mod evaluate;
pub mod file;
pub mod parse;
pub mod program;
pub mod syntax;
pub mod token;
pub mod value;

use std::fmt;
use std::rc::Rc;

/// What a name in a folder is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link, whatever it leads to.
    Link,
    /// A pipe, a socket or a device.
    Special,
}

impl fmt::Display for EntryKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::File => "a regular file",
            Self::Folder => "a folder",
            Self::Link => "a symbolic link",
            Self::Special => "a pipe, a socket or a device",
        })
    }
}

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
    pub fn of_file(file: &str, reason: impl Into<String>) -> Self {
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
pub type Result<T> = std::result::Result<T, Rc<Unread>>;
