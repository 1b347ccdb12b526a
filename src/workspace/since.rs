//! Reads the earlier revision, including files that affect how the change is checked.

mod affected;
mod history;
pub(super) mod earlier_inputs;
mod stricter;
mod untouched;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::targets::Base;
use gwconform_base::files::{EarlierFiles, Previous, name_of};
use gwconform_report::report::facts::ReportFacts;
use gwconform_report::review::{BaseRevision, File, submission_of};
use gwconform_report::rules::check::Skipped;
use gwconform_report::rules::configuration::ConfigFile;
use gwconform_report::tree::{is_readme, is_yaml};
pub use history::{Changed, Depth, EntryKind, History, HistoryError, Point, TreeEntry};
pub(super) use stricter::stricter;
pub use untouched::{TouchedReport, need_checked_out, touched_report};

/// Limits for hostile commits. A small commit can describe any number of files by repeating
/// folders.
const MAX_EARLIER: usize = 10_000;
const MAX_EARLIER_BYTES: usize = 64 * 1024 * 1024;

#[derive(Clone, Copy)]
pub(super) struct Revision<'a> {
    pub(super) history: &'a dyn History,
    pub(super) root: &'a Path,
    pub(super) is_loose: bool,
}

pub(super) struct EarlierTree {
    pub(super) revision: BaseRevision,
    pub(super) base: Base,
}

impl Revision<'_> {
    pub(super) fn config_alone<'c>(
        &self,
        config: Option<&'c ConfigFile>,
        base: &Base,
    ) -> Option<&'c str> {
        let path = config?.source.path();
        let changed = self.history.changed();
        let is_alone = changed.iter().all(|file| base.display(&file.path) == path);
        (is_alone && !changed.is_empty()).then_some(path)
    }

    pub(super) fn earlier(&self, base: &Base) -> Result<EarlierTree, HistoryError> {
        let Self {
            history,
            root,
            is_loose,
        } = *self;
        let is_read = |path: &Path| {
            let can_be_read = || is_yaml(path) || is_readme(&name_of(path));
            path.starts_with(root) && (!is_loose || can_be_read())
        };
        let mut earlier = BaseRevision {
            revision: history.name().to_owned(),
            commit: history.commit().to_owned(),
            committed: history.committed(root)?,
            files: Vec::new(),
            reports: Vec::new(),
            not_read: Vec::new(),
        };
        let mut changed_files = BTreeMap::new();
        let (mut count, mut bytes_read) = (0, 0);
        for changed in history.changed() {
            let is_listed = changed.is_there && is_read(&changed.path);
            if is_listed && base.files().kind_of(&changed.path).is_err() {
                return Err(not_checked_out(&base.display(&changed.path)));
            }
            let file = File {
                shown: base.display(&changed.path),
                was_there: changed.before.is_some(),
                is_there: changed.is_there,
                is_link: changed.is_link,
                submission: if is_loose {
                    let folder = changed.path.parent().filter(|_| is_read(&changed.path));
                    folder.map(Path::to_owned)
                } else {
                    submission_of(&changed.path, root)
                },
                path: changed.path.clone(),
            };
            let previous = match &changed.before {
                None => Previous::Absent,
                // For other files, only the names are required, to resolve README links.
                Some(_) if !is_read(&file.path) => Previous::File(Vec::new()),
                Some(id) => {
                    count += 1;
                    if count > MAX_EARLIER || bytes_read > MAX_EARLIER_BYTES {
                        return Err(HistoryError(format!(
                            "--since: too many files of the tree differ from {}; expected at most {MAX_EARLIER} with {} MiB in all; compare with a more recent revision, or split the change",
                            history.name(),
                            MAX_EARLIER_BYTES / (1024 * 1024)
                        )));
                    }
                    let read = self.read(id, &file.shown)?;
                    let bytes = read.unwrap_or_else(|reason| {
                        if is_yaml(&file.path) {
                            earlier.not_read.push(Skipped {
                                path: file.shown.clone(),
                                reason: format!("its earlier version: {reason}"),
                            });
                        }
                        Vec::new()
                    });
                    bytes_read += bytes.len();
                    if changed.was_link {
                        Previous::Link(link_target(bytes))
                    } else {
                        Previous::File(bytes)
                    }
                }
            };
            changed_files.insert(file.path.clone(), previous);
            earlier.files.push(file);
        }
        let files = EarlierFiles::new(base.files().clone(), root, changed_files);
        Ok(EarlierTree {
            revision: earlier,
            base: base.with_files(files),
        })
    }

    fn read(&self, id: &str, shown: &str) -> Result<Result<Vec<u8>, String>, HistoryError> {
        let read = self.history.read(id);
        read.map_err(|HistoryError(error)| {
            HistoryError(format!("--since: {shown} as it was: {error}"))
        })
    }
}

fn link_target(bytes: Vec<u8>) -> PathBuf {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStringExt;
        std::ffi::OsString::from_vec(bytes).into()
    }
    #[cfg(not(unix))]
    String::from_utf8_lossy(&bytes).into_owned().into()
}

impl EarlierTree {
    pub(super) fn with_reports(mut self, reports: Vec<ReportFacts>) -> BaseRevision {
        let changed = self.revision.shown(|file| !file.is_link);
        let mut reports = reports;
        reports.retain(|facts| changed.contains(facts.path.as_str()));
        reports.sort_by(|a, b| (&a.path, a.document).cmp(&(&b.path, b.document)));
        self.revision.reports = reports;
        self.revision
    }
}

/// Error for a file that a sparse checkout leaves out.
fn not_checked_out(shown: &str) -> HistoryError {
    HistoryError(format!(
        "{shown} is committed but not checked out; expected a full checkout of the reports tree"
    ))
}
