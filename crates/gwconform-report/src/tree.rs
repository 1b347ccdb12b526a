//! Represents the reports tree. Discovery reads only names and never follows links out of the tree.
//!
//! ```text
//! conformance/reports/<release>/<implementation>/README.md
//!                                               /<channel>-<version>-<mode>-report.yaml
//! ```

pub mod load;
pub mod readme;
mod alias;
mod discover;
mod link_target;
mod locate;
mod loose;
mod upward;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

pub use discover::{Parts, discover, discover_earlier, discover_in};
pub use link_target::{Alias, LinkTarget};
pub use locate::{Located, USUAL_PLACES, is_of_tree, locate, locate_in};
pub use loose::is_report;
pub use upward::above;

use gwconform_base::api::{FolderRelease, Minor};
use gwconform_base::files::name_of;
use gwconform_base::files::{Cause, Files, Folder, Unread};
use gwconform_base::text::source::display_path;

/// Reports tree, parts of one, or a folder with loose reports.
#[derive(Debug)]
pub struct Tree {
    /// Absolute path of the root.
    pub root: PathBuf,
    /// Absolute path to which display paths are relative.
    pub base: PathBuf,
    /// True if the whole tree was walked.
    pub is_whole: bool,
    /// True for a folder with reports outside of any reports tree, such as in the repository of an
    /// implementation. Its submissions are the folders with reports, at any depth.
    pub is_loose: bool,
    /// Aliases (`v1.5.0`) and their release folders (`v1.5`).
    pub aliases: BTreeMap<String, String>,
    /// Release folders, sorted by name.
    pub releases: Vec<ReleaseFolder>,
    /// Sorted by path. A lone report is a submission without a folder.
    pub submissions: Vec<Submission>,
    /// Misplaced or misnamed entries.
    pub unexpected: Vec<UnexpectedEntry>,
    /// Open root; `None` if the tree was not walked.
    pub folder: Option<Folder>,
}

/// Release folder of a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReleaseFolder {
    /// Folder name, such as `v1.5`.
    pub name: String,
    /// Absolute path.
    pub path: PathBuf,
    /// `None` if the name is not a release.
    pub release: Option<FolderRelease>,
}

/// A folder `<release>/<implementation>/`, or a lone report.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Submission {
    /// Absolute path of the folder or lone report.
    pub path: PathBuf,
    /// Folder name; `None` for a lone report.
    pub folder: Option<String>,
    /// Release that the parent folder denotes.
    pub release: Option<FolderRelease>,
    /// Absolute path of `README.md`; `None` if missing.
    pub readme: Option<PathBuf>,
    /// Absolute path of a README with another spelling, such as `readme.md`, if `README.md` is missing.
    pub misnamed_readme: Option<PathBuf>,
    /// Absolute paths of the reports, sorted.
    pub reports: Vec<PathBuf>,
}

impl Submission {
    /// Submission of a file at `…/<release>/<folder>/<file>`, without its other files.
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
    pub fn is_standalone(&self) -> bool {
        self.reports.first() == Some(&self.path)
    }

    /// Creates a submission for a README or report outside any reports tree.
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

/// Misplaced or misnamed entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnexpectedEntry {
    /// Absolute path of the entry.
    pub path: PathBuf,
    /// Problem with the entry.
    pub kind: EntryIssue,
}

/// Problem with an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EntryIssue {
    /// Not a README, report or shell script.
    Stray,
    /// Git settings file: `.gitattributes`, `.gitignore` or `.gitmodules`.
    GitSettings,
    /// Report without the extension `.yaml`.
    Extension,
    /// Report in the root or in a release folder.
    NoSubmission,
    /// Report in a subfolder of its submission.
    Nested,
    /// Folder with reports whose name is not a release.
    NotARelease,
    /// Release folder of a minor with a shared folder.
    ReleaseOfMinor {
        /// Minor whose releases share one folder, such as `v1.5`.
        minor: Minor,
    },
    /// Link that is not an alias.
    Link {
        /// Target as written.
        target: String,
        /// Reason for rejecting the link.
        problem: LinkProblem,
    },
    /// Folder that Git treats as a repository, or the entry that causes this.
    Repository {
        /// True if the content is walked too.
        is_walked: bool,
    },
    /// Pipe, socket or device.
    Special,
    /// Folder that cannot be listed.
    Unreadable(Unread),
    /// Folder deeper than [`MAX_DEPTH`] below its submission.
    TooDeep,
}

impl EntryIssue {
    /// Reason as a clause; `None` if the entry is read.
    pub(crate) fn why_not_read(&self) -> Option<Unread> {
        let reason = match self {
            Self::Unreadable(unread) => return Some(unread.clone()),
            Self::Special => "it is a pipe, a socket or a device".to_owned(),
            Self::TooDeep => {
                format!("it is nested more than {MAX_DEPTH} folders deep in its submission")
            }
            _ => return None,
        };
        Some(Unread {
            reason,
            cause: Cause::Kind,
        })
    }
}

/// Reason for rejecting a link as an alias.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkProblem {
    /// The link points to itself, possibly through other links.
    Itself,
    /// The link points out of the tree.
    Outside,
    /// The target does not exist.
    Nowhere,
    /// The link points to another minor.
    OtherMinor,
    /// The link's name or target is not a release.
    NotARelease,
}

/// First minor whose releases share a folder. Earlier folders such as `v1.0` are accepted too,
/// because documents mention them.
pub const FIRST_MINOR_FOLDER: Minor = Minor { major: 1, minor: 5 };

/// Name of the configuration file.
pub const CONFIG_NAME: &str = "gwconform.toml";

/// Maximum folder depth below a submission.
pub const MAX_DEPTH: usize = 4;

/// Limit of file systems for the bytes of a name.
pub(crate) const MAX_NAME_BYTES: usize = 255;

impl Tree {
    /// Display path, relative to [`Self::base`].
    pub fn display(&self, path: &Path) -> String {
        display_path(path, &self.base)
    }
}

/// Part of a path below a folder. `None` if the path is elsewhere.
pub(crate) fn below<'p>(path: &'p Path, folder: &Path) -> Option<&'p Path> {
    // Comparing the components of long paths is slow.
    if let (Some(text), Some(folder)) = (path.to_str(), folder.to_str())
        && let Some(rest) = text.strip_prefix(folder)
        && let Some(below) = rest.strip_prefix(std::path::MAIN_SEPARATOR)
    {
        return Some(Path::new(below));
    }
    path.strip_prefix(folder).ok()
}

/// True for the extensions `.yaml` and `.yml`, ignoring case.
pub fn is_yaml(path: &Path) -> bool {
    path.extension()
        .map(|extension| extension.to_ascii_lowercase())
        .is_some_and(|extension| extension == "yaml" || extension == "yml")
}

/// True for Git attributes files. Ignores case, as some file systems do.
pub fn is_git_attributes(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    name.eq_ignore_ascii_case(".gitattributes")
}

/// True for `README.md`, ignoring case.
pub fn is_readme(name: &str) -> bool {
    name.eq_ignore_ascii_case("readme.md")
}
