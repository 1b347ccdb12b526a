//! Finds reports outside of a reports tree, such as in the repository of an implementation.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use memchr::memmem;

use super::{EntryIssue, Submission, Tree, UnexpectedEntry, below, is_yaml};
use gwconform_base::files::{
    FileKind, Files, Folder, FolderEntry, MAX_FOLDERS, ReadError, is_hidden, name_of,
};
use gwconform_base::text::source::MAX_FILE_BYTES;

const KIND: &[u8] = b"ConformanceReport";

/// True for the text of a report. Other files, such as workflows, can also contain the name.
pub fn has_kind(bytes: &[u8]) -> bool {
    bytes.split(|byte| *byte == b'\n').any(|line| {
        let before = memmem::find(line, KIND).map(|at| &line[..at]);
        before.is_some_and(|before| memmem::find(before, b"kind").is_some())
    })
}

/// True if a report is below `folder`.
pub(super) fn has_report(files: &Files, folder: &Path) -> bool {
    let Ok(folder) = files.folder(folder) else {
        return false;
    };
    let mut entries = walk(&folder).into_iter().flatten();
    entries.any(|entry| is_report(&folder, &entry))
}

/// Each folder with reports becomes a submission, with the README beside the reports.
pub(super) fn discover(files: &Files, root: &Path, base: &Path) -> io::Result<Tree> {
    let folder = files.folder(root)?;
    let mut submissions: BTreeMap<PathBuf, Submission> = BTreeMap::new();
    let mut unexpected = Vec::new();
    for entry in walk(&folder) {
        let path = match entry {
            Ok(entry) if is_report(&folder, &entry) => entry.path().to_owned(),
            Ok(_) => continue,
            Err((path, error)) => {
                unexpected.push(UnexpectedEntry {
                    path,
                    kind: EntryIssue::Unreadable((&error).into()),
                });
                continue;
            }
        };
        let around = path.parent().unwrap_or(root);
        let submission = submissions.entry(around.to_owned()).or_insert_with(|| {
            let readme = around.join("README.md");
            Submission {
                path: around.to_owned(),
                folder: Some(name_of(around)),
                readme: (files.kind_of(&readme).ok() == Some(FileKind::File)).then_some(readme),
                ..Submission::default()
            }
        });
        submission.reports.push(path);
    }
    Ok(Tree {
        root: root.to_owned(),
        base: base.to_owned(),
        is_whole: false,
        is_loose: true,
        aliases: BTreeMap::new(),
        releases: Vec::new(),
        submissions: submissions.into_values().collect(),
        unexpected,
        folder: Some(folder),
    })
}

fn walk(folder: &Folder) -> Vec<Result<FolderEntry, (PathBuf, io::Error)>> {
    folder.walk(MAX_FOLDERS, |entry| !is_hidden(entry))
}

/// A file that cannot be read may be a report.
fn is_report(folder: &Folder, entry: &FolderEntry) -> bool {
    let is_yaml_file = entry.kind() == FileKind::File && is_yaml(entry.path());
    let Some(below) = below(entry.path(), folder.path()).filter(|_| is_yaml_file) else {
        return false;
    };
    match folder.read(below, MAX_FILE_BYTES) {
        Ok(bytes) => has_kind(&bytes),
        Err(error) => !matches!(error, ReadError::TooLarge { .. }),
    }
}
