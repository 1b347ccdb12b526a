use std::path::{Path, PathBuf};

/// Files to check.
#[derive(Debug, Clone)]
pub enum Target {
    /// Trees, releases, submissions and files. By default, `conformance/reports` or `reports`.
    Paths(Vec<PathBuf>),
    /// Working directory if part of a tree, otherwise `conformance/reports` or `reports`.
    WorkingDir,
    /// Whole tree in the given folder or in `conformance/reports` or `reports`, possibly empty.
    Tree(Option<PathBuf>),
    /// Other files, such as manifests. The first file determines the configuration.
    Files(Vec<PathBuf>),
    /// Texts instead of files.
    Texts,
}

impl Default for Target {
    fn default() -> Self {
        Self::Paths(Vec::new())
    }
}

/// Source of the configuration.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Configuration {
    /// `gwconform.toml` in the tree or a parent folder, if any.
    #[default]
    Found,
    /// File with this path.
    File(PathBuf),
    /// Default values, without a file.
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

/// Folder that printed paths are relative to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum PathBase {
    /// Folder that the workspace prints paths from: by default, its own.
    #[default]
    WorkingDir,
    /// Repository around the tree or file, for programs. Without a repository, the folder that
    /// contains `conformance/reports`, or the folder of the workspace, or a tree elsewhere.
    Repository,
    /// Folder of the tree.
    Tree,
}

/// Relative paths start at the folder of the workspace.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Files to check.
    pub target: Target,
    /// Folder that printed paths are relative to.
    pub paths: PathBase,
    /// Configuration to use.
    pub config: Configuration,
    /// Path of the baseline.
    pub baseline: Option<PathBuf>,
    /// Folder with additional release data. By default, the configuration names it.
    pub registry: Option<PathBuf>,
    /// Folder with log statements. By default, the configuration names it.
    pub statements: Option<PathBuf>,
}

/// Progress of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Number of checked submissions.
    pub checked: usize,
    /// Total number of submissions.
    pub submissions: usize,
}
