//! Why a workspace cannot be opened, or not be used for what was asked.

use std::io;

use crate::diagnostic::Diagnostic;
use crate::files::MemoryPathError;
use crate::tree::USUAL_PLACES;

/// Who can do something about an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// What was named or configured is wrong.
    Usage,
    /// There is nothing to work on, or the system refuses.
    System,
}

/// A file that was named and cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The system refuses.
    #[error("{path}: {error}")]
    System {
        /// The path as it is printed.
        path: String,
        /// Why.
        error: io::Error,
    },
    /// It is a link or no file, or too large.
    #[error("{path}: not read: {reason}")]
    Refused {
        /// The path as it is printed.
        path: String,
        /// Why, as a clause.
        reason: String,
    },
}

/// Why a workspace cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// A path cannot be looked at.
    #[error("{path}: {error}")]
    System {
        /// The path as it is printed.
        path: String,
        /// Why.
        error: io::Error,
    },
    /// A path of files in memory is none.
    #[error(transparent)]
    MemoryPath(#[from] MemoryPathError),
    /// A folder is not a reports tree, and holds none.
    #[error(
        "{path}: no reports tree is here: expected folders named for releases, such as v1.5, in it, in its conformance/reports or in its reports"
    )]
    NoTree {
        /// The path as it is printed.
        path: String,
    },
    /// No path was named, and none of the usual places is there.
    #[error(
        "there is no {} below the working directory; give {expected}",
        USUAL_PLACES.join(" and no ")
    )]
    NoUsualPlace {
        /// What can be named.
        expected: &'static str,
    },
    /// A file was named where a folder is expected.
    #[error("{path} is no folder: give that of the reports tree")]
    NotAFolder {
        /// The path as it is printed.
        path: String,
    },
    /// A tree that a symbolic link leads to.
    #[error(
        "{path} is a symbolic link, which is not followed; give the path of the reports tree itself"
    )]
    Link {
        /// The link as it is printed.
        path: String,
    },
    /// The configuration cannot be read.
    #[error(transparent)]
    Config(ReadError),
    /// The baseline cannot be read.
    #[error("--baseline: {0}")]
    Baseline(ReadError),
    /// The configuration is not one.
    #[error("{path} cannot be used; `gwconform schema config` says what it may hold")]
    InvalidConfig {
        /// The path as it is printed.
        path: String,
        /// What is wrong with it.
        findings: Vec<Diagnostic>,
    },
    /// The baseline is not one.
    #[error(
        "{path} cannot be used; `gwconform schema baseline` says what it may hold, and --write-baseline writes it"
    )]
    InvalidBaseline {
        /// The path as it is printed.
        path: String,
        /// What is wrong with it.
        findings: Vec<Diagnostic>,
    },
    /// The release facts cannot be used.
    #[error("{0}")]
    Registry(String),
}

impl OpenError {
    /// Who can do something about it.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::System { .. } | Self::NoTree { .. } | Self::NoUsualPlace { .. } => {
                ErrorKind::System
            }
            _ => ErrorKind::Usage,
        }
    }

    /// What is wrong with a configuration or baseline, at its lines.
    pub fn findings(&self) -> &[Diagnostic] {
        match self {
            Self::InvalidConfig { findings, .. } | Self::InvalidBaseline { findings, .. } => {
                findings
            }
            _ => &[],
        }
    }
}

/// Why a workspace does not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A tree cannot be listed.
    #[error("{path}: {error}")]
    NotListed {
        /// The path as it is printed.
        path: String,
        /// Why.
        error: io::Error,
    },
    /// All selected rules are about resources of a cluster.
    #[error("what is selected is about resources of a cluster: `gwconform resources` checks those")]
    OnlyResourceRules,
    /// No selected rule is about resources of a cluster.
    #[error("no rule about resources is selected (`gwconform explain resource` lists them)")]
    NoResourceRules,
    /// A verdict rests on all reports.
    #[error(
        "a verdict needs the whole tree: give the path of a reports tree, such as conformance/reports"
    )]
    NotAWholeTree,
    /// A review rests on all reports of one tree.
    #[error(
        "--since looks at one whole reports tree, as a verdict needs all of it: give its path alone, such as conformance/reports"
    )]
    NotOneWholeTree,
    /// The earlier revision cannot be read.
    #[error(transparent)]
    History(#[from] super::HistoryError),
    /// An input of the earlier revision cannot be read again.
    #[error(transparent)]
    Input(#[from] OpenError),
}

impl RunError {
    /// Who can do something about it.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::NotListed { .. } | Self::History(_) => ErrorKind::System,
            Self::Input(error) => error.kind(),
            _ => ErrorKind::Usage,
        }
    }
}

/// Why the one report of a file cannot be had.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReportError {
    /// The file is empty.
    #[error("nothing is in it")]
    Empty,
    /// There are several documents in the file.
    #[error("it holds {0} documents, expected one report")]
    Several(usize),
    /// It is another document, or broken off.
    #[error("it is no report that can be read to its end; `gwconform check` says why")]
    Unreadable,
}
