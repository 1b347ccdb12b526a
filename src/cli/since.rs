//! `gwconform check --since`: what git knows of an earlier revision.

pub mod inputs;
mod stricter;

use std::path::Path;

use anyhow::{Context, Error, anyhow, bail};

use super::Failure;
use super::git::{Blobs, Changed, Work};
use super::targets::{Base, Targets};
use crate::check::{self, Settings, Skipped};
use crate::load::Loaded;
use crate::registry::Registry;
use crate::review::{BaseRevision, File, submission_of};
use crate::source::Source;
use crate::tree::{FolderRelease, Parts, Submission, is_yaml, name_of};
pub use stricter::stricter;

/// Most earlier reports that a change is compared with, and most bytes of them: folders of a commit
/// can repeat one another, so that a few kilobytes are any number of files.
const MAX_EARLIER: usize = 2_000;
const MAX_EARLIER_BYTES: usize = 64 * 1024 * 1024;

/// The tree that is compared: all of one.
fn root(targets: &Targets) -> Result<&Path, Failure> {
    let is_one = targets.are_whole() && targets.trees.len() == 1;
    match targets.trees.first_key_value() {
        Some((root, Parts::Whole)) if is_one => Ok(root),
        _ => Err(Failure::Usage(anyhow!(
            "--since looks at one whole reports tree, as a verdict needs all of it: give its path alone, such as conformance/reports"
        ))),
    }
}

/// A change: what differs between a tree and an earlier revision. Nothing is checked out or written.
pub struct Revision<'a> {
    /// The revision, as it was named.
    pub name: &'a str,
    /// The tree that is compared.
    pub root: &'a Path,
    work: Work,
    /// The commit that it names.
    tip: String,
    /// The commit that is compared with.
    commit: String,
    changed: Vec<Changed>,
}

impl<'a> Revision<'a> {
    /// Asks git what differs.
    pub fn open(name: &'a str, targets: &'a Targets) -> Result<Self, Failure> {
        let root = root(targets)?;
        if name.is_empty() || name.starts_with('-') {
            return Err(Failure::Usage(anyhow!(
                "--since: `{name}` is no revision, expected a branch, a tag or a commit, such as origin/main"
            )));
        }
        let open = || {
            let work = Work::of(root)?;
            let (tip, commit) = work.merge_base(name)?;
            Ok(Self {
                changed: work.changed(&commit)?,
                name,
                root,
                work,
                tip,
                commit,
            })
        };
        open().map_err(Failure::CouldNotRun)
    }

    /// The files that differ, with the facts of the reports that they were.
    pub fn earlier(&self, base: &Base, registry: &Registry) -> Result<BaseRevision, Failure> {
        self.read(base, registry).map_err(Failure::CouldNotRun)
    }

    fn read(&self, base: &Base, registry: &Registry) -> Result<BaseRevision, Error> {
        let mut earlier = BaseRevision {
            revision: self.name.to_owned(),
            commit: self.commit.clone(),
            files: Vec::new(),
            reports: Vec::new(),
            not_read: Vec::new(),
        };
        let mut blobs = Blobs::start(self.work.repository())?;
        let (mut count, mut bytes_read) = (0, 0);
        for changed in &self.changed {
            let file = File {
                shown: base.display(&changed.path),
                was_there: changed.before.is_some(),
                is_there: changed.is_there,
                is_link: changed.is_link,
                path: changed.path.clone(),
            };
            let is_report = file.path.starts_with(self.root) && is_yaml(&file.path);
            let is_report = is_report && !file.is_link;
            if let Some(id) = changed.before.as_ref().filter(|_| is_report) {
                count += 1;
                if count > MAX_EARLIER || bytes_read > MAX_EARLIER_BYTES {
                    bail!(
                        "--since: too many reports differ from {}, expected at most {MAX_EARLIER} with {} MiB in all; compare with a nearer revision, or make several changes of this one",
                        self.name,
                        MAX_EARLIER_BYTES / (1024 * 1024)
                    );
                }
                let read = blobs.read(id);
                match read.with_context(|| format!("--since: {} as it was", file.shown))? {
                    Ok(bytes) => {
                        bytes_read += bytes.len();
                        earlier
                            .reports
                            .extend(facts(&file, bytes, self.root, registry));
                    }
                    Err(reason) => earlier.not_read.push(Skipped {
                        path: file.shown.clone(),
                        reason: format!("its earlier version: {reason}"),
                    }),
                }
            }
            earlier.files.push(file);
        }
        earlier
            .reports
            .sort_by(|a, b| (&a.path, a.document).cmp(&(&b.path, b.document)));
        Ok(earlier)
    }
}

/// The facts of a report that stood where `file` stands or stood.
fn facts(
    file: &File,
    bytes: Vec<u8>,
    root: &Path,
    registry: &Registry,
) -> Vec<crate::facts::ReportFacts> {
    let below = file.path.strip_prefix(root).ok();
    let names: Vec<_> = below.into_iter().flat_map(Path::components).collect();
    let release = match names.as_slice() {
        [release, _, ..] => release.as_os_str().to_str().and_then(FolderRelease::parse),
        _ => None,
    };
    let folder = submission_of(file, root);
    let submission = Submission {
        folder: folder.as_deref().map(name_of),
        path: folder.unwrap_or_else(|| file.path.clone()),
        release,
        ..Submission::default()
    };
    let loaded = Loaded::Report {
        source: Source::new(file.shown.clone(), bytes),
        name: name_of(&file.path),
    };
    let settings = Settings::default();
    check::check_lone(&submission, false, vec![loaded], &settings, registry).reports
}
