//! Options of a workspace.

use std::path::{Path, PathBuf};

/// What to check.
#[derive(Debug, Clone)]
pub enum Target {
    /// Trees, releases, submissions and files; without paths, `conformance/reports` or `reports`.
    Paths(Vec<PathBuf>),
    /// The working directory if it is part of a tree, otherwise the default place.
    WorkingDir,
    /// One whole tree, possibly empty, in the given folder or the default place.
    Tree(Option<PathBuf>),
    /// Other files. The first one determines the configuration.
    Files(Vec<PathBuf>),
    /// Texts instead of files.
    Texts,
}

impl Default for Target {
    fn default() -> Self {
        Self::Paths(Vec::new())
    }
}

/// Which configuration to use.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Configuration {
    /// The gwconform.toml in the tree or a parent folder, if any.
    #[default]
    Found,
    /// The given file.
    File(PathBuf),
    /// The default configuration.
    Default,
}

impl Configuration {
    pub(super) fn file(&self) -> Option<&Path> {
        match self {
            Self::File(path) => Some(path),
            Self::Found | Self::Default => None,
        }
    }
}

impl From<Option<PathBuf>> for Configuration {
    fn from(file: Option<PathBuf>) -> Self {
        file.map_or(Self::Found, Self::File)
    }
}

/// Relative paths start at the folder of the workspace.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// What to check.
    pub target: Target,
    /// The configuration.
    pub config: Configuration,
    /// The baseline file.
    pub baseline: Option<PathBuf>,
    /// Folder with additional release data.
    pub registry: Option<PathBuf>,
    /// Folder with log statements.
    pub statements: Option<PathBuf>,
}

/// Progress of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Number of checked submissions.
    pub checked: usize,
    /// Number of all submissions.
    pub submissions: usize,
}
