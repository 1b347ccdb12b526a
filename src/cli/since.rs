//! `gwconform check --since`: what git knows of an earlier revision.

use std::path::Path;

use anyhow::{Context, Error, anyhow};

use super::Failure;
use super::git::{Blobs, Work};
use super::targets::{Base, Targets};
use crate::check::{self, Loaded, NotChecked, Settings};
use crate::registry::Registry;
use crate::review::{Earlier, File, submission_of};
use crate::source::Source;
use crate::tree::{FolderRelease, Parts, Submission, is_yaml, name_of};

/// The tree that is compared: all of one.
pub fn root(targets: &Targets) -> Result<&Path, Failure> {
    let is_one = targets.are_whole() && targets.trees.len() == 1;
    match targets.trees.first_key_value() {
        Some((root, Parts::Whole)) if is_one => Ok(root),
        _ => Err(Failure::Usage(anyhow!(
            "--since looks at one whole reports tree, as a verdict needs all of it: give its path alone, such as conformance/reports"
        ))),
    }
}

/// What differs between a tree and an earlier revision. Nothing is checked out or written.
pub fn earlier(
    revision: &str,
    root: &Path,
    base: &Base,
    registry: &Registry,
) -> Result<Earlier, Failure> {
    if revision.is_empty() || revision.starts_with('-') {
        return Err(Failure::Usage(anyhow!(
            "--since: `{revision}` is no revision, expected a branch, a tag or a commit, such as origin/main"
        )));
    }
    read(revision, root, base, registry).map_err(Failure::CouldNotRun)
}

fn read(revision: &str, root: &Path, base: &Base, registry: &Registry) -> Result<Earlier, Error> {
    let work = Work::of(root)?;
    let commit = work.merge_base(revision)?;
    let mut earlier = Earlier {
        revision: revision.to_owned(),
        files: Vec::new(),
        reports: Vec::new(),
        not_read: Vec::new(),
        commit,
    };
    let mut blobs = Blobs::start(work.repository())?;
    for changed in work.changed(&earlier.commit)? {
        let file = File {
            shown: base.display(&changed.path),
            was_there: changed.before.is_some(),
            is_there: changed.is_there,
            is_link: changed.is_link,
            path: changed.path,
        };
        let is_report = file.path.starts_with(root) && is_yaml(&file.path) && !file.is_link;
        if let Some(id) = changed.before.filter(|_| is_report) {
            let read = blobs.read(&id);
            match read.with_context(|| format!("--since: {} as it was", file.shown))? {
                Ok(bytes) => earlier.reports.extend(facts(&file, bytes, root, registry)),
                Err(reason) => earlier.not_read.push(NotChecked {
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
