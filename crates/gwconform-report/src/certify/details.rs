//! Names and descriptions of implementations from `conformance/list/implementations/<any
//! folder>/details.yaml`, next to a reports tree. Organization and project must match the reports
//! exactly.

use std::io;
use std::path::{Path, PathBuf};

use crate::rules::check::Skipped;
use gwconform_base::files::{FileKind, Files, Folder, ReadError};
use gwconform_base::text::source::{MAX_FILE_BYTES, Source};
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

/// Content of a list folder.
#[derive(Debug, Default)]
pub struct ReadDetails {
    /// Files that can be used, sorted by path.
    pub details: Vec<Details>,
    /// Files that cannot be used, with reasons.
    pub unused: Vec<Skipped>,
    /// Files and folders that could not be read, with the reason as a clause.
    pub unread: Vec<Skipped>,
}

/// Reads the files next to a tree, without following links.
pub fn load(files: &Files, root: &Path, display: &dyn Fn(&Path) -> String) -> ReadDetails {
    let mut read = ReadDetails::default();
    if let Some(above) = root.parent() {
        let list = files
            .folder(above)
            .and_then(|above| above.folder(Path::new(FOLDER)));
        read.add_folder(&above.join(FOLDER), list, display);
    }
    read
}

/// Like [`load`], for a list folder.
pub fn load_folder(
    files: &Files,
    folder: &Path,
    display: &dyn Fn(&Path) -> String,
) -> io::Result<ReadDetails> {
    let list = match files.folder(folder) {
        Err(error) if is_absent(&error) => return Err(error),
        list => list,
    };
    let mut read = ReadDetails::default();
    read.add_folder(folder, list, display);
    Ok(read)
}

impl ReadDetails {
    fn add_folder(
        &mut self,
        path: &Path,
        list: io::Result<Folder>,
        display: &dyn Fn(&Path) -> String,
    ) {
        let opened = list.and_then(|list| Ok((list.entries()?, list)));
        let (entries, list) = match opened {
            Ok(opened) => opened,
            Err(error) => return self.not_read(display(path), error.into()),
        };
        for entry in entries {
            let name = Path::new(entry.path().file_name().unwrap_or_default());
            let path = display(&entry.path().join(FILE_NAME));
            let folder = list.folder(name).map_err(ReadError::from);
            match folder.and_then(|folder| folder.read(Path::new(FILE_NAME), MAX_FILE_BYTES)) {
                Ok(bytes) => match parse(&Source::new(path.clone(), bytes)) {
                    Ok(details) => self.details.push(details),
                    Err(reason) => self.unused.push(Skipped { path, reason }),
                },
                Err(error) => self.not_read(path, error),
            }
        }
    }

    fn not_read(&mut self, path: String, error: ReadError) {
        let reason = error.to_string();
        match error {
            // The list also contains other files, and folders without the file.
            ReadError::System(error) if is_absent(&error) => {}
            ReadError::NotAFile(FileKind::Link | FileKind::Folder) => self.unused.push(Skipped {
                path,
                reason: format!("not read: {reason}"),
            }),
            _ => self.unread.push(Skipped { path, reason }),
        }
    }
}

fn is_absent(error: &io::Error) -> bool {
    use io::ErrorKind::{NotADirectory, NotFound};
    matches!(error.kind(), NotFound | NotADirectory)
}

/// List folder next to a tree, if it exists.
pub fn folder(files: &Files, root: &Path) -> Option<PathBuf> {
    let is_folder = |path: &Path| matches!(files.kind_of(path), Ok(FileKind::Folder));
    let list = root.parent()?.join("list");
    let implementations = list.join("implementations");
    (is_folder(&list) && is_folder(&implementations)).then_some(implementations)
}

/// Parses `details.yaml`.
///
/// # Errors
/// Reason why the file is not valid, as a clause.
pub fn parse(source: &Source) -> Result<Details, String> {
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
