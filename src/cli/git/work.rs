use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{anyhow, bail};

use super::repository::{os_path, physical};
use super::{Blobs, Repository, not_run};
use crate::tree::is_git_attributes;
use crate::workspace::{Changed, Depth, EntryKind, TreeEntry};

fn is_before_head(revision: &str) -> bool {
    revision.contains(['~', '^'])
}

/// Maximum bytes of git output, which is enough for about 100,000 files.
const MAX_OUTPUT: u64 = 16 * 1024 * 1024;

/// Maximum files per git call, so that the names fit into one command line.
const MAX_HASHED: usize = 64;

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
    untracked: OnceCell<Vec<PathBuf>>,
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
            untracked: OnceCell::new(),
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
            if revision == "HEAD"
                && let Some(empty) = self.empty_tree()?
            {
                return Ok((empty.clone(), empty));
            }
            bail!(
                "--since: unknown commit `{revision}`{}",
                self.hint(if is_before_head(revision) {
                    "the clone is shallow and ends before it; run `git fetch --deepen=1000` (or `--unshallow`), or clone with fetch-depth: 0"
                } else {
                    "a shallow clone has only one branch; fetch the other with `git fetch origin BRANCH:refs/remotes/origin/BRANCH`, or check out with fetch-depth: 0"
                })?
            );
        };
        let Some((head, _)) = self.commit("HEAD")? else {
            bail!("--since: the current branch has no commits");
        };
        let base = match head == id {
            true => Some(head),
            false => self.id(&["merge-base", &id, "HEAD"])?,
        };
        let Some(base) = base else {
            bail!(
                "--since: `{revision}` and HEAD share no commit{}",
                self.hint("the clone is shallow and ends before the commit they share; run `git fetch --deepen=1000` (or `--unshallow`), or clone with fetch-depth: 0")?
            );
        };
        Ok((id, base))
    }

    pub fn is_head(&self, commit: &str) -> anyhow::Result<bool> {
        Ok(self.commit("HEAD")?.is_some_and(|(id, _)| id == commit))
    }

    /// ID and content of a commit. `None` if git does not have it.
    fn commit(&self, name: &str) -> anyhow::Result<Option<(String, Vec<u8>)>> {
        let mut blobs = self.blobs.borrow_mut();
        blobs.object(&format!("{name}^{{commit}}"), "commit")
    }

    /// ID of the empty tree, which git does not need to store. `None` unless HEAD is a branch
    /// without commits.
    fn empty_tree(&self) -> anyhow::Result<Option<String>> {
        let mut command = self.repository.git(&self.folder);
        let is_branch = command
            .args(["symbolic-ref", "--quiet", "HEAD"])
            .output()
            .map_err(not_run)?
            .status
            .success();
        match is_branch {
            true => self.id(&["hash-object", "-t", "tree", "--stdin"]),
            false => Ok(None),
        }
    }

    fn id(&self, arguments: &[&str]) -> anyhow::Result<Option<String>> {
        self.repository.id(&self.folder, arguments)
    }

    fn hint(&self, hint: &str) -> anyhow::Result<String> {
        let output = self
            .repository
            .git(&self.folder)
            .args(["rev-parse", "--is-shallow-repository"])
            .output()
            .map_err(not_run)?;
        let is_shallow = output.stdout.starts_with(b"true");
        Ok(if is_shallow {
            format!("; {hint}")
        } else {
            String::new()
        })
    }

    pub fn changed(&self, commit: &str, untracked: Untracked) -> anyhow::Result<Vec<Changed>> {
        let mut changed = BTreeMap::new();
        // Git also lists files with a new modification time and unchanged content, so their content
        // is compared below.
        let differing = self.diff(commit, "--ignore-submodules=all")?;
        let mut fields = differing.split(|&byte| byte == 0);
        let mut doubtful = Vec::new();
        while let (Some(head), Some(name)) = (fields.next(), fields.next()) {
            let (one, is_doubtful) = self.parse(head, name)?;
            if is_doubtful {
                doubtful.push(one);
            } else {
                changed.insert(one.path.clone(), one);
            }
        }
        // For submodules, only the commit in the index is compared, because their files belong to
        // other repositories.
        let in_index = self.diff(commit, "--cached")?;
        let mut fields = in_index.split(|&byte| byte == 0);
        let mut staged = BTreeSet::new();
        while let (Some(head), Some(name)) = (fields.next(), fields.next()) {
            let (one, _) = self.parse(head, name)?;
            if is_of_submodule(head) {
                changed.entry(one.path.clone()).or_insert(one);
            } else {
                staged.insert(one.path);
            }
        }
        if untracked == Untracked::Counted {
            self.add_untracked(&mut changed)?;
        }
        // If the content in the index is unchanged, the attributes of the earlier commit apply.
        let (mut exact, converted): (Vec<Changed>, Vec<Changed>) =
            (doubtful.into_iter()).partition(|one| staged.contains(&one.path));
        exact.extend(self.below_attributes(commit, &changed)?);
        for (files, option) in [(exact, Some("--no-filters")), (converted, None)] {
            for some in files.chunks(MAX_HASHED) {
                let differing = self.differing(some, option)?;
                changed.extend(differing.map(|one| (one.path.clone(), one.clone())));
            }
        }
        Ok(changed.into_values().collect())
    }

    fn add_untracked(&self, changed: &mut BTreeMap<PathBuf, Changed>) -> anyhow::Result<()> {
        for path in self.untracked()? {
            let is_link = path.is_symlink();
            changed
                .entry(path.clone())
                .and_modify(|one: &mut Changed| one.is_there = true)
                .or_insert(Changed {
                    path: path.clone(),
                    before: None,
                    is_there: true,
                    is_link,
                    was_link: false,
                });
        }
        Ok(())
    }

    fn untracked(&self) -> anyhow::Result<&[PathBuf]> {
        if let Some(untracked) = self.untracked.get() {
            return Ok(untracked);
        }
        let listed = self.output(
            "HEAD",
            &[
                "ls-files",
                "--others",
                "--exclude-standard",
                "--full-name",
                "-z",
                "--",
                ":/",
            ],
        )?;
        let names = listed.split(|&byte| byte == 0);
        let paths = names.filter(|name| !name.is_empty());
        let paths: Vec<PathBuf> = paths
            .map(|name| self.path(name))
            .collect::<Result<_, _>>()?;
        Ok(self.untracked.get_or_init(|| paths))
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

    pub fn day_of(&self, commit: &str) -> anyhow::Result<Option<jiff::civil::Date>> {
        let time = self.time_of(commit)?;
        Ok(time.map(|time| time.to_zoned(jiff::tz::TimeZone::UTC).date()))
    }

    /// Commit time of HEAD; `None` if a file in the folder differs from HEAD.
    pub fn committed(&self, folder: &Path) -> anyhow::Result<Option<jiff::Timestamp>> {
        let Some(time) = self.time_of("HEAD")? else {
            return Ok(None);
        };
        let is_new = |path: &PathBuf| path.starts_with(folder);
        if self.untracked()?.iter().any(is_new) {
            return Ok(None);
        }
        // In a clean checkout, nothing differs.
        let is_clean = self.diff("HEAD", "--ignore-submodules=all")?.is_empty();
        let changed = match is_clean {
            true => Vec::new(),
            false => self.changed("HEAD", Untracked::LeftOut)?,
        };
        let is_changed = changed.iter().any(|one| one.path.starts_with(folder));
        Ok((!is_changed).then_some(time))
    }

    /// Committer time. `None` for the empty tree.
    pub fn time_of(&self, commit: &str) -> anyhow::Result<Option<jiff::Timestamp>> {
        let Some((_, content)) = self.commit(commit)? else {
            return Ok(None);
        };
        let text = String::from_utf8_lossy(&content);
        let mut header = text.lines().take_while(|line| !line.is_empty());
        let line = header.find_map(|line| line.strip_prefix("committer "));
        let seconds = line.and_then(|line| line.rsplit(' ').nth(1)?.parse().ok());
        Ok(seconds.and_then(|seconds| jiff::Timestamp::from_second(seconds).ok()))
    }

    fn diff(&self, commit: &str, option: &str) -> anyhow::Result<Vec<u8>> {
        self.output(
            commit,
            &[
                "diff",
                "--raw",
                "-z",
                "--no-abbrev",
                "--no-renames",
                "--no-relative",
                "--no-ext-diff",
                "--no-textconv",
                // Overrides the `ignore` setting in `.gitmodules`.
                "--ignore-submodules=none",
                option,
                commit,
                "--",
            ],
        )
    }

    /// With `--no-filters`, bytes are compared; otherwise, the content that git would store. If git
    /// fails, all files count as different.
    fn differing<'c>(
        &self,
        some: &'c [Changed],
        option: Option<&str>,
    ) -> anyhow::Result<impl Iterator<Item = &'c Changed> + use<'c>> {
        let below = |one: &'c Changed| one.path.strip_prefix(&self.top).unwrap_or(&one.path);
        let output = self
            .repository
            .git(self.repository.top())
            .arg("hash-object")
            .args(option)
            .arg("--")
            .args(some.iter().map(below))
            .output()
            .map_err(not_run)?;
        let text = String::from_utf8_lossy(&output.stdout);
        let ids: Vec<String> = text.lines().map(str::to_owned).collect();
        let is_told = output.status.success() && ids.len() == some.len();
        let others = some.iter().enumerate().filter(move |(at, one)| {
            let id = ids.get(*at).filter(|_| is_told);
            id.is_none() || id != one.before.as_ref()
        });
        Ok(others.map(|(_, one)| one))
    }

    /// Parses `:<old mode> <new mode> <old id> <new id> <status>` and the file name. The flag is
    /// true if git has not compared the content.
    fn parse(&self, head: &[u8], name: &[u8]) -> anyhow::Result<(Changed, bool)> {
        let unexpected_output = || {
            anyhow!(
                "unexpected output of git: `{}`",
                String::from_utf8_lossy(head)
            )
        };
        let head_text = std::str::from_utf8(head).map_err(|_| unexpected_output())?;
        let words: Vec<&str> = head_text.trim_start_matches(':').split(' ').collect();
        let [old_mode, new_mode, old_id, new_id, status] = words[..] else {
            return Err(unexpected_output());
        };
        let is_file = |mode: &str| mode.starts_with("100");
        let is_link = |mode: &str| mode.starts_with("120");
        let is_known = is_file(old_mode) || is_link(old_mode);
        let is_id = old_id.chars().all(|c| c.is_ascii_hexdigit());
        let is_not_looked_at = new_id.bytes().all(|byte| byte == b'0');
        let is_doubtful =
            status == "M" && is_file(old_mode) && old_mode == new_mode && is_not_looked_at;
        let changed = Changed {
            path: self.path(name)?,
            before: (is_known && is_id).then(|| old_id.to_owned()),
            is_there: status != "D",
            is_link: is_link(old_mode) || is_link(new_mode),
            was_link: is_link(old_mode),
        };
        Ok((changed, is_doubtful))
    }

    fn path(&self, name: &[u8]) -> anyhow::Result<PathBuf> {
        Ok(match name.strip_prefix(self.prefix.as_slice()) {
            Some(below) => self.folder.join(os_path(below)?),
            None => self.top.join(os_path(name)?),
        })
    }

    fn output<A: AsRef<OsStr>>(&self, commit: &str, arguments: &[A]) -> anyhow::Result<Vec<u8>> {
        let words: Vec<&OsStr> = arguments.iter().map(AsRef::as_ref).collect();
        let command_line = words.join(OsStr::new(" "));
        let what = command_line.display();
        let mut child = self
            .repository
            .git(&self.folder)
            .args(arguments)
            .stdout(Stdio::piped())
            .spawn()
            .map_err(not_run)?;
        let mut bytes = Vec::new();
        if let Some(stdout) = child.stdout.take() {
            let mut stdout = stdout.take(MAX_OUTPUT + 1);
            stdout.read_to_end(&mut bytes)?;
        }
        let status = child.wait()?;
        if bytes.len() as u64 > MAX_OUTPUT {
            bail!("--since: too many files differ");
        }
        if !status.success() {
            match self.repository.partial_hint() {
                "" => bail!("--since: `git {what}` failed; run it by hand to see why"),
                hint => bail!("--since: objects of {commit} are missing{hint}"),
            }
        }
        Ok(bytes)
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

fn name_of(path: &Path) -> OsString {
    if cfg!(windows) {
        path.to_string_lossy().replace('\\', "/").into()
    } else {
        path.into()
    }
}

fn is_of_submodule(head: &[u8]) -> bool {
    let mut modes = head.trim_ascii_start().split(|&byte| byte == b' ').take(2);
    modes.any(|mode| mode.strip_prefix(b":").unwrap_or(mode) == b"160000")
}
