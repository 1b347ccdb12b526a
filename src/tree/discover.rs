//! Walks a reports tree.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use super::alias;
use super::{
    CONFIG_NAME, FIRST_MINOR_FOLDER, FolderRelease, LinkProblem, MAX_DEPTH, Oddity, OddityKind,
    ReleaseFolder, Submission, Tree, is_yaml, name_of,
};

/// Which parts of a tree to walk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Parts {
    /// All of it.
    Whole,
    /// Some release folders by name or alias, each with the submissions in it that are meant;
    /// `None` means all of them.
    Some(BTreeMap<String, Option<BTreeSet<String>>>),
}

impl Parts {
    /// Nothing of it.
    pub fn none() -> Self {
        Self::Some(BTreeMap::new())
    }

    /// Adds other parts of the same tree.
    pub fn add(&mut self, other: Self) {
        let (Self::Some(parts), Self::Some(others)) = (&mut *self, other) else {
            *self = Self::Whole;
            return;
        };
        for (release, folders) in others {
            match (parts.get_mut(&release), folders) {
                (None, folders) => drop(parts.insert(release, folders)),
                (Some(Some(known)), Some(folders)) => known.extend(folders),
                (Some(known), _) => *known = None,
            }
        }
    }
}

/// Walks the reports tree at `root` (absolute) and names what is in it, in the order of names.
///
/// # Errors
/// When the root cannot be listed. A folder below it that cannot be is an [`Oddity`].
pub fn discover(root: &Path, base: &Path, parts: &Parts) -> io::Result<Tree> {
    let mut walk = Walk::default();
    let mut folders = Vec::new();
    let mut aliases = BTreeMap::new();
    let mut links = alias::Links::new(root);
    for entry in list(root)? {
        let path = entry.path().to_owned();
        match alias::target_of(&entry) {
            Some(target) => match links.resolve(&path, &target) {
                Ok(release) => {
                    aliases.insert(name_of(&path), release);
                }
                Err(problem) => walk.odd(
                    path,
                    OddityKind::Link {
                        target: target.display().to_string(),
                        problem,
                    },
                ),
            },
            None if entry.file_type().is_dir() => folders.push(path),
            None => walk.root_file(&entry),
        }
    }
    if let Parts::Some(_) = parts {
        // What is odd about the rest of the tree is not what was asked for.
        walk = Walk::default();
    }
    let wanted = |name: &str| -> Option<Option<&BTreeSet<String>>> {
        let Parts::Some(parts) = parts else {
            return Some(None);
        };
        let stands_for = |part: &String| {
            part == name || aliases.get(part).is_some_and(|release| release == name)
        };
        // One alias and its release may both be named; the first that asks for everything wins.
        let mut named = parts
            .iter()
            .filter(|(part, _)| stands_for(part))
            .map(|(_, folders)| folders.as_ref());
        named.clone().find(Option::is_none).or_else(|| named.next())
    };
    let mut releases = Vec::new();
    for path in folders {
        let name = name_of(&path);
        let Some(submissions) = wanted(&name) else {
            continue;
        };
        let release = FolderRelease::parse(&name);
        if release.is_none() && !walk.unknown_folder(&path) {
            continue;
        }
        if let Some(FolderRelease::Exact(version)) = &release
            && version.minor() >= FIRST_MINOR_FOLDER
        {
            let minor = version.minor();
            walk.odd(&path, OddityKind::ReleaseOfMinor { minor });
        }
        walk.release_folder(&path, release.as_ref(), submissions);
        releases.push(ReleaseFolder {
            name,
            path,
            release,
        });
    }
    walk.submissions.sort_by(|a, b| a.path.cmp(&b.path));
    walk.oddities.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(Tree {
        root: root.to_owned(),
        base: base.to_owned(),
        is_whole: *parts == Parts::Whole,
        aliases,
        releases,
        submissions: walk.submissions,
        oddities: walk.oddities,
    })
}

/// What was found so far.
#[derive(Default)]
struct Walk {
    submissions: Vec<Submission>,
    oddities: Vec<Oddity>,
}

impl Walk {
    fn odd(&mut self, path: impl Into<PathBuf>, kind: OddityKind) {
        self.oddities.push(Oddity {
            path: path.into(),
            kind,
        });
    }

    /// A file of the tree's root: its README, configuration and shell scripts are fine.
    fn root_file(&mut self, entry: &DirEntry) {
        let path = entry.path();
        match FileRole::of(entry) {
            FileRole::Readme | FileRole::Script | FileRole::Git => {}
            FileRole::Report => self.loose_report(path, None),
            FileRole::Special => self.odd(path, OddityKind::Special),
            FileRole::Other if name_of(path) == CONFIG_NAME => {}
            FileRole::ReadmeMisnamed | FileRole::Other => self.odd(path, OddityKind::Stray),
        }
    }

    fn loose_report(&mut self, path: &Path, release: Option<&FolderRelease>) {
        self.odd(path, OddityKind::NoSubmission);
        self.submissions.push(Submission {
            release: release.cloned(),
            ..Submission::lone(path.to_owned())
        });
    }

