use std::io;

use crate::rules::Scope;
use gwconform_base::files::{MemoryPathError, PathError};
use gwconform_base::text::diagnostic::Diagnostic;
use gwconform_report::rules::check::Settings;
use gwconform_report::tree::USUAL_PLACES;

/// Determines the exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// Invalid argument or input.
    Usage,
    /// Missing files or a system failure.
    System,
}

/// Reason why a workspace cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// A path cannot be accessed.
    #[error(transparent)]
    Path(#[from] PathError),
    /// Invalid path of a file in memory.
    #[error(transparent)]
    MemoryPath(#[from] MemoryPathError),
    /// The folder neither is nor contains a reports tree, and no report is below it.
    #[error(
        "{path}: no report, and not a reports tree; expected folders named for releases, such as v1.5, in it, in its conformance/reports or in its reports"
    )]
    NoTree {
        /// Printed path.
        path: String,
    },
    /// No path was passed, and no default folder exists.
    #[error(
        "found neither {} in the working directory, and no reports tree above it; pass {expected}",
        USUAL_PLACES.join(" nor ")
    )]
    NoUsualPlace {
        /// Inputs of the command.
        expected: &'static str,
    },
    /// The path is a file instead of a folder.
    #[error("{path} is not a folder; pass the folder of the reports tree")]
    NotAFolder {
        /// Printed path.
        path: String,
    },
    /// The tree is a symbolic link.
    #[error(
        "{path} is a symbolic link, which is not followed; pass the path of the reports tree itself"
    )]
    Link {
        /// Printed path.
        path: String,
    },
    /// The configuration cannot be read.
    #[error(transparent)]
    Config(PathError),
    /// The baseline cannot be read.
    #[error("--baseline: {0}")]
    Baseline(PathError),
    /// The configuration is invalid.
    #[error("{path} is not a valid configuration (schema: `gwconform schema config`)")]
    InvalidConfig {
        /// Printed path.
        path: String,
        /// Errors with line and column.
        findings: Vec<Diagnostic>,
    },
    /// The baseline is invalid.
    #[error(
        "{path} is not a valid baseline (schema: `gwconform schema baseline`); regenerate it with --write-baseline"
    )]
    InvalidBaseline {
        /// Printed path.
        path: String,
        /// Errors with line and column.
        findings: Vec<Diagnostic>,
    },
    /// The folder of release data cannot be read.
    #[error("--registry: {0}")]
    RegistryFolder(PathError),
    /// The release data is invalid. One error per line.
    #[error("{}", .0.join("\n"))]
    Registry(Vec<String>),
    /// The statements cannot be read.
    #[error("--statements: {0}")]
    Statements(PathError),
}

impl OpenError {
    /// Category of the error.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::NoTree { .. } | Self::NoUsualPlace { .. } => ErrorKind::System,
            Self::Path(error)
            | Self::Config(error)
            | Self::Baseline(error)
            | Self::RegistryFolder(error)
            | Self::Statements(error)
                if !error.is_mistake() =>
            {
                ErrorKind::System
            }
            _ => ErrorKind::Usage,
        }
    }

    /// Errors with line and column.
    pub fn findings(&self) -> &[Diagnostic] {
        match self {
            Self::InvalidConfig { findings, .. } | Self::InvalidBaseline { findings, .. } => {
                findings
            }
            _ => &[],
        }
    }
}

/// Reason why a request fails.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A tree cannot be listed.
    #[error("{path}: {error}")]
    NotListed {
        /// Printed path.
        path: String,
        /// Error of the file system.
        error: io::Error,
    },
    /// The selected rules check other inputs than reports.
    #[error("the selected rules apply to {about}; run `gwconform {command}`")]
    OnlyRules {
        /// Inputs that the selected rules check.
        about: &'static str,
        /// Command for the selected rules.
        command: &'static str,
    },
    /// The selection contains no rule for the input.
    #[error("no selected rule applies to {about} (`gwconform explain {group}` lists those rules)")]
    NoRules {
        /// Input, such as `manifests`.
        about: &'static str,
        /// Group of rules for the input.
        group: &'static str,
    },
    /// Manifests cannot be evaluated.
    #[error(transparent)]
    Needs(#[from] gwconform_cluster::support::NeedsError),
    /// Verdicts require all reports of a tree.
    #[error(
        "verdicts need the whole tree; pass the path of a reports tree, such as conformance/reports"
    )]
    NotAWholeTree,
    /// Reviews require all reports of one tree.
    #[error(
        "--since needs one whole reports tree; pass only its path, such as conformance/reports"
    )]
    NotOneWholeTree,
    /// The earlier revision cannot be read.
    #[error(transparent)]
    History(#[from] super::HistoryError),
    /// An input of the earlier revision cannot be read.
    #[error(transparent)]
    Input(#[from] OpenError),
}

/// Fails if no rule about the input of another command than `check` is selected.
pub(super) fn need_rules(settings: &Settings, scope: Scope) -> Result<(), RunError> {
    match other_command(scope) {
        Some([about, _, group]) if !super::selected_scopes(settings).contains(&scope) => {
            Err(RunError::NoRules { about, group })
        }
        _ => Ok(()),
    }
}

/// Input, command and group of rules that do not check reports trees.
pub(super) fn other_command(scope: Scope) -> Option<[&'static str; 3]> {
    match scope {
        Scope::Resources => Some(["cluster resources", "resources", "resource"]),
        Scope::Manifests => Some(["manifests", "needs", "needs"]),
        Scope::Log => Some(["logs of runs", "verify", "evidence"]),
        _ => None,
    }
}

impl RunError {
    /// Category of the error.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::NotListed { .. } | Self::History(_) => ErrorKind::System,
            Self::Input(error) => error.kind(),
            _ => ErrorKind::Usage,
        }
    }
}

/// Reason why a file is not exactly one report.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReportError {
    /// The file is empty.
    #[error("the file is empty")]
    Empty,
    /// The file contains this number of documents.
    #[error("expected one report, found {0} documents")]
    Several(usize),
    /// The document is not a report.
    #[error("not a ConformanceReport; expected a file that the suite wrote")]
    NotAReport,
    /// A part of the file cannot be read.
    #[error("the report cannot be read completely; run `gwconform check` for details")]
    Unreadable,
}
