//! Finds reports outside of a reports tree, such as in the repository of an implementation.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

use memchr::memmem;

use super::{EntryIssue, LinkProblem, Submission, Tree, UnexpectedEntry, below, is_yaml};
use gwconform_base::files::{
    FileKind, Files, Folder, FolderEntry, MAX_FOLDERS, Unread, is_hidden, name_of,
};
use gwconform_base::text::file_type::FileType;
use gwconform_base::text::source::{MAX_FILE_BYTES, Source};
use gwconform_yaml as yaml;

const KIND: &[u8] = b"ConformanceReport";

/// True for the text of a report, even if a part of it is not YAML. Other files, such as workflows,
/// can also contain the name.
pub fn is_report(bytes: &[u8]) -> bool {
    let source = Source::new(String::new(), bytes.to_vec());
    if source.file_type() == Some(FileType::Utf16) {
        return is_report(source.text().replace('\0', "").as_bytes());
    }
    if memmem::find(bytes, KIND).is_none() {
        return false;
    }
    let has_kind = |line: &[u8]| {
        let before = memmem::find(line, KIND).map(|at| &line[..at]);
        before.is_some_and(|before| memmem::find(before, b"kind").is_some())
    };
    bytes.split(|byte| *byte == b'\n').any(has_kind) || {
        let yaml = yaml::load(&source.text()[..source.valid_len()]);
        let mut roots = yaml.documents.iter().filter_map(|one| one.root);
        roots.any(|root| {
            let mut entries = yaml.entries(root).iter();
            entries.any(|entry| {
                yaml.text(entry.value)
                    .is_some_and(|text| text == "ConformanceReport")
            })
        })
    }
}

/// True if a report is below `folder`.
pub(super) fn has_report(files: &Files, folder: &Path) -> bool {
    let Ok(folder) = files.folder(folder) else {
        return false;
    };
    let entries = candidates(&folder).into_iter();
    let mut files = entries.filter_map(|entry| entry.ok().filter(is_file));
    files.any(|entry| matches!(read(&folder, entry.path()), Ok(true)))
}

/// Each folder with reports becomes a submission, with the README next to the reports. Links and
/// files that are too large or cannot be read become entries.
pub(super) fn discover(files: &Files, root: &Path, base: &Path) -> io::Result<Tree> {
    let folder = files.folder(root)?;
    let mut submissions: BTreeMap<PathBuf, Submission> = BTreeMap::new();
    let mut unexpected = Vec::new();
    for entry in candidates(&folder) {
        let found = match entry {
            Ok(entry) if is_file(&entry) => {
                let path = entry.path().to_owned();
                read(&folder, &path)
                    .map(|is_report| is_report.then(|| path.clone()))
                    .map_err(|unread| (path, EntryIssue::Unreadable(unread)))
            }
            Ok(entry) => {
                let (target, problem) = (String::new(), LinkProblem::NotARelease);
                Err((
                    entry.path().to_owned(),
                    EntryIssue::Link { target, problem },
                ))
            }
            Err((path, error)) => Err((path, EntryIssue::Unreadable((&error).into()))),
        };
        let path = match found {
            Ok(Some(path)) => path,
            Ok(None) => continue,
            Err((path, kind)) => {
                unexpected.push(UnexpectedEntry { path, kind });
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

/// YAML and JSON files, and links with such names. Other repositories in the folder, such as
/// submodules, are left out.
fn candidates(folder: &Folder) -> Vec<Result<FolderEntry, (PathBuf, io::Error)>> {
    let mut entries = folder.walk(MAX_FOLDERS, |entry| !is_hidden(entry));
    let is_git = |path: &Path| path.file_name().is_some_and(|name| name == ".git");
    let repositories: BTreeSet<PathBuf> = (entries.iter().flatten())
        .filter(|entry| is_git(entry.path()))
        .filter_map(|entry| entry.path().parent().map(Path::to_owned))
        .filter(|path| path != folder.path())
        .collect();
    entries.retain(|entry| {
        let Ok(entry) = entry else { return true };
        let path = entry.path();
        let is_json = path
            .extension()
            .is_some_and(|extension| extension == "json");
        (is_yaml(path) || is_json)
            && [FileKind::File, FileKind::Link].contains(&entry.kind())
            && !path.ancestors().any(|above| repositories.contains(above))
    });
    entries
}

fn is_file(entry: &FolderEntry) -> bool {
    entry.kind() == FileKind::File
}

/// Whether the file is a report.
fn read(folder: &Folder, path: &Path) -> Result<bool, Unread> {
    let below = below(path, folder.path()).unwrap_or(path);
    let bytes = folder.read(below, MAX_FILE_BYTES)?;
    Ok(is_report(&bytes))
}
