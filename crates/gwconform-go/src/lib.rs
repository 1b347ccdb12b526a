//! Evaluates constants, variables and composite literals of Go packages without a Go toolchain.
//!
//! Go code is never compiled or executed. [`evaluate`] supports a small part of the language.
//! Unsupported code is reported as [`Unread`] with file, line and text.
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
//! The sources can be hostile. Limits apply to files, nesting depth and steps, and code beyond a
//! limit causes an error.
//!
//! An expression is parsed only when its value is needed, so unused functions can contain any valid
//! Go code ([`mod@file`]).

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

/// Kind of an entry in a folder of [`Sources`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryKind {
    /// A regular file, which [`Sources::read`] can read.
    File,
    /// A folder, which [`Sources::entries`] can list.
    Folder,
    /// A symbolic link; its target is not followed.
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

/// A source tree, such as a folder or a commit. Paths are relative to the top, with `/` separators.
pub trait Sources {
    /// Lists a folder, sorted by name. `None` if the folder does not exist.
    ///
    /// # Errors
    /// If the folder cannot be listed. The error is a clause.
    fn entries(
        &self,
        folder: &str,
    ) -> std::result::Result<Option<Vec<(String, EntryKind)>>, String>;

    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// If the file cannot be read. The error is a clause.
    fn read(&self, path: &str) -> std::result::Result<Vec<u8>, String>;
}

/// Code that could not be evaluated, because it is unsupported or contradictory.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unread {
    /// File or folder that contains the code.
    pub file: String,
    /// Line from 1; 0 for the whole file.
    pub line: u32,
    /// Reason in a single sentence without a trailing period.
    pub reason: String,
    /// Code on one line; empty for the whole file.
    pub expression: String,
    /// Whether the error, such as an exceeded limit, prevents all further evaluation.
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
    /// Creates an error about a whole file or folder.
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

/// An `Rc`, because several values can contain the same error.
pub type Result<T> = std::result::Result<T, Rc<Unread>>;
