//! Locates the repository for each git call. Git's own discovery would accept any folder with a few
//! matching file names.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, anyhow, bail};

use super::{MAX_OUTPUT, not_run};
use crate::cli::program::{self, Output, PATIENCE, Program};
use gwconform_report::rules::check::read_bounded;

/// Variables that locate the user's configuration, which defines trusted folders (`safe.directory`)
/// and line endings. Other git variables are removed, because they select repositories, indexes,
/// programs and settings.
const OBEYED: [&str; 3] = [
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_NOSYSTEM",
];

/// Prevents git from running programs of a repository and from fetching objects.
const SETTINGS: [&str; 6] = [
    "safe.bareRepository=explicit",
    "protocol.allow=never",
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    // Prevents git from writing file times to the index.
    "diff.autoRefreshIndex=false",
    "core.untrackedCache=false",
];

#[derive(Debug)]
pub struct Repository {
    git: PathBuf,
    top: PathBuf,
    /// Git directory of the repository or, for a linked working tree, of that working tree.
    git_dir: PathBuf,
    /// Filters in the user's configuration. Attributes in the compared files could select them, so
    /// they are disabled.
    filters: Vec<String>,
    is_partial: bool,
    pub(super) patience: Duration,
}

impl Repository {
    pub fn around(folder: &Path) -> anyhow::Result<Self> {
        Self::found_around(folder)?.configured()
    }

    /// Like [`Self::around`], for reading objects only. Git applies no filters to objects.
    pub fn found_around(folder: &Path) -> anyhow::Result<Self> {
        let physical_folder = physical(folder).with_context(|| folder.display().to_string())?;
        let mut folders = physical_folder.ancestors();
        let Some(top) = folders.find(|folder| folder.join(".git").symlink_metadata().is_ok())
        else {
            bail!(
                "{}: not a git repository: no `.git` in this folder or above it",
                folder.display()
            );
        };
        let git_dir = git_dir(top).ok_or_else(|| {
            anyhow!(
                "{}: not a git repository: its `.git` does not point to one",
                top.display()
            )
        })?;
        Self::trusted(top, git_dir)
    }

    fn trusted(top: &Path, git_dir: PathBuf) -> anyhow::Result<Self> {
        let repository = Self {
            git: program()?,
            top: top.to_owned(),
            git_dir,
            filters: Vec::new(),
            is_partial: false,
            patience: PATIENCE,
        };
        repository.ask_whether_trusted()?;
        Ok(repository)
    }

    pub fn top(&self) -> &Path {
        &self.top
    }

    pub fn id(&self, folder: &Path, arguments: &[&str]) -> anyhow::Result<Option<String>> {
        let output = self.run(folder, arguments, MAX_OUTPUT)?;
        let text = String::from_utf8_lossy(&output.stdout);
        let id = text.lines().next().unwrap_or_default().to_owned();
        let is_id = !id.is_empty() && id.chars().all(|c| c.is_ascii_hexdigit());
        Ok((output.status.success() && is_id).then_some(id))
    }

    /// Runs git. Standard output may have at most `most` bytes.
    pub fn run(
        &self,
        folder: &Path,
        arguments: &[impl AsRef<OsStr>],
        most: u64,
    ) -> anyhow::Result<Output> {
        let program = self.start(folder, arguments, Stdio::null())?;
        program.output(most, |_| {})
    }

    pub fn start(
        &self,
        folder: &Path,
        arguments: &[impl AsRef<OsStr>],
        stdin: Stdio,
    ) -> anyhow::Result<Program> {
        let words: Vec<&OsStr> = arguments.iter().map(AsRef::as_ref).collect();
        let name = format!("git {}", words.join(OsStr::new(" ")).display());
        let mut command = self.git(folder);
        command.args(arguments).stdin(stdin);
        Program::start(name, &mut command, self.patience).map_err(not_run)
    }

    fn git(&self, folder: &Path) -> Command {
        let mut command = command(&self.git, folder);
        command
            .arg("--git-dir")
            .arg(&self.git_dir)
            .arg("--work-tree")
            .arg(&self.top);
        // `-c` does not accept all characters that filter names can contain.
        let settings: Vec<(String, &str)> = self
            .filters
            .iter()
            .flat_map(|name| {
                [
                    ("clean", ""),
                    ("smudge", ""),
                    ("process", ""),
                    ("required", "false"),
                ]
                .map(|(key, value)| (format!("filter.{name}.{key}"), value))
            })
            .collect();
        command.env("GIT_CONFIG_COUNT", settings.len().to_string());
        for (nth, (key, value)) in settings.iter().enumerate() {
            command.env(format!("GIT_CONFIG_KEY_{nth}"), key);
            command.env(format!("GIT_CONFIG_VALUE_{nth}"), value);
        }
        command
    }

