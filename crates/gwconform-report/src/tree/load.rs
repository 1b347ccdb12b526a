//! Reads a submission, at most [`MAX_FILE_BYTES`] per file, through the folder that the walk
//! opened.

use std::path::{Path, PathBuf};

use crate::tree::readme::{self, Readme, Target};
use crate::tree::{LinkTarget, Submission, Tree, USUAL_PLACES};
use gwconform_base::files::name_of;
use gwconform_base::files::{Files, Folder, ReadError, Unread, read_regular};
use gwconform_base::text::source::{MAX_FILE_BYTES, Source, Span};

/// File or folder of a submission.
#[derive(Debug, Clone)]
pub enum Loaded {
    /// Folder of the submission.
    Folder {
        /// Display path of the folder.
        shown: String,
    },
    /// README.md with its structure.
    Readme {
        /// Text of the README.
        source: Source,
        /// Parsed structure.
        readme: Readme,
        /// Target of each link; empty outside a tree.
        link_targets: Vec<LinkTarget>,
    },
    /// Conformance report.
    Report {
        /// Text of the report.
        source: Source,
        /// File name without folders.
        name: String,
    },
    /// File that could not be read.
    Unreadable {
        /// Display path of the file.
        shown: String,
        /// Reason for not reading the file.
        unread: Unread,
    },
}

impl Loaded {
    /// Display path of the file or folder.
    pub fn path(&self) -> &str {
        match self {
            Self::Folder { shown } | Self::Unreadable { shown, .. } => shown,
            Self::Readme { source, .. } | Self::Report { source, .. } => source.path(),
        }
    }

    /// Parses a README outside a tree. Links are not resolved.
    pub fn readme(source: Source) -> Self {
        let readme = readme::parse(&source.text()[..source.valid_len()]);
        Self::Readme {
            source,
            readme,
            link_targets: Vec::new(),
        }
    }

    /// Parses a submission's README and resolves its links.
    pub fn readme_in(source: Source, tree: &Tree, folder: &Path) -> Self {
        let readme = readme::parse(&source.text()[..source.valid_len()]);
        let links = readme.links.iter();
        let link_targets = links.map(|link| link_target(tree, folder, &link.classify()));
        Self::Readme {
            link_targets: link_targets.collect(),
            source,
            readme,
        }
    }

    /// True if the links have the same targets in another state of the tree.
    pub(crate) fn leads_as_in(&self, tree: &Tree, folder: &Path) -> bool {
        let Self::Readme {
            readme,
            link_targets,
            ..
        } = self
        else {
            return true;
        };
        let targets = readme
            .links
            .iter()
            .map(|link| link_target(tree, folder, &link.classify()));
        targets.eq(link_targets.iter().cloned())
    }
}

/// Resolves a target. A target such as `/docs` is relative to the repository, which contains the
/// tree in one of the usual places.
fn link_target(tree: &Tree, folder: &Path, target: &Target) -> LinkTarget {
    match target {
        Target::Relative { path, up } => tree.link_target(folder, *up, path),
        Target::Rooted(path) => {
            let place = USUAL_PLACES.iter().find(|place| tree.root.ends_with(place));
            let Target::Relative { path, up: 0 } =
                Target::new(path.trim_start_matches(['/', '\\']))
            else {
                return LinkTarget::OutOfTree;
            };
            let below = place.and_then(|place| path.strip_prefix(place)?.strip_prefix('/'));
            below.map_or(LinkTarget::OutOfTree, |below| {
                tree.lead_below_root(folder, Path::new(below))
            })
        }
        _ => LinkTarget::Elsewhere,
    }
}

/// Loads the README, then the reports in name order.
pub fn load_submission(
    submission: &Submission,
    tree: Option<&Tree>,
    display: &dyn Fn(&Path) -> String,
) -> Vec<Loaded> {
    let folder = tree.and_then(|tree| {
        let below = submission.path.strip_prefix(&tree.root).ok()?;
        tree.folder.as_ref()?.folder(below).ok()
    });
    let read = |path: &Path| {
        let own = folder.as_ref().and_then(|folder| {
            let below = path.strip_prefix(folder.path()).ok()?;
            Some(folder.read(below, MAX_FILE_BYTES))
        });
        match (own, tree) {
            (Some(read), _) => read,
            (None, Some(tree)) => read_in(tree, path),
            (None, None) => read_regular(path, MAX_FILE_BYTES),
        }
    };
    load_with(submission, tree, &read, display)
}

/// Reads a file outside any tree.
pub fn load_lone(
    submission: &Submission,
    files: &Files,
    display: &dyn Fn(&Path) -> String,
) -> Vec<Loaded> {
    let read = |path: &Path| files.read(path, MAX_FILE_BYTES);
    load_with(submission, None, &read, display)
}

