use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

use super::{
    CONFIG_NAME, EntryIssue, FIRST_MINOR_FOLDER, LinkProblem, MAX_DEPTH, ReleaseFolder, Submission,
    Tree, UnexpectedEntry, is_yaml,
};
use super::{alias, loose};
use gwconform_base::api::FolderRelease;
use gwconform_base::files::name_of;
use gwconform_base::files::{FileKind, Files, Folder, FolderEntry};

/// Parts of a tree to walk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Parts {
    /// Walk the whole tree.
    Whole,
    /// Walk a folder that is not a tree, for its reports.
    Loose,
    /// Release folders, by name or alias, with their submissions; `None` for all submissions.
    Some(BTreeMap<String, Option<BTreeSet<String>>>),
}

impl Parts {
    /// Selects no parts.
    pub fn none() -> Self {
        Self::Some(BTreeMap::new())
    }

    /// Adds other parts of the same tree.
    pub fn add(&mut self, other: Self) {
        let (parts, others) = match (&mut *self, other) {
            (Self::Some(parts), Self::Some(others)) => (parts, others),
            (_, Self::Loose) => return *self = Self::Loose,
            _ => return *self = Self::Whole,
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

/// Walks the tree at `root` (absolute) in name order.
///
/// # Errors
/// If the root cannot be listed. Any other unreadable folder becomes an [`UnexpectedEntry`].
pub fn discover(root: &Path, base: &Path, parts: &Parts) -> io::Result<Tree> {
    discover_in(&Files::Disk, root, base, parts)
}

/// Like [`discover`], for any file system.
pub fn discover_in(files: &Files, root: &Path, base: &Path, parts: &Parts) -> io::Result<Tree> {
    if *parts == Parts::Loose {
        return loose::discover(files, root, base);
    }
    walk(Walk::new(files), root, base, parts)
}

/// Walks a whole tree as it was before a change. Folders that the change does not touch are copied
/// from `now`.
pub fn discover_earlier(files: &Files, now: &Tree) -> io::Result<Tree> {
    if now.is_loose {
        return loose::discover(files, &now.root, &now.base);
    }
    let earlier = Walk {
        now: Some(now).filter(|now| now.is_whole),
        ..Walk::new(files)
    };
    walk(earlier, &now.root, &now.base, &Parts::Whole)
}

fn walk(mut walk: Walk<'_>, root: &Path, base: &Path, parts: &Parts) -> io::Result<Tree> {
    let files = walk.files;
    let mut folders = Vec::new();
    let mut aliases = BTreeMap::new();
    let folder = files.folder(root)?;
    let is_top = folder.kind_of(".git".as_ref()).is_ok();
    for entry in folder.entries()? {
        let path = entry.path().to_owned();
        match target_below(&folder, &entry) {
            Some(target) => match alias::resolve(&folder, &path, &target) {
                Ok(release) => {
                    aliases.insert(name_of(&path), release);
                }
                Err(problem) => walk.odd(
                    path,
                    EntryIssue::Link {
                        target: target.display().to_string(),
                        problem,
                    },
                ),
            },
            // The tree may be the root of a repository.
            None if is_git(&path) => {}
            None if is_top && is_git_settings(&path) => {}
            None if entry.kind() == FileKind::Folder => folders.push(path),
            None => walk.root_file(&entry),
        }
    }
    walk.repository(root);
    if let Parts::Some(_) = parts {
        walk = Walk::new(files);
    }
    let wanted = |name: &str| -> Option<Option<&BTreeSet<String>>> {
        let Parts::Some(parts) = parts else {
            return Some(None);
        };
        let stands_for = |part: &String| {
            part == name || aliases.get(part).is_some_and(|release| release == name)
        };
        // If any request selects all submissions, that request wins.
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
        if release.is_none() && !walk.unknown_folder(&folder, &path) {
            continue;
        }
        if let Some(FolderRelease::Exact(version)) = &release
            && version.minor() >= FIRST_MINOR_FOLDER
        {
            let minor = version.minor();
            walk.odd(&path, EntryIssue::ReleaseOfMinor { minor });
        }
        walk.release_folder(&folder, &path, release.as_ref(), submissions);
        releases.push(ReleaseFolder {
            name,
            path,
            release,
        });
    }
    walk.submissions.sort_by(|a, b| a.path.cmp(&b.path));
    walk.unexpected.sort_by(|a, b| a.path.cmp(&b.path));
    // `HEAD` and `head` produce the same issue.
    walk.unexpected.dedup();
    Ok(Tree {
        root: root.to_owned(),
        base: base.to_owned(),
        is_whole: *parts == Parts::Whole,
        is_loose: false,
        aliases,
        releases,
        submissions: walk.submissions,
        unexpected: walk.unexpected,
        folder: Some(folder),
    })
}

struct Walk<'f> {
    files: &'f Files,
    /// Tree after the change.
    now: Option<&'f Tree>,
    submissions: Vec<Submission>,
    unexpected: Vec<UnexpectedEntry>,
}

impl<'f> Walk<'f> {
    fn new(files: &'f Files) -> Self {
        Self {
            files,
            now: None,
            submissions: Vec::new(),
            unexpected: Vec::new(),
        }
    }

    /// True if the tree after the change has the same submissions in the folder.
    fn copy_untouched(&mut self, folder: &Path) -> bool {
        let Some(now) = self.now.filter(|_| !self.files.are_changed_below(folder)) else {
            return false;
        };
        let submissions = below_in(&now.submissions, folder, |one| &one.path);
        if submissions.is_empty() {
            return false;
        }
        self.submissions.extend_from_slice(submissions);
        let unexpected = below_in(&now.unexpected, folder, |one| &one.path);
        self.unexpected.extend_from_slice(unexpected);
        true
    }

    fn odd(&mut self, path: impl Into<PathBuf>, kind: EntryIssue) {
        self.unexpected.push(UnexpectedEntry {
            path: path.into(),
            kind,
        });
    }

    fn root_file(&mut self, entry: &FolderEntry) {
        let path = entry.path();
        match FileRole::new(entry) {
            FileRole::Readme | FileRole::Fine => {}
            FileRole::Report => self.loose_report(path, None),
            FileRole::Odd(EntryIssue::Stray) if name_of(path) == CONFIG_NAME => {}
            FileRole::MisnamedReadme => self.odd(path, EntryIssue::Stray),
            FileRole::Odd(issue) => self.odd(path, issue),
        }
    }

    fn loose_report(&mut self, path: &Path, release: Option<&FolderRelease>) {
        self.odd(path, EntryIssue::NoSubmission);
        self.submissions.push(Submission {
            release: release.cloned(),
            ..Submission::lone(path.to_owned())
        });
    }

    fn repository(&mut self, folder: &Path) {
        let has = |name: &str| self.files.kind_behind(&folder.join(name)).is_ok();
        let has_head = self.files.kind_of(&folder.join("HEAD")).is_ok();
        if has_head && (has("commondir") || (has("objects") && has("refs"))) {
            self.odd(folder, EntryIssue::Repository { is_walked: true });
        }
    }

    /// True if the folder contains reports and must be walked.
    fn unknown_folder(&mut self, root: &Folder, path: &Path) -> bool {
        // The tree's root may be a repository with workflows.
        let is_of_repository = name_of(path) == ".github" && root.kind_of(".git".as_ref()).is_ok();
        let (mut has_reports, mut inside) = (false, Walk::new(self.files));
        inside.repository(path);
        let below = below(root, path).map(|folder| folder.walk(MAX_DEPTH + 2, is_walked));
        for entry in below.into_iter().flatten().flatten() {
            if is_git(entry.path()) {
                inside.odd(entry.path(), EntryIssue::Repository { is_walked: false });
            } else if entry.kind() == FileKind::Folder {
                inside.repository(entry.path());
            } else if entry.kind() == FileKind::File && is_yaml(entry.path()) && !is_of_repository {
                has_reports = true;
                break;
            }
        }
        if !has_reports {
            self.unexpected.append(&mut inside.unexpected);
        }
        self.odd(
            path,
            if has_reports {
                EntryIssue::NotARelease
            } else {
                EntryIssue::Stray
            },
        );
        has_reports
    }

    fn release_folder(
        &mut self,
        root: &Folder,
        path: &Path,
        release: Option<&FolderRelease>,
        wanted: Option<&BTreeSet<String>>,
    ) {
        if self.copy_untouched(path) {
            return;
        }
        let opened = below(root, path).and_then(|folder| Ok((folder.entries()?, folder)));
        let (entries, folder) = match opened {
            Ok(opened) => opened,
            Err(error) => return self.unreadable(path, &error),
        };
        if entries.iter().any(is_head) {
            self.repository(path);
        }
        for entry in entries {
            let path = entry.path();
            if wanted.is_some_and(|wanted| !wanted.contains(&name_of(path))) {
                continue;
            }
            if let Some(target) = target_below(&folder, &entry) {
                self.link(path, &target);
            } else if is_git(path) {
                self.odd(path, EntryIssue::Repository { is_walked: false });
            } else if entry.kind() == FileKind::Folder {
                self.submission(&folder, path, release);
            } else {
                match FileRole::new(&entry) {
                    FileRole::Fine => {}
                    FileRole::Report => self.loose_report(path, release),
                    FileRole::Readme | FileRole::MisnamedReadme => {
                        self.odd(path, EntryIssue::Stray);
                    }
                    FileRole::Odd(issue) => self.odd(path, issue),
                }
            }
        }
    }

    fn unreadable(&mut self, path: &Path, error: &io::Error) {
        self.odd(path, EntryIssue::Unreadable(error.into()));
    }

    fn submission(
        &mut self,
        release_folder: &Folder,
        path: &Path,
        release: Option<&FolderRelease>,
    ) {
        if self.copy_untouched(path) {
            return;
        }
        let mut submission = Submission {
            path: path.to_owned(),
            folder: Some(name_of(path)),
            release: release.cloned(),
            readme: None,
            misnamed_readme: None,
            reports: Vec::new(),
        };
        let name = path.file_name().map(Path::new).unwrap_or(path);
        let folder = match release_folder.folder(name) {
            Ok(folder) => folder,
            Err(error) => {
                self.unreadable(path, &error);
                return self.submissions.push(submission);
            }
        };
        let mut misnamed = Vec::new();
        for result in folder.walk(MAX_DEPTH + 1, is_walked) {
            let entry = match result {
                Ok(entry) => entry,
                Err((path, error)) => {
                    self.unreadable(&path, &error);
                    continue;
                }
            };
            let path = entry.path();
            if is_head(&entry) {
                self.repository(path.parent().unwrap_or(path));
            }
            if let Some(target) = target_below(&folder, &entry) {
                self.link(path, &target);
                continue;
            }
            if is_git(path) {
                self.odd(path, EntryIssue::Repository { is_walked: false });
                continue;
            }
            if entry.kind() == FileKind::Folder {
                if entry.depth() > MAX_DEPTH {
                    self.repository(path);
                    self.odd(path, EntryIssue::TooDeep);
                }
                continue;
            }
            let is_nested = entry.depth() > 1;
            match FileRole::new(&entry) {
                FileRole::Readme if !is_nested => submission.readme = Some(path.to_owned()),
                FileRole::Report => {
                    if is_nested {
                        self.odd(path, EntryIssue::Nested);
                    }
                    if path.extension().is_none_or(|extension| extension != "yaml") {
                        self.odd(path, EntryIssue::Extension);
                    }
                    submission.reports.push(path.to_owned());
                }
                FileRole::Fine => {}
                FileRole::MisnamedReadme if !is_nested => misnamed.push(path.to_owned()),
                FileRole::Readme | FileRole::MisnamedReadme => {
                    self.odd(path, EntryIssue::Stray);
                }
                FileRole::Odd(issue) => self.odd(path, issue),
            }
        }
        let mut misnamed = misnamed.into_iter();
        if submission.readme.is_none() {
            submission.misnamed_readme = misnamed.next();
        }
        misnamed.for_each(|path| self.odd(&path, EntryIssue::Stray));
        self.submissions.push(submission);
    }

    fn link(&mut self, path: &Path, target: &Path) {
        let problem = LinkProblem::NotARelease;
        self.odd(
            path,
            EntryIssue::Link {
                target: target.display().to_string(),
                problem,
            },
        );
    }
}

enum FileRole {
    Readme,
    /// README with another spelling, such as `readme.md` or `README`.
    MisnamedReadme,
    Report,
    Fine,
    Odd(EntryIssue),
}

impl FileRole {
    fn new(entry: &FolderEntry) -> Self {
        if entry.kind() != FileKind::File {
            return Self::Odd(EntryIssue::Special);
        }
        let path = entry.path();
        match name_of(path).as_str() {
            "README.md" => Self::Readme,
            name if name == ".gitkeep" || name.ends_with(".sh") => Self::Fine,
            _ if is_yaml(path) => Self::Report,
            _ if is_git_settings(path) => Self::Odd(EntryIssue::GitSettings),
            name if ["readme.md", "readme", "readme.markdown", "readme.txt"]
                .contains(&name.to_lowercase().as_str()) =>
            {
                Self::MisnamedReadme
            }
            _ => Self::Odd(EntryIssue::Stray),
        }
    }
}

/// Ignores case, as some file systems do.
fn is_git(path: &Path) -> bool {
    let name = path.file_name();
    name.is_some_and(|name| name.eq_ignore_ascii_case(".git"))
}

/// Ignores case, as some file systems do.
fn is_git_settings(path: &Path) -> bool {
    let name = name_of(path).to_ascii_lowercase();
    name.starts_with(".git") && name != ".gitkeep"
}

fn is_head(entry: &FolderEntry) -> bool {
    let name = entry.path().file_name();
    name.is_some_and(|name| name.eq_ignore_ascii_case("HEAD"))
}

fn is_walked(folder: &FolderEntry) -> bool {
    !is_git(folder.path())
}

/// Entries in a folder, of a list that is sorted by path.
fn below_in<'l, T>(all: &'l [T], folder: &Path, path: fn(&T) -> &PathBuf) -> &'l [T] {
    let first = all.partition_point(|one| path(one).as_path() < folder);
    let rest = &all[first..];
    let is_below = |one: &&T| super::below(path(one), folder).is_some();
    &rest[..rest.iter().take_while(is_below).count()]
}

