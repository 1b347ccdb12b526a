use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use anyhow::{anyhow, bail};

use super::repository::{os_path, physical};
use super::status::{self, Listed};
use super::{Blobs, MAX_OUTPUT, Repository, time_of, utc_day};
use crate::cli::Mistake;
use crate::cli::program::Output;
use crate::workspace::{Changed, Depth, EntryKind, TreeEntry};
use gwconform_base::files::ReadError;
use gwconform_report::rules::check::open_regular;
use gwconform_report::tree::is_git_attributes;

fn is_before_head(revision: &str) -> bool {
    revision.contains(['~', '^'])
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Untracked {
    Counted,
    LeftOut,
}

pub struct Work {
    repository: Repository,
    folder: PathBuf,
    /// Absolute path of the working tree, spelled as in `folder` if possible.
    top: PathBuf,
    /// Path from the top folder to `folder`, with a trailing slash; empty if they are equal.
    prefix: Vec<u8>,
    blobs: RefCell<Blobs>,
    status: OnceCell<Vec<u8>>,
}

impl Work {
    pub fn try_new(folder: &Path) -> anyhow::Result<Self> {
        let repository = Repository::around(folder)?;
        let physical_folder = physical(folder)?;
        let below = physical_folder.strip_prefix(repository.top())?;
        let mut prefix = name_of(below).into_encoded_bytes();
        if !prefix.is_empty() {
            prefix.push(b'/');
        }
        let depth = prefix.iter().filter(|&&byte| byte == b'/').count();
        let top = folder
            .ancestors()
            .nth(depth)
            .filter(|top| physical(top).is_ok_and(|top| top == repository.top()));
        Ok(Self {
            folder: folder.to_owned(),
            top: top.unwrap_or(repository.top()).to_owned(),
            prefix,
            blobs: RefCell::new(Blobs::start(&repository)?),
            status: OnceCell::new(),
            repository,
        })
    }

    pub fn read(&self, id: &str) -> anyhow::Result<Result<Vec<u8>, String>> {
        self.blobs.borrow_mut().read(id)
    }

    /// Path relative to the top folder; `None` if the path is outside the working tree.
    pub fn below(&self, path: &Path) -> Option<PathBuf> {
        if let Ok(below) = path.strip_prefix(&self.folder) {
            return Some(os_path(&self.prefix).ok()?.join(below));
        }
        let top = self.repository.top();
        let named = path.strip_prefix(&self.top).or(path.strip_prefix(top));
        if let Ok(below) = named {
            return Some(below.to_owned());
        }
        // The path can contain a symbolic link into the working tree.
        let led_to = physical(path).ok()?;
        Some(led_to.strip_prefix(top).ok()?.to_owned())
    }

    pub fn absolute(&self, below: &Path) -> PathBuf {
        self.top.join(below)
    }

    /// A trailing slash selects the entries of the folder. Other paths select the file or folder
    /// itself. Paths are relative to the top folder.
    pub fn entries(
        &self,
        commit: &str,
        path: &Path,
        depth: Depth,
    ) -> anyhow::Result<Vec<TreeEntry>> {
        let named = self.named(commit, path)?;
        match depth {
            Depth::Named => Ok(named),
            Depth::Files if named.is_empty() => Ok(named),
            Depth::Files => self.all_files(commit, path),
        }
    }

    fn all_files(&self, commit: &str, path: &Path) -> anyhow::Result<Vec<TreeEntry>> {
        let mut arguments = vec![OsStr::new("ls-tree"), "-z".as_ref(), "--full-tree".as_ref()];
        arguments.extend([OsStr::new("-r"), OsStr::new(commit), "--".as_ref()]);
        let path = name_of(path);
        arguments.extend((!path.is_empty()).then_some(path.as_os_str()));
        let listed = self.output(commit, &arguments)?;
        let lines = listed.split(|&byte| byte == 0);
        let entries = lines.filter(|line| !line.is_empty()).map(entry);
        entries.collect()
    }

    fn named(&self, commit: &str, path: &Path) -> anyhow::Result<Vec<TreeEntry>> {
        let is_content = path.as_os_str().is_empty() || ends_with_slash(path);
        let mut entries = self.folder(commit, &format!("{commit}^{{tree}}"), Path::new(""))?;
        let mut names = path.iter().peekable();
        while let Some(name) = names.next() {
            let is_it = |entry: &TreeEntry| entry.path.file_name() == Some(name);
            let Some(at) = entries.iter().position(is_it) else {
                return Ok(Vec::new());
            };
            let entry = entries.swap_remove(at);
            if names.peek().is_none() && !is_content {
                return Ok(vec![entry]);
            }
            if entry.kind != EntryKind::Other {
                return Ok(Vec::new());
            }
            entries = self.folder(commit, &entry.id, &entry.path)?;
        }
        Ok(entries)
    }

    /// Entries of the folder with the ID or name `tree`. None for submodules.
    fn folder(&self, commit: &str, tree: &str, path: &Path) -> anyhow::Result<Vec<TreeEntry>> {
        let mut blobs = self.blobs.borrow_mut();
        match blobs.object(tree, "tree")? {
            Some((id, content)) => entries_of(&content, id.len() / 2, path),
            None if path.as_os_str().is_empty() => bail!(
                "--since: objects of {commit} are missing{}",
                self.repository.partial_hint()
            ),
            None => Ok(Vec::new()),
        }
    }

    /// Commit of `revision`, and its merge base with HEAD. Newer commits of `revision` are then not
    /// listed as removals. If HEAD has no commit, both are the empty tree. In a shallow clone, the
    /// error explains how to fetch the missing commits.
    pub fn merge_base(&self, revision: &str) -> anyhow::Result<(String, String)> {
        let id = self.commit(revision)?.map(|(id, _)| id);
        let Some(id) = id else {
            if revision == "HEAD" && self.is_unborn()? {
                return self.empty_tree();
            }
            let hint = if is_before_head(revision) {
                "the clone is shallow and ends before it; run `git fetch --deepen=1000` (or `--unshallow`), or clone with fetch-depth: 0"
            } else {
                "a shallow clone has only one branch; fetch the other with `git fetch origin BRANCH:refs/remotes/origin/BRANCH`, or check out with fetch-depth: 0"
            };
            return self.unusable(format!("unknown commit `{revision}`"), hint);
        };
        let Some((head, _)) = self.commit("HEAD")? else {
            bail!("--since: the current branch has no commits");
        };
        let base = if head == id {
            Some(head)
        } else {
            self.id(&["merge-base", &id, "HEAD"])?
        };
        let Some(base) = base else {
            return self.unusable(
                format!("`{revision}` and HEAD share no commit"),
                "the clone is shallow and ends before the commit they share; run `git fetch --deepen=1000` (or `--unshallow`), or clone with fetch-depth: 0",
            );
        };
        Ok((id, base))
    }

    /// True if a revision names the commit that is checked out.
    pub fn is_head(&self, revision: &str) -> anyhow::Result<bool> {
        let head = self.commit("HEAD")?;
        Ok(head.is_some() && self.commit(revision)? == head)
    }

    /// True if the innermost repository around the folder is this one.
    pub fn is_top_of(&self, folder: &Path) -> anyhow::Result<bool> {
        Ok(Repository::around(folder)?.top() == self.repository.top())
    }

    /// True if the index differs from HEAD.
    pub fn is_staged(&self) -> anyhow::Result<bool> {
        let (tracked, _) = status::status(self.status()?)?;
        Ok(tracked.iter().any(|one| one.is_staged))
    }

    /// ID and content of a commit. `None` if git does not have it.
    fn commit(&self, name: &str) -> anyhow::Result<Option<(String, Vec<u8>)>> {
        let mut blobs = self.blobs.borrow_mut();
        blobs.object(&format!("{name}^{{commit}}"), "commit")
    }

    /// True if HEAD is a branch without commits. Requires that HEAD has no commit.
    fn is_unborn(&self) -> anyhow::Result<bool> {
        let output = self.run(&["symbolic-ref", "--quiet", "HEAD"])?;
        Ok(output.status.success())
    }

    /// ID of the empty tree, which git does not need to store, in the form of `merge_base`.
    pub fn empty_tree(&self) -> anyhow::Result<(String, String)> {
        let Some(id) = self.id(&["hash-object", "-t", "tree", "--stdin"])? else {
            bail!("git did not print the ID of the empty tree");
        };
        Ok((id.clone(), id))
    }

    fn id(&self, arguments: &[&str]) -> anyhow::Result<Option<String>> {
        self.repository.id(&self.folder, arguments)
    }

    /// Fails. In a complete clone, the user named a wrong revision.
    fn unusable<T>(&self, reason: String, hint: &str) -> anyhow::Result<T> {
        let output = self.run(&["rev-parse", "--is-shallow-repository"])?;
        let is_shallow = output.stdout.starts_with(b"true");
        if is_shallow {
            bail!("--since: {reason}; {hint}");
        }
        Err(Mistake(format!("--since: {reason}")).into())
    }

    /// Files that differ between `commit`, which is HEAD or one of its ancestors, and the working
    /// tree.
    pub fn changed(&self, commit: &str, untracked: Untracked) -> anyhow::Result<Vec<Changed>> {
        let committed = match self.commit("HEAD")? {
            Some((head, _)) if head != commit => self.diff(commit, &head)?,
            _ => Vec::new(),
        };
        let mut committed: BTreeMap<&[u8], Listed<'_>> = status::differences(&committed)?
            .into_iter()
            .map(|one| (one.name, one))
            .collect();
        let (tracked, names) = status::status(self.status()?)?;
        let mut changed = BTreeMap::new();
        for mut one in tracked {
            let earlier = committed.remove(one.name);
            let has_same_base = earlier.is_none();
            one.before = earlier.map_or(one.before, |earlier| earlier.before);
            let path = self.path(one.name)?;
            let is_same = match &one.after.id {
                Some(_) => one.before == one.after,
                None if !one.before.has_mode_of(&one.after) => false,
                None if !one.after.is_there() => true,
                // Git has compared the content with that of the commit.
                None if has_same_base && !one.is_staged => false,
                None => one.before.is_file() && self.is_content(&path, one.before.id.as_deref())?,
            };
            if !is_same {
                changed.insert(path.clone(), changed_file(path, &one));
            }
        }
        for one in committed.into_values() {
            let path = self.path(one.name)?;
            changed.insert(path.clone(), changed_file(path, &one));
        }
        if untracked == Untracked::Counted {
            for name in names {
                self.add_untracked(self.path(name)?, &mut changed);
            }
        }
        for one in self.below_attributes(commit, &changed)? {
            if !self.is_content(&one.path, one.before.as_deref())? {
                changed.insert(one.path.clone(), one);
            }
        }
        Ok(changed.into_values().collect())
    }

    fn add_untracked(&self, path: PathBuf, changed: &mut BTreeMap<PathBuf, Changed>) {
        let is_link = path.is_symlink();
        changed
            .entry(path.clone())
            .and_modify(|one: &mut Changed| one.is_there = true)
            .or_insert(Changed {
                path,
                before: None,
                is_there: true,
                is_link,
                was_link: false,
            });
    }

    /// True if the bytes of a file are those of the object. Git would apply attributes, which a
    /// change can contain.
    fn is_content(&self, path: &Path, id: Option<&str>) -> anyhow::Result<bool> {
        match (id, open_regular(path)) {
            (Some(id), Ok(file)) => self.blobs.borrow_mut().is_content(id, file),
            _ => Ok(false),
        }
    }

    /// Differences of HEAD, the index and the working tree, and untracked files.
    fn status(&self) -> anyhow::Result<&[u8]> {
        if let Some(status) = self.status.get() {
            return Ok(status);
        }
        let status = self.output(
            "HEAD",
            &[
                "status",
                "--porcelain=v2",
                "-z",
                "--no-renames",
                "--untracked-files=all",
                // Only the commit of a submodule is compared. Overrides the `ignore` setting in
                // `.gitmodules`.
                "--ignore-submodules=dirty",
            ],
        )?;
        Ok(self.status.get_or_init(|| status))
    }

    /// Files in folders whose `.gitattributes` changed. The caller compares them byte by byte,
    /// because git would apply the new attributes.
    fn below_attributes(
        &self,
        commit: &str,
        changed: &BTreeMap<PathBuf, Changed>,
    ) -> anyhow::Result<Vec<Changed>> {
        let attributes = changed.keys().filter(|path| is_git_attributes(path));
        let folders: BTreeSet<&Path> = attributes.filter_map(|path| path.parent()).collect();
        if folders.is_empty() {
            return Ok(Vec::new());
        }
        let mut files = Vec::new();
        for entry in self.entries(commit, Path::new(""), Depth::Files)? {
            let path = self.path(name_of(&entry.path).as_encoded_bytes())?;
            let is_below = path
                .ancestors()
                .skip(1)
                .any(|above| folders.contains(&above));
            if is_below
                && entry.kind == EntryKind::File
                && !changed.contains_key(&path)
                && path.is_file()
            {
                files.push(Changed {
                    path,
                    before: Some(entry.id),
                    is_there: true,
                    is_link: false,
                    was_link: false,
                });
            }
        }
        Ok(files)
    }

    /// Committer date of a commit, in UTC. `None` for the empty tree.
    pub fn day_of(&self, commit: &str) -> anyhow::Result<Option<jiff::civil::Date>> {
        let commit = self.commit(commit)?;
        Ok(commit.and_then(|(_, content)| Some(utc_day(time_of(&content)?))))
    }

    /// Commit time of HEAD; `None` if a file in the folder differs from HEAD.
    pub fn committed(&self, folder: &Path) -> anyhow::Result<Option<jiff::Timestamp>> {
        let Some((head, content)) = self.commit("HEAD")? else {
            return Ok(None);
        };
        let Some(time) = time_of(&content) else {
            return Ok(None);
        };
        let changed = if self.status()?.is_empty() {
            Vec::new()
        } else {
            self.changed(&head, Untracked::Counted)?
        };
        let is_changed = changed.iter().any(|one| one.path.starts_with(folder));
        Ok((!is_changed).then_some(time))
    }

    fn diff(&self, commit: &str, head: &str) -> anyhow::Result<Vec<u8>> {
        self.output(
            commit,
            &[
                "diff-tree",
                "-r",
                "--raw",
                "-z",
                "--no-abbrev",
                "--no-renames",
                "--no-relative",
                // Overrides the `ignore` setting in `.gitmodules`.
                "--ignore-submodules=none",
                commit,
                head,
                "--",
            ],
        )
    }

    fn path(&self, name: &[u8]) -> anyhow::Result<PathBuf> {
        Ok(match name.strip_prefix(self.prefix.as_slice()) {
            Some(below) => self.folder.join(os_path(below)?),
            None => self.top.join(os_path(name)?),
        })
    }

    fn run(&self, arguments: &[impl AsRef<OsStr>]) -> anyhow::Result<Output> {
        self.repository.run(&self.folder, arguments, MAX_OUTPUT)
    }

    fn output<A: AsRef<OsStr>>(&self, commit: &str, arguments: &[A]) -> anyhow::Result<Vec<u8>> {
        let output = self
            .run(arguments)
            .map_err(|error| match error.downcast_ref() {
                Some(ReadError::TooLarge { .. }) => anyhow!("--since: too many files differ"),
                _ => error,
            })?;
        if !output.status.success() {
            let words: Vec<&OsStr> = arguments.iter().map(AsRef::as_ref).collect();
            let what = words.join(OsStr::new(" "));
            match self.repository.partial_hint() {
                "" => bail!(
                    "--since: `git {}` failed; run it by hand to see why",
                    what.display()
                ),
                hint => bail!("--since: objects of {commit} are missing{hint}"),
            }
        }
        Ok(output.stdout)
    }
}

fn changed_file(path: PathBuf, one: &Listed<'_>) -> Changed {
    let (before, after) = (&one.before, &one.after);
    let is_known = before.is_file() || before.is_link();
    Changed {
        path,
        before: before.id.clone().filter(|_| is_known),
        is_there: after.is_there(),
        is_link: before.is_link() || after.is_link(),
        was_link: before.is_link(),
    }
}

fn entry(line: &[u8]) -> anyhow::Result<TreeEntry> {
    let unexpected_output = || {
        anyhow!(
            "unexpected output of git: `{}`",
            String::from_utf8_lossy(line)
        )
    };
    let tab = line.iter().position(|&byte| byte == b'\t');
    let (head_bytes, path) = line.split_at(tab.ok_or_else(unexpected_output)?);
    let head = std::str::from_utf8(head_bytes).map_err(|_| unexpected_output())?;
    let words: Vec<&str> = head.split(' ').collect();
    let [mode, _, id] = words[..] else {
        return Err(unexpected_output());
    };
    Ok(TreeEntry {
        path: os_path(&path[1..])?,
        id: id.to_owned(),
        kind: kind_of(mode.as_bytes()),
    })
}

/// Parses `<mode> <name>`, a zero byte and the binary ID of each entry.
fn entries_of(content: &[u8], id_length: usize, folder: &Path) -> anyhow::Result<Vec<TreeEntry>> {
    let mut entries = Vec::new();
    let mut rest = content;
    while !rest.is_empty() {
        let unexpected_output = || anyhow!("unexpected output of git for {}", folder.display());
        let head = rest.iter().position(|&byte| byte == 0);
        let (head, after) = rest.split_at(head.ok_or_else(unexpected_output)?);
        let space = head.iter().position(|&byte| byte == b' ');
        let (mode, name) = head.split_at(space.ok_or_else(unexpected_output)?);
        let id = after.get(1..=id_length).ok_or_else(unexpected_output)?;
        entries.push(TreeEntry {
            path: folder.join(os_path(&name[1..])?),
            id: id.iter().map(|byte| format!("{byte:02x}")).collect(),
            kind: kind_of(mode),
        });
        rest = &after[1 + id_length..];
    }
    Ok(entries)
}

fn kind_of(mode: &[u8]) -> EntryKind {
    match mode.get(..3) {
        Some(b"100") => EntryKind::File,
        Some(b"120") => EntryKind::Link,
        _ => EntryKind::Other,
    }
}

fn ends_with_slash(path: &Path) -> bool {
    let last = path.as_os_str().as_encoded_bytes().last();
    last.is_some_and(|&byte| std::path::is_separator(char::from(byte)))
}

pub fn name_of(path: &Path) -> OsString {
    if cfg!(windows) {
        path.to_string_lossy().replace('\\', "/").into()
    } else {
        path.into()
    }
}
