//! The options of a workspace.

use std::path::{Path, PathBuf};

/// The target of the work.
#[derive(Debug, Clone)]
pub enum Target {
    /// Trees, releases and submissions in one, and files; without any path the tree in the usual
    /// place (`conformance/reports`, else `reports`).
    Paths(Vec<PathBuf>),
    /// The working directory where it is a part of a tree, such as a release or a submission; else as
    /// without any path.
    WorkingDir,
    /// All of one tree, which may be empty still: the one in a folder, else in the usual place.
    Tree(Option<PathBuf>),
    /// Files that are not reports. The first one decides where a configuration is looked for.
    Files(Vec<PathBuf>),
    /// Texts that are given.
    Texts,
}

impl Default for Target {
    fn default() -> Self {
        Self::Paths(Vec::new())
    }
}

/// Which configuration holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Configuration {
    /// The gwconform.toml of the tree, or of a folder above it, where there is one.
    #[default]
    Found,
    /// A file.
    File(PathBuf),
    /// None.
    Default,
}

impl Configuration {
    /// The file that is named.
    pub(super) fn file(&self) -> Option<&Path> {
        match self {
            Self::File(path) => Some(path),
            Self::Found | Self::Default => None,
        }
    }
}

impl From<Option<PathBuf>> for Configuration {
    /// The file that is named, else the one that is found.
    fn from(file: Option<PathBuf>) -> Self {
        file.map_or(Self::Found, Self::File)
    }
}

/// The options of a workspace. Relative paths start at its folder.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The target of the work.
    pub target: Target,
    /// The configuration.
    pub config: Configuration,
    /// The findings that are accepted.
    pub baseline: Option<PathBuf>,
    /// A folder with more release facts.
    pub registry: Option<PathBuf>,
    /// A folder with statements of logs.
    pub statements: Option<PathBuf>,
}

/// How far a check of a tree is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// How many submissions are checked.
    pub checked: usize,
    /// How many there are.
    pub submissions: usize,
}