fn below(folder: &Folder, path: &Path) -> io::Result<Folder> {
    let names = path.strip_prefix(folder.path());
    folder.folder(names.unwrap_or(path))
}

/// Opens the parent folder only if the entry can be a link.
fn target_below(folder: &Folder, entry: &FolderEntry) -> Option<PathBuf> {
    let (path, kind) = (entry.path(), entry.kind());
    let name = path.file_name()?;
    if !alias::can_be_link(name, kind) {
        return None;
    }
    alias::target_of(&below(folder, path.parent()?).ok()?, name, kind)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

    use super::{EntryIssue, Parts, discover};

    #[test]
    fn finds_each_repository_once_at_any_depth() {
        for place in [
            "",
            "v1.5",
            "v1.5/acme",
            "v1.5/acme/a/b/c/d",
            "v1.5/acme/a/b/c/d/e",
            "notes/a",
        ] {
            let root = tempfile::tempdir().unwrap();
            let folder = root.path().join(place);
            for name in ["objects", "refs"] {
                fs::create_dir_all(folder.join(name)).unwrap();
            }
            for name in ["HEAD", "head"] {
                fs::write(folder.join(name), "ref: refs/heads/main\n").unwrap();
            }
            let tree = discover(root.path(), root.path(), &Parts::Whole).unwrap();
            let found = tree.unexpected.iter().filter(|entry| {
                let is_repository = EntryIssue::Repository { is_walked: true };
                entry.kind == is_repository
            });
            let found: Vec<PathBuf> = found.map(|entry| entry.path.clone()).collect();
            assert_eq!(found, [folder], "{place}");
        }
    }
}