    /// Advice for errors about missing objects. Empty unless the clone is partial.
    pub fn partial_hint(&self) -> &'static str {
        if self.is_partial {
            ": the clone is partial, and gwconform does not fetch; expected a full clone (run `git fetch --refetch --no-filter`)"
        } else {
            ""
        }
    }

    /// Runs git's own discovery once, because git checks the repository owner only during
    /// discovery.
    fn ask_whether_trusted(&self) -> anyhow::Result<()> {
        let mut command = command(&self.git, &self.top);
        if let Some(above) = self.top.parent() {
            command.env("GIT_CEILING_DIRECTORIES", above);
        }
        if self.git_dir == self.top {
            // Allow this bare repository, because the user named it explicitly.
            command.args(["-c", "safe.bareRepository=all"]);
        }
        command
            .args(["rev-parse", "--absolute-git-dir"])
            .stderr(Stdio::piped());
        let name = "git rev-parse --absolute-git-dir".to_owned();
        let program = Program::start(name, &mut command, self.patience).map_err(not_run)?;
        let mut stderr = Vec::new();
        let output = program.output(MAX_OUTPUT, |piece| stderr.extend_from_slice(piece))?;
        if !output.status.success() {
            let stderr = String::from_utf8_lossy(&stderr);
            // Join the lines of git's advice, because an error has only one line.
            let words: Vec<&str> = stderr.split_whitespace().collect();
            let line = words.join(" ");
            let reason = line.strip_prefix("fatal: ").unwrap_or(&line);
            bail!("{}: {reason}", self.top.display());
        }
        let line = output.stdout.strip_suffix(b"\n").unwrap_or(&output.stdout);
        let git_dir = fs::canonicalize(os_path(line)?);
        if git_dir.ok() != fs::canonicalize(&self.git_dir).ok() {
            bail!(
                "{}: git uses a repository other than {}",
                self.top.display(),
                self.git_dir.display()
            );
        }
        Ok(())
    }

    fn configured(mut self) -> anyhow::Result<Self> {
        let arguments = [
            "config",
            "--null",
            "--name-only",
            "--get-regexp",
            r"^filter\.|^remote\..*\.promisor$|^extensions\.partialclone$",
        ];
        let output = self.run(&self.top, &arguments, MAX_OUTPUT)?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let keys = text.split('\0').filter(|key| !key.is_empty());
        for key in keys {
            match key.strip_prefix("filter.") {
                Some(key) => {
                    let name = key.rsplit_once('.').map(|(name, _)| name.to_owned());
                    self.filters.extend(name);
                }
                None => self.is_partial = true,
            }
        }
        self.filters.sort();
        self.filters.dedup();
        Ok(self)
    }
}

fn command(git: &Path, folder: &Path) -> Command {
    let mut command = Command::new(git);
    for (name, _) in std::env::vars_os() {
        if is_of_git(&name) && !OBEYED.iter().any(|obeyed| name == *obeyed) {
            command.env_remove(name);
        }
    }
    command
        .args(["--no-pager", "--no-replace-objects"])
        .args(SETTINGS.iter().flat_map(|setting| ["-c", setting]))
        .env("GIT_OPTIONAL_LOCKS", "0")
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("GIT_NO_LAZY_FETCH", "1")
        // Also overrides user configuration that allows a protocol.
        .env("GIT_ALLOW_PROTOCOL", "")
        .current_dir(folder)
        .stdin(Stdio::null())
        .stderr(Stdio::null());
    command
}

fn is_of_git(name: &OsStr) -> bool {
    // On Windows, variable names are case-insensitive.
    let start = name.as_encoded_bytes().get(..4);
    start.is_some_and(|start| start.eq_ignore_ascii_case(b"GIT_"))
}

fn program() -> anyhow::Result<PathBuf> {
    program::find("git").ok_or_else(|| not_run(std::io::Error::from(std::io::ErrorKind::NotFound)))
}

fn git_dir(top: &Path) -> Option<PathBuf> {
    let entry = top.join(".git");
    let metadata = fs::metadata(&entry).ok()?;
    let git_dir = if metadata.is_dir() {
        entry
    } else if metadata.is_file() {
        let bytes = read_bounded(fs::File::open(&entry).ok()?).ok()?;
        let line = bytes.strip_prefix(b"gitdir: ")?;
        let end = line
            .iter()
            .rposition(|byte| !matches!(byte, b'\n' | b'\r'))?;
        top.join(os_path(&line[..=end]).ok()?)
    } else {
        return None;
    };
    git_dir.join("HEAD").symlink_metadata().ok()?;
    Some(git_dir)
}

/// A path without symbolic links, in the form that git prints.
#[cfg(not(windows))]
pub fn physical(path: &Path) -> std::io::Result<PathBuf> {
    fs::canonicalize(path)
}

/// Returns an absolute path that can contain symbolic links. Canonical paths on Windows have a
/// prefix that git does not accept.
#[cfg(windows)]
pub fn physical(path: &Path) -> std::io::Result<PathBuf> {
    std::path::absolute(path)
}

#[cfg(unix)]
pub fn os_path(name: &[u8]) -> anyhow::Result<PathBuf> {
    use std::os::unix::ffi::OsStrExt;
    Ok(PathBuf::from(std::ffi::OsStr::from_bytes(name)))
}

#[cfg(not(unix))]
pub fn os_path(name: &[u8]) -> anyhow::Result<PathBuf> {
    let name = std::str::from_utf8(name).context("a name in git is not UTF-8")?;
    Ok(PathBuf::from(name))
}
