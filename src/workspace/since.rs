//! A change under review: the earlier revision, and the files of it that decide how the change is
//! checked.

mod history;
pub(super) mod inputs;
mod stricter;

use std::path::Path;

use super::targets::Base;
use crate::check::{self, Placement, Settings, Skipped};
use crate::load::Loaded;
use crate::registry::Registry;
use crate::review::{BaseRevision, File, submission_of};
use crate::source::Source;
use crate::tree::{FolderRelease, Submission, is_yaml, name_of};
pub use history::{Changed, Depth, Entry, EntryKind, History, HistoryError, Point};
pub(super) use stricter::stricter;

/// Most earlier reports that a change is compared with, and most bytes of them: folders of a commit
/// can repeat one another, so that a few kilobytes are any number of files.
const MAX_EARLIER: usize = 2_000;
const MAX_EARLIER_BYTES: usize = 64 * 1024 * 1024;

/// A change: what differs between a tree and an earlier revision. Nothing is checked out or written.
#[derive(Clone, Copy)]
pub(super) struct Revision<'a> {
    /// The history to compare with.
    pub(super) history: &'a dyn History,
    /// The tree that is compared.
    pub(super) root: &'a Path,
}

impl Revision<'_> {
    /// The files that differ, with the facts of the reports that they were.
    pub(super) fn earlier(
        &self,
        base: &Base,
        registry: &Registry,
    ) -> Result<BaseRevision, HistoryError> {
        let Self { history, root } = *self;
        let mut earlier = BaseRevision {
            revision: history.name().to_owned(),
            commit: history.commit().to_owned(),
            committed: history.committed(root)?,
            files: Vec::new(),
            reports: Vec::new(),
            not_read: Vec::new(),
        };
        let (mut count, mut bytes_read) = (0, 0);
        for changed in history.changed() {
            let file = File {
                shown: base.display(&changed.path),
                was_there: changed.before.is_some(),
                is_there: changed.is_there,
                is_link: changed.is_link,
                path: changed.path.clone(),
            };
            let is_report = file.path.starts_with(root) && is_yaml(&file.path) && !file.is_link;
            if let Some(id) = changed.before.as_ref().filter(|_| is_report) {
                count += 1;
                if count > MAX_EARLIER || bytes_read > MAX_EARLIER_BYTES {
                    return Err(HistoryError(format!(
                        "--since: too many reports differ from {}; expected at most {MAX_EARLIER} with {} MiB in all; compare with a more recent revision, or split the change",
                        history.name(),
                        MAX_EARLIER_BYTES / (1024 * 1024)
                    )));
                }
                match self.read(id, &file.shown)? {
                    Ok(bytes) => {
                        bytes_read += bytes.len();
                        earlier.reports.extend(facts(&file, bytes, root, registry));
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

    /// The bytes of a file as it was; else why they are not read.
    fn read(&self, id: &str, shown: &str) -> Result<Result<Vec<u8>, String>, HistoryError> {
        let read = self.history.read(id);
        read.map_err(|HistoryError(error)| {
            HistoryError(format!("--since: {shown} as it was: {error}"))
        })
    }
}

/// The facts of the earlier report at the place of `file`.
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
    check::check_lone(
        &submission,
        Placement::Alone,
        vec![loaded],
        &settings,
        registry,
    )
    .reports
}
