//! The reports tree: releases, aliases, submissions and files. Discovery only looks at names and
//! never follows links out of the tree.
//!
//! ```text
//! conformance/reports/<release>/<implementation>/README.md
//!                                               /<channel>-<version>-<mode>-report.yaml
//! ```

pub mod files;
pub mod load;
pub mod readme;
mod alias;
mod discover;
mod link_target;
pub mod leftover;
mod locate;
mod upward;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

pub use discover::{Parts, discover, discover_in};
pub use link_target::{Alias, LinkTarget};
pub use locate::{Located, USUAL_PLACES, is_of_tree, locate, locate_in};
pub use upward::above;

use crate::api::{Minor, Version};
use crate::text::source::{display_name, display_path};
use crate::tree::files::{Files, Folder};

/// A reports tree or parts of it.
#[derive(Debug)]
pub struct Tree {
    /// Absolute path of the root.
    pub root: PathBuf,
    /// Absolute base of display paths.
    pub base: PathBuf,
    /// True if the whole tree was walked.
    pub is_whole: bool,
    /// Aliases (`v1.5.0`) and their release folders (`v1.5`).
    pub aliases: BTreeMap<String, String>,
    /// Release folders, by name.
    pub releases: Vec<ReleaseFolder>,
    /// Submissions, by path. Lone reports get one without a folder.
    pub submissions: Vec<Submission>,
    /// Misplaced or misnamed entries.
    pub unexpected: Vec<UnexpectedEntry>,
    /// Open root; `None` if not walked.
    pub folder: Option<Folder>,
}

/// A release folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReleaseFolder {
    /// Folder name.
    pub name: String,
    /// Absolute path.
    pub path: PathBuf,
    /// `None` if the name is not a release.
    pub release: Option<FolderRelease>,
}

/// The release in a folder name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum FolderRelease {
    /// `v1.5`: a minor, used since v1.5.
    Minor(Minor),
    /// `v1.4.1`: a single release, used up to v1.4.1.
    Exact(Version),
}

impl FolderRelease {
    /// Parses `vX.Y.Z` or `vX.Y`.
    pub fn parse(name: &str) -> Option<Self> {
        if !name.starts_with('v') {
            return None;
        }
        if let Some(minor) = Minor::parse(name) {
            return Some(Self::Minor(minor));
        }
        let version = Version::parse(name)?;
        version.pre().is_none().then_some(Self::Exact(version))
    }

    /// Also accepts `1.5` and `V1.5`.
    pub fn parse_leniently(name: &str) -> Option<Self> {
        Self::parse(&format!("v{}", name.trim_start_matches(['v', 'V'])))
    }

    /// The minor of the release.
    pub fn minor(&self) -> Minor {
        match self {
            Self::Minor(minor) => *minor,
            Self::Exact(version) => version.minor(),
        }
    }
}

/// A `<release>/<implementation>/` folder.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Submission {
    /// Absolute path of the folder or lone report.
    pub path: PathBuf,
    /// `None` for a lone report.
    pub folder: Option<String>,
    /// Release of the parent folder.
    pub release: Option<FolderRelease>,
    /// README.md.
    pub readme: Option<PathBuf>,
    /// Reports, by path.
    pub reports: Vec<PathBuf>,
}

impl Submission {
    /// The submission of a file at `…/<release>/<folder>/<file>` in a reports tree, without its
    /// other files.
    pub fn holding(path: &Path) -> Self {
        Self::holding_in(&Files::Disk, path)
    }

    /// Like [`Self::holding`], for any file system.
    pub fn holding_in(files: &Files, path: &Path) -> Self {
        Self {
            path: path.parent().unwrap_or(path).to_owned(),
            release: locate::release_around(files, path),
            ..Self::default()
        }
    }

    /// True for a lone report.
    pub fn stands_alone(&self) -> bool {
        self.reports.first() == Some(&self.path)
    }

    /// A file outside of any reports tree: a README or a report, by name.
    pub fn lone(path: PathBuf) -> Self {
        if is_readme(&name_of(&path)) {
            return Self {
                readme: Some(path.clone()),
                path,
                ..Self::default()
            };
        }
        Self {
            reports: vec![path.clone()],
            path,
            ..Self::default()
        }
    }
}

/// A misplaced or misnamed entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnexpectedEntry {
    /// Absolute path.
    pub path: PathBuf,
    /// Issue.
    pub kind: EntryIssue,
}

/// The issue with an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EntryIssue {
    /// Neither a README nor a report nor a shell script.
    Stray,
    /// A Git settings file: `.gitattributes`, `.gitignore`, `.gitmodules`.
    GitSettings,
    /// A misnamed README: `readme.md`, `README`.
    ReadmeName,
    /// A report without the extension `.yaml`.
    Extension,
    /// A report in the root or in a release folder.
    NoSubmission,
    /// A report in a subfolder of its submission.
    Nested,
    /// A folder with reports that is not named after a release.
    NotARelease,
    /// A folder of one release whose minor has a shared folder.
    ReleaseOfMinor {
        /// The minor.
        minor: Minor,
    },
    /// A link other than an alias.
    Link {
        /// Target as written.
        target: String,
        /// Reason for rejecting the link.
        problem: LinkProblem,
    },
    /// A folder that Git treats as a repository, or the entry that makes it one.
    Repository {
        /// True if the content is walked too.
        is_walked: bool,
    },
    /// A pipe, socket or device.
    Special,
    /// A file of an interrupted run. The next run removes or restores it.
    Leftover,
    /// A folder that cannot be listed.
    Unreadable {
        /// System error.
        reason: String,
    },
    /// A folder deeper than [`MAX_DEPTH`] below its submission.
    TooDeep,
}

impl EntryIssue {
    /// Reason for not reading the entry, as a clause; `None` if it is read.
    pub fn why_not_read(&self) -> Option<String> {
        Some(match self {
            Self::Unreadable { reason } => reason.clone(),
            Self::Special => "it is a pipe, a socket or a device".to_owned(),
            Self::TooDeep => {
                format!("it is nested more than {MAX_DEPTH} folders deep in its submission")
            }
            _ => return None,
        })
    }
}

/// Why a link is not an alias.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkProblem {
    /// Points to itself, possibly through other links.
    Itself,
    /// Points out of the tree.
    Outside,
    /// Target does not exist.
    Nowhere,
    /// Points to another minor.
    OtherMinor,
    /// Link or target is not a release.
    NotARelease,
}

/// First minor whose releases share a folder. Documents also mention folders of earlier minors
/// (`v1.0`), which is not an error.
pub const FIRST_MINOR_FOLDER: Minor = Minor { major: 1, minor: 5 };

/// The configuration file.
pub const CONFIG_NAME: &str = "gwconform.toml";

/// Folder depth limit below a submission.
pub const MAX_DEPTH: usize = 4;

impl Tree {
    /// Display path.
    pub fn display(&self, path: &Path) -> String {
        display_path(path, &self.base)
    }
}

/// True for a YAML extension.
pub fn is_yaml(path: &Path) -> bool {
    path.extension()
        .map(|extension| extension.to_ascii_lowercase())
        .is_some_and(|extension| extension == "yaml" || extension == "yml")
}

/// True for Git attributes files, also on case-insensitive file systems.
pub fn is_git_attributes(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    name.eq_ignore_ascii_case(".gitattributes")
}

/// True for `README.md`, ignoring case.
pub fn is_readme(name: &str) -> bool {
    name.eq_ignore_ascii_case("readme.md")
}

/// Last component of a path.
pub fn name_of(path: &Path) -> String {
    path.file_name().map(display_name).unwrap_or_default()
}
