//! Names and descriptions of implementations from `conformance/list/implementations/<any
//! folder>/details.yaml`, next to a reports tree. Organization and project must match the reports
//! exactly.

use std::io;
use std::path::{Path, PathBuf};

use crate::rules::check::Skipped;
use crate::text::source::{MAX_FILE_BYTES, Source};
use crate::tree::files::{self, FileKind, Files, Folder, ReadError};
use gwconform_yaml as yaml;
use gwconform_yaml::{Entry, Kind as NodeKind, NodeId, Yaml};

/// Content of a `details.yaml` file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Details {
    /// `organization`, exactly as in the reports.
    pub organization: String,
    /// `project`, exactly as in the reports.
    pub project: String,
    /// Display name (`fullName`).
    pub full_name: Option<String>,
    /// `description`, in Markdown.
    pub description: Option<String>,
    /// Printed path.
    pub path: String,
}

/// `kind` field of the files.
pub const KIND: &str = "ImplementationListDetails";

/// Path relative to the parent folder of the reports tree.
pub const FOLDER: &str = "list/implementations";

/// File name in each implementation's folder.
pub const FILE_NAME: &str = "details.yaml";

/// Reads the files next to a tree, without following links. Also returns unusable files with
/// reasons.
pub fn load(
    files: &Files,
    root: &Path,
    display: &dyn Fn(&Path) -> String,
) -> (Vec<Details>, Vec<Skipped>) {
    let list = root.parent().and_then(|above| {
        let above = files.folder(above).ok()?;
        above.folder(Path::new(FOLDER)).ok()
    });
    parse_all(list, display)
}

fn parse_all(
    list: Option<Folder>,
    display: &dyn Fn(&Path) -> String,
) -> (Vec<Details>, Vec<Skipped>) {
    let (mut all, mut unused) = (Vec::new(), Vec::new());
    let entries = (list.as_ref()).map_or_else(Vec::new, |list| list.entries().unwrap_or_default());
    let found = list.iter().flat_map(|list| details_files(list, &entries));
    for (path, bytes) in found {
        let shown = display(&path);
        let details = bytes
            .map_err(|reason| format!("not read: {reason}"))
            .and_then(|bytes| parse(&Source::new(shown.clone(), bytes)));
        match details {
            Ok(details) => all.push(details),
            Err(reason) => unused.push(Skipped {
                path: shown,
                reason,
            }),
        }
    }
    (all, unused)
}

/// Like [`load`], for a list folder.
pub fn load_folder(
    files: &Files,
    folder: &Path,
    display: &dyn Fn(&Path) -> String,
) -> io::Result<(Vec<Details>, Vec<Skipped>)> {
    let list = files.folder(folder)?;
    list.entries()?;
    Ok(parse_all(Some(list), display))
}

/// List folder next to a tree, if it exists.
pub fn folder(files: &Files, root: &Path) -> Option<PathBuf> {
    let is_folder = |path: &Path| matches!(files.kind_of(path), Ok(FileKind::Folder));
    let list = root.parent()?.join("list");
    let implementations = list.join("implementations");
    (is_folder(&list) && is_folder(&implementations)).then_some(implementations)
}

fn details_files(
    list: &Folder,
    entries: &[files::FolderEntry],
) -> impl Iterator<Item = (PathBuf, Result<Vec<u8>, ReadError>)> {
    let folders = entries.iter().filter_map(|entry| {
        let name = entry.path().file_name()?;
        list.folder(Path::new(name)).ok()
    });
    folders.filter_map(|folder| {
        let name = Path::new(FILE_NAME);
        let is_there = folder.kind_of(name.as_os_str()).is_ok();
        is_there.then(|| (folder.path().join(name), folder.read(name, MAX_FILE_BYTES)))
    })
}

pub(crate) fn parse(source: &Source) -> Result<Details, String> {
    let yaml = yaml::load(&source.text()[..source.valid_len()]);
    if yaml.read_to < source.text().len() {
        return Err("the YAML cannot be read completely".to_owned());
    }
    let roots = yaml.documents.iter().filter_map(|document| document.root);
    let root = roots.into_iter().next().ok_or("the file is empty")?;
    let text = |name| text(&yaml, root, name);
    if text("kind").as_deref() != Some(KIND) {
        return Err(format!("the kind is not {KIND}"));
    }
    let needed = |name: &'static str| text(name).ok_or_else(|| format!("{name} is missing"));
    Ok(Details {
        organization: needed("organization")?,
        project: needed("project")?,
        full_name: text("fullName"),
        description: text("description"),
        path: source.path().to_owned(),
    })
}

fn text(yaml: &Yaml<'_>, root: NodeId, name: &str) -> Option<String> {
    if !matches!(yaml.kind(root), NodeKind::Map(_)) {
        return None;
    }
    let mut entries = yaml.entries(root).iter().rev();
    let entry: &Entry = entries.find(|entry| yaml.text(entry.key) == Some(name))?;
    if matches!(yaml.kind(entry.value), NodeKind::Null | NodeKind::Alias) {
        return None;
    }
    let text = yaml.text(entry.value)?.trim();
    (!text.is_empty()).then(|| text.to_owned())
}
