//! The reports tree: releases and their aliases, submissions, files. Names only; nothing is opened
//! but links, and no link is followed out of the tree.
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

/// A reports tree, or the parts of one that were requested.
#[derive(Debug)]
pub struct Tree {
    /// The tree's folder, absolute.
    pub root: PathBuf,
    /// The folder that printed paths are relative to, absolute.
    pub base: PathBuf,
    /// True when the whole tree was walked; rules over the tree hold only then.
    pub is_whole: bool,
    /// Names of aliases (`v1.5.0`) and the release folders they stand for (`v1.5`).
    pub aliases: BTreeMap<String, String>,
    /// Release folders that were walked, by name.
    pub releases: Vec<ReleaseFolder>,
    /// Every submission that was walked, by path. Reports that are outside of a submission are
    /// here too, in a submission without a folder.
    pub submissions: Vec<Submission>,
    /// Names that do not belong where they are.
    pub unexpected: Vec<UnexpectedEntry>,
    /// The tree's folder, held open: what is read of the tree is read below it. `None` for a tree
    /// that was not walked.
    pub folder: Option<Folder>,
}

/// A folder of the tree's root that holds submissions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReleaseFolder {
    /// Its name.
    pub name: String,
    /// Absolute path.
    pub path: PathBuf,
    /// The release in its name; `None` when it is not one.
    pub release: Option<FolderRelease>,
}

/// The release that the name of a folder names.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum FolderRelease {
    /// `v1.5`: the folder of a minor, in use since v1.5.
    Minor(Minor),
    /// `v1.4.1`: the folder of one release, in use up to v1.4.1.
    Exact(Version),
}

impl FolderRelease {
    /// Reads `vX.Y.Z` or `vX.Y`. Nothing else is the name of a release folder.
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

    /// Reads also `1.5` and `V1.5`, which a release folder must not be named.
    pub fn parse_leniently(name: &str) -> Option<Self> {
        Self::parse(&format!("v{}", name.trim_start_matches(['v', 'V'])))
    }

    /// The minor it belongs to.
    pub fn minor(&self) -> Minor {
        match self {
            Self::Minor(minor) => *minor,
            Self::Exact(version) => version.minor(),
        }
    }
}

/// One `<release>/<implementation>/` folder: the unit of work.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Submission {
    /// Absolute path of the folder, or of a report without a folder.
    pub path: PathBuf,
    /// Name of the folder; `None` when the report is outside of a submission's folder.
    pub folder: Option<String>,
    /// The release folder that holds it, by its name.
    pub release: Option<FolderRelease>,
    /// README.md.
    pub readme: Option<PathBuf>,
    /// Reports, by path.
    pub reports: Vec<PathBuf>,
}

impl Submission {
    /// The submission that a file at `path` belongs to: `…/<release>/<folder>/<file>`, where the
    /// folder around the release looks like a reports tree. Its files are not looked for.
    pub fn holding(path: &Path) -> Self {
        Self::holding_in(&Files::Disk, path)
    }

    /// The same for any files.
    pub fn holding_in(files: &Files, path: &Path) -> Self {
        Self {
            path: path.parent().unwrap_or(path).to_owned(),
            release: locate::release_around(files, path),
            ..Self::default()
        }
    }

    /// True for a report that is outside of a submission's folder.
    pub fn stands_alone(&self) -> bool {
        self.reports.first() == Some(&self.path)
    }

    /// A file outside of any reports tree: a README by its name, else a report.
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

/// A name that does not belong where it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnexpectedEntry {
    /// Absolute path.
    pub path: PathBuf,
    /// The issue.
    pub kind: EntryIssue,
}

/// The issue of a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EntryIssue {
    /// A file or folder that is neither README, report nor shell script.
    Stray,
    /// A file with settings of git: `.gitattributes`, `.gitignore`, `.gitmodules`.
    GitSettings,
    /// A README under another name: `readme.md`, `README`.
    ReadmeName,
    /// A report whose name does not end in `.yaml`.
    Extension,
    /// A report outside of any submission's folder: in the root or in a release folder.
    NoSubmission,
    /// A report in a folder below its submission's.
    Nested,
    /// A folder of the root that holds reports and is not named for a release.
    NotARelease,
    /// A folder named for one release of a minor whose releases share a folder.
    ReleaseOfMinor {
        /// The minor.
        minor: Minor,
    },
    /// A link that is not an alias of a release.
    Link {
        /// Where it points, as written.
        target: String,
        /// Why it is none.
        problem: LinkProblem,
    },
    /// A folder that git takes for a repository, or what makes one of the folder around it.
    Repository {
        /// True when what is in it is walked as well.
        is_walked: bool,
    },
    /// A pipe, socket or device.
    Special,
    /// A file that an interrupted run of ours left; the next one removes it or gives it back its name.
    Leftover,
    /// A folder that cannot be listed.
    Unreadable {
        /// The error of the system.
        reason: String,
    },
    /// A folder nested deeper than [`MAX_DEPTH`] below its submission.
    TooDeep,
}

impl EntryIssue {
    /// Why what has such a name was not read, as a clause; `None` for what was.
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

/// Why a link is not an alias of a release.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkProblem {
    /// It leads to itself, perhaps by way of others.
    Itself,
    /// It leads out of the tree.
    Outside,
    /// What it names does not exist.
    Nowhere,
    /// It is named for a release, and leads to the folder of another minor.
    OtherMinor,
    /// It leads into the tree, but is not one release folder standing for another.
    NotARelease,
}

/// The first minor with one folder for all of its releases; up to v1.4.1 each release has its own.
/// Folders of earlier minors (`v1.0`) occur in documents and are not a mistake.
pub const FIRST_MINOR_FOLDER: Minor = Minor { major: 1, minor: 5 };

/// The configuration, which may be in the root of a tree.
pub const CONFIG_NAME: &str = "gwconform.toml";

/// Deepest folder that is walked below a submission's own.
pub const MAX_DEPTH: usize = 4;

impl Tree {
    /// A path of the tree as findings print it.
    pub fn display(&self, path: &Path) -> String {
        display_path(path, &self.base)
    }
}

/// True when the name of a file is that of a YAML file.
pub fn is_yaml(path: &Path) -> bool {
    path.extension()
        .map(|extension| extension.to_ascii_lowercase())
        .is_some_and(|extension| extension == "yaml" || extension == "yml")
}

/// True for a file in which git looks up attributes, including on file systems that ignore case.
pub fn is_git_attributes(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    name.eq_ignore_ascii_case(".gitattributes")
}

/// True when the name of a lone file is that of a README.
pub fn is_readme(name: &str) -> bool {
    name.eq_ignore_ascii_case("readme.md")
}

/// The last part of a path as text.
pub fn name_of(path: &Path) -> String {
    path.file_name().map(display_name).unwrap_or_default()
}