fn load_with(
    submission: &Submission,
    tree: Option<&Tree>,
    read: &dyn Fn(&Path) -> Result<Vec<u8>, ReadError>,
    display: &dyn Fn(&Path) -> String,
) -> Vec<Loaded> {
    let mut files = Vec::new();
    if submission.folder.is_some() {
        files.push(Loaded::Folder {
            shown: display(&submission.path),
        });
    }
    let mut load = |path: &Path, wrap: &dyn Fn(Source) -> Loaded| {
        let shown = display(path);
        files.push(match read(path) {
            Ok(bytes) => wrap(Source::new(shown, bytes)),
            Err(error) => Loaded::Unreadable {
                shown,
                unread: error.into(),
            },
        });
    };
    if let Some(readme) = &submission.readme {
        load(readme, &|source| match tree {
            Some(tree) => Loaded::readme_in(source, tree, &submission.path),
            None => Loaded::readme(source),
        });
    }
    for report in &submission.reports {
        load(report, &|source| Loaded::Report {
            source,
            name: name_of(report),
        });
    }
    files
}

/// Reads a file in a tree.
pub fn read_in(tree: &Tree, path: &Path) -> Result<Vec<u8>, ReadError> {
    match (&tree.folder, path.strip_prefix(&tree.root)) {
        (Some(folder), Ok(below)) => folder.read(below, MAX_FILE_BYTES),
        _ => read_regular(path, MAX_FILE_BYTES),
    }
}

/// Reads sections of READMEs that the check found.
#[derive(Debug)]
pub struct Sections {
    tree: Folder,
    root: PathBuf,
}

impl Sections {
    /// `root` is the path of the tree, as in the facts of its reports.
    pub fn new(tree: Folder, root: PathBuf) -> Self {
        Self { tree, root }
    }

    /// Section of the README of a submission, as Markdown. Reads the README, so call it once for each
    /// submission, which can have many reports.
    pub fn read(&self, submission: &Path, section: Span) -> Option<String> {
        let below = submission.strip_prefix(&self.root).ok()?;
        load_section(&self.tree, below, section)
    }
}

/// `submission` is relative to the tree.
fn load_section(tree: &Folder, submission: &Path, section: Span) -> Option<String> {
    let folder = tree.folder(submission).ok()?;
    let bytes = folder.read(Path::new("README.md"), MAX_FILE_BYTES).ok()?;
    let source = Source::new(String::new(), bytes);
    Some(source.text().get(section.range())?.trim().to_owned())
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::path::Path;

    use super::{Loaded, load_section, load_submission};
    use crate::tree::{EntryIssue, Parts, discover};
    use gwconform_base::files::Folder;
    use gwconform_base::text::source::Span;

    const FOLDER: &str = "reports/v1.5/acme";

    fn two_trees() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for place in [FOLDER, "other/v1.5/acme"] {
            let submission = folder.path().join(place);
            fs::create_dir_all(submission.join("deeper")).unwrap();
            let text = format!("# {place}\n");
            fs::write(submission.join("README.md"), &text).unwrap();
            fs::write(submission.join("a.yaml"), &text).unwrap();
            fs::write(submission.join("deeper/b.yaml"), &text).unwrap();
        }
        folder
    }

    fn replace(base: &Path, of: &str) {
        fs::rename(base.join("reports").join(of), base.join("away")).unwrap();
        symlink(base.join("other").join(of), base.join("reports").join(of)).unwrap();
    }

    #[test]
    fn a_folder_that_became_a_link_is_not_followed() {
        for (of, reads) in [
            // The open handle still refers to the original folder.
            ("", [true, true, true]),
            ("v1.5", [false, false, false]),
            ("v1.5/acme", [false, false, false]),
            ("v1.5/acme/deeper", [true, true, false]),
            ("v1.5/acme/README.md", [false, true, true]),
        ] {
            let folder = two_trees();
            let root = folder.path().join("reports");
            let tree = discover(&root, folder.path(), &Parts::Whole).unwrap();
            let held = Folder::open(&root).unwrap();
            if of.is_empty() {
                fs::rename(&root, folder.path().join("away")).unwrap();
                symlink(folder.path().join("other"), &root).unwrap();
            } else {
                replace(folder.path(), of);
            }
            let loaded = load_submission(&tree.submissions[0], Some(&tree), &|path| {
                path.display().to_string()
            });
            let files = loaded.iter().filter_map(|file| match file {
                Loaded::Folder { .. } => None,
                Loaded::Readme { source, .. } | Loaded::Report { source, .. } => {
                    assert!(source.text().starts_with("# reports/"), "{of}");
                    Some(true)
                }
                Loaded::Unreadable { .. } => Some(false),
            });
            assert_eq!(files.collect::<Vec<_>>(), reads, "{of}");
            let title = load_section(
                &held,
                Path::new("v1.5/acme"),
                Span::new(2, 2 + FOLDER.len()),
            );
            assert_eq!(title, reads[0].then(|| FOLDER.to_owned()), "{of}");
        }
    }

    #[test]
    fn a_link_in_the_place_of_a_folder_is_not_listed() {
        let folder = two_trees();
        let root = folder.path().join("reports");
        let held = Folder::open(&root).unwrap();
        replace(folder.path(), "v1.5/acme");
        assert!(held.folder(Path::new("v1.5/acme")).is_err());
        assert!(held.folder(Path::new("../other")).is_err());
        let tree = discover(&root, folder.path(), &Parts::Whole).unwrap();
        assert!(tree.submissions.is_empty());
        assert!(matches!(tree.unexpected[0].kind, EntryIssue::Link { .. }));
    }
}