    /// Says what is odd about a folder of the root that is not named for a release; true when it
    /// holds reports and must be walked like one.
    fn unknown_folder(&mut self, path: &Path) -> bool {
        if name_of(path).starts_with(".git") {
            return false;
        }
        let below = WalkDir::new(path)
            .max_depth(MAX_DEPTH + 2)
            .sort_by_file_name();
        let has_reports = below
            .into_iter()
            .flatten()
            .any(|entry| entry.file_type().is_file() && is_yaml(entry.path()));
        self.odd(
            path,
            if has_reports {
                OddityKind::NotARelease
            } else {
                OddityKind::Stray
            },
        );
        has_reports
    }

    fn release_folder(
        &mut self,
        path: &Path,
        release: Option<&FolderRelease>,
        wanted: Option<&BTreeSet<String>>,
    ) {
        let entries = match list(path) {
            Ok(entries) => entries,
            Err(error) => {
                return self.odd(
                    path,
                    OddityKind::Unreadable {
                        reason: reason(&error),
                    },
                );
            }
        };
        for entry in entries {
            let path = entry.path();
            if wanted.is_some_and(|wanted| !wanted.contains(&name_of(path))) {
                continue;
            }
            if let Some(target) = alias::target_of(&entry) {
                self.link(path, &target);
            } else if entry.file_type().is_dir() {
                self.submission(path, release);
            } else {
                match FileRole::of(&entry) {
                    FileRole::Git | FileRole::Script => {}
                    FileRole::Report => self.loose_report(path, release),
                    FileRole::Special => self.odd(path, OddityKind::Special),
                    FileRole::Readme | FileRole::ReadmeMisnamed | FileRole::Other => {
                        self.odd(path, OddityKind::Stray)
                    }
                }
            }
        }
    }

    fn submission(&mut self, path: &Path, release: Option<&FolderRelease>) {
        let mut submission = Submission {
            path: path.to_owned(),
            folder: Some(name_of(path)),
            release: release.cloned(),
            readme: None,
            reports: Vec::new(),
        };
        for entry in WalkDir::new(path)
            .min_depth(1)
            .max_depth(MAX_DEPTH + 1)
            .sort_by_file_name()
        {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    let at = error.path().unwrap_or(path).to_owned();
                    let reason = error
                        .io_error()
                        .map_or_else(|| "it cannot be listed".to_owned(), reason);
                    self.odd(at, OddityKind::Unreadable { reason });
                    continue;
                }
            };
            let path = entry.path();
            if let Some(target) = alias::target_of(&entry) {
                self.link(path, &target);
                continue;
            }
            if entry.file_type().is_dir() {
                if entry.depth() > MAX_DEPTH {
                    self.odd(path, OddityKind::TooDeep);
                }
                continue;
            }
            let is_nested = entry.depth() > 1;
            match FileRole::of(&entry) {
                FileRole::Readme if !is_nested => submission.readme = Some(path.to_owned()),
                FileRole::ReadmeMisnamed if !is_nested => self.odd(path, OddityKind::ReadmeName),
                FileRole::Report => {
                    if is_nested {
                        self.odd(path, OddityKind::Nested);
                    }
                    if path.extension().is_none_or(|extension| extension != "yaml") {
                        self.odd(path, OddityKind::Extension);
                    }
                    submission.reports.push(path.to_owned());
                }
                FileRole::Git | FileRole::Script => {}
                FileRole::Special => self.odd(path, OddityKind::Special),
                FileRole::Readme | FileRole::ReadmeMisnamed | FileRole::Other => {
                    self.odd(path, OddityKind::Stray)
                }
            }
        }
        self.submissions.push(submission);
    }

    /// A link below the root: never followed, whatever it leads to.
    fn link(&mut self, path: &Path, target: &Path) {
        let problem = LinkProblem::NotARelease;
        self.odd(
            path,
            OddityKind::Link {
                target: target.display().to_string(),
                problem,
            },
        );
    }
}

/// What a file is for, by its name.
enum FileRole {
    Readme,
    ReadmeMisnamed,
    Report,
    Script,
    /// `.gitkeep`, `.gitattributes` and their like.
    Git,
    Special,
    Other,
}

impl FileRole {
    fn of(entry: &DirEntry) -> Self {
        if !entry.file_type().is_file() {
            return Self::Special;
        }
        let path = entry.path();
        match name_of(path).as_str() {
            "README.md" => Self::Readme,
            name if name.starts_with(".git") => Self::Git,
            name if name.ends_with(".sh") => Self::Script,
            _ if is_yaml(path) => Self::Report,
            name if ["readme.md", "readme", "readme.markdown", "readme.txt"]
                .contains(&name.to_lowercase().as_str()) =>
            {
                Self::ReadmeMisnamed
            }
            _ => Self::Other,
        }
    }
}

/// The entries of a folder in the order of their names. An entry that vanished meanwhile is not there.
fn list(folder: &Path) -> io::Result<Vec<DirEntry>> {
    fs::read_dir(folder)?;
    let entries = WalkDir::new(folder)
        .min_depth(1)
        .max_depth(1)
        .sort_by_file_name();
    Ok(entries.into_iter().flatten().collect())
}

fn reason(error: &io::Error) -> String {
    error.kind().to_string()
}
