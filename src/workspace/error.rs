//! The reasons why a workspace cannot be opened, or a request cannot be answered.

use std::io;

use crate::rules::Scope;
use crate::rules::check::Settings;
use crate::text::diagnostic::Diagnostic;
use crate::tree::USUAL_PLACES;
use crate::tree::files::{MemoryPathError, path_error};

/// Who can do something about an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// An argument or an input is not valid.
    Usage,
    /// There is nothing to work on, or the system refuses.
    System,
}

/// Why a file that was named cannot be read, in a sentence.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct ReadError(pub(super) String);

/// Why a workspace cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// A path cannot be looked at.
    #[error("{}", path_error(.path, .error, .expected))]
    System {
        /// The path as it is printed.
        path: String,
        /// Why.
        error: io::Error,
        /// What was looked for there: `a reports tree`.
        expected: &'static str,
    },
    /// A path of files in memory is none.
    #[error(transparent)]
    MemoryPath(#[from] MemoryPathError),
    /// A folder is not a reports tree, and holds none.
    #[error(
        "{path}: not a reports tree; expected folders named for releases, such as v1.5, in it, in its conformance/reports or in its reports"
    )]
    NoTree {
        /// The path as it is printed.
        path: String,
    },
    /// No path was named, and none of the usual places is there.
    #[error(
        "found neither {} in the working directory, and no reports tree above it; pass {expected}",
        USUAL_PLACES.join(" nor ")
    )]
    NoUsualPlace {
        /// What can be named.
        expected: &'static str,
    },
    /// A file was named where a folder is expected.
    #[error("{path} is not a folder; pass the folder of the reports tree")]
    NotAFolder {
        /// The path as it is printed.
        path: String,
    },
    /// A tree that a symbolic link leads to.
    #[error(
        "{path} is a symbolic link, which is not followed; pass the path of the reports tree itself"
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
    #[error("{path} is not a valid configuration (schema: `gwconform schema config`)")]
    InvalidConfig {
        /// The path as it is printed.
        path: String,
        /// The reason.
        findings: Vec<Diagnostic>,
    },
    /// The baseline is not one.
    #[error(
        "{path} is not a valid baseline (schema: `gwconform schema baseline`); regenerate it with --write-baseline"
    )]
    InvalidBaseline {
        /// The path as it is printed.
        path: String,
        /// The reason.
        findings: Vec<Diagnostic>,
    },
    /// The release facts cannot be used: why, each error a line.
    #[error("{}", .0.join("\n"))]
    Registry(Vec<String>),
    /// The statements cannot be read.
    #[error("{0}")]
    Statements(String),
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

    /// The errors in a configuration or baseline, at their lines.
    pub fn findings(&self) -> &[Diagnostic] {
        match self {
            Self::InvalidConfig { findings, .. } | Self::InvalidBaseline { findings, .. } => {
                findings
            }
            _ => &[],
        }
    }
}

/// The reason why a workspace cannot answer a request.
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
    /// All selected rules are about something else than reports.
    #[error("the selected rules apply to {about}; run `gwconform {command}`")]
    OnlyRules {
        /// What they are about.
        about: &'static str,
        /// The command that runs them.
        command: &'static str,
    },
    /// No selected rule is about what is checked.
    #[error("no selected rule applies to {about} (`gwconform explain {group}` lists those rules)")]
    NoRules {
        /// What is checked.
        about: &'static str,
        /// The group of the rules about it.
        group: &'static str,
    },
    /// What manifests are compared with is not there.
    #[error(transparent)]
    Needs(#[from] crate::needs::NeedsError),
    /// A verdict rests on all reports.
    #[error(
        "verdicts need the whole tree; pass the path of a reports tree, such as conformance/reports"
    )]
    NotAWholeTree,
    /// A review rests on all reports of one tree.
    #[error(
        "--since needs one whole reports tree; pass only its path, such as conformance/reports"
    )]
    NotOneWholeTree,
    /// The earlier revision cannot be read.
    #[error(transparent)]
    History(#[from] super::HistoryError),
    /// An input of the earlier revision cannot be read again.
    #[error(transparent)]
    Input(#[from] OpenError),
}

/// Refuses a selection without a rule about what is checked.
pub(super) fn need_rules(settings: &Settings, scope: Scope) -> Result<(), RunError> {
    let mut selected = settings.selected().iter();
    match scope.apart() {
        Some([about, _, group]) if !selected.any(|rule| rule.check.scope() == scope) => {
            Err(RunError::NoRules { about, group })
        }
        _ => Ok(()),
    }
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
    #[error("the file is empty")]
    Empty,
    /// There are several documents in the file.
    #[error("expected one report, found {0} documents")]
    Several(usize),
    /// It is something else.
    #[error("not a ConformanceReport; expected a file that the suite wrote")]
    NotAReport,
    /// It is broken off.
    #[error("the report cannot be read completely; run `gwconform check` for details")]
    Unreadable,
}
