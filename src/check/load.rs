//! Opens the files of a submission. Only regular files, never through a link, never more of one
//! than [`MAX_FILE_BYTES`].

use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::Path;

use crate::readme::{self, Readme, Target};
use crate::source::{MAX_FILE_BYTES, Source};
use crate::tree::{Lead, Submission, Tree, USUAL_PLACES, is_readme, name_of};

/// A file of a submission, read.
#[derive(Debug)]
pub enum Loaded {
    /// The submission's folder itself.
    Folder {
        /// Its path as it is printed.
        shown: String,
    },
    /// README.md.
    Readme {
        /// Its text.
        source: Source,
        /// Its headings, tables and links.
        readme: Readme,
        /// Where each of its links leads; empty when it stands in no tree.
        leads: Vec<Lead>,
    },
    /// A report.
    Report {
        /// Its text.
        source: Source,
        /// The name of its file.
        name: String,
    },
    /// A file that could not be read.
    Unreadable {
        /// Its path as it is printed.
        shown: String,
        /// Why.
        reason: String,
    },
}

impl Loaded {
    /// The path as it is printed.
    pub fn path(&self) -> &str {
        match self {
            Self::Folder { shown } | Self::Unreadable { shown, .. } => shown,
            Self::Readme { source, .. } | Self::Report { source, .. } => source.path(),
        }
    }

    /// A README whose place is not known, so that its links lead nowhere that could be looked at.
    pub fn readme(source: Source) -> Self {
        let readme = readme::parse(&source.text()[..source.valid_len()]);
        Self::Readme {
            source,
            readme,
            leads: Vec::new(),
        }
    }

    /// A README, with a look at what its links lead to in the tree.
    fn readme_in(source: Source, tree: &Tree, folder: &Path) -> Self {
        let readme = readme::parse(&source.text()[..source.valid_len()]);
        let links = readme.links.iter();
        let leads = links.map(|link| lead(tree, folder, &link.classify()));
        Self::Readme {
            leads: leads.collect(),
            source,
            readme,
        }
    }
}

/// Where a link of the README in `folder` leads. A rooted path (`/docs`) begins at the top of the
/// repository, in which the tree stands in one of the usual places.
fn lead(tree: &Tree, folder: &Path, target: &Target) -> Lead {
    match target {
        Target::Relative { path, up } => tree.lead(folder, *up, path),
        Target::Rooted(path) => {
            let mut places = USUAL_PLACES.iter();
            let place = places.find(|place| tree.root.ends_with(place));
            let Target::Relative { path, up: 0 } = Target::of(path.trim_start_matches(['/', '\\']))
            else {
                return Lead::OutOfTree;
            };
            let below = place.and_then(|place| path.strip_prefix(place)?.strip_prefix('/'));
            below.map_or(Lead::OutOfTree, |below| {
                tree.lead_below_root(folder, Path::new(below))
            })
        }
        _ => Lead::Elsewhere,
    }
}

/// Reads all files of a submission: the README first, then the reports by name. `tree` is the tree
/// it stands in, if it stands in one.
pub fn load_submission(
    submission: &Submission,
    tree: Option<&Tree>,
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
            Err(reason) => Loaded::Unreadable { shown, reason },
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

/// The Markdown of the section that tells how to reproduce the reports of a submission, by its
/// folder; `None` when there is no README, or no such section in it.
pub fn load_reproduce(folder: &Path) -> Option<String> {
    let entries = fs::read_dir(folder).ok()?.filter_map(Result::ok);
    let names = entries.map(|entry| entry.path());
    let path = names.filter(|path| is_readme(&name_of(path))).min()?;
    let source = Source::new(String::new(), read(&path).ok()?);
    let text = &source.text()[..source.valid_len()];
    let readme = readme::parse(text);
    let section = readme.sections.get(readme.find_reproduce()?)?;
    let body = text.get(section.body.range())?.trim();
    (!section.content_is_empty).then(|| body.to_owned())
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    let named = fs::symlink_metadata(path).map_err(|error| error.kind().to_string())?;
    if !named.is_file() {
        return Err("it is not a regular file".to_owned());
    }
    let file = File::open(path).map_err(|error| error.kind().to_string())?;
    let metadata = file.metadata().map_err(|error| error.kind().to_string())?;
    // A link or a pipe may have taken its place after the first look.
    if !metadata.is_file() || !is_same_file(&named, &metadata) {
        return Err("it was replaced while it was read".to_owned());
    }
    // One byte more tells at once that the file ends there.
    let room = metadata.len().min(MAX_FILE_BYTES) + 1;
    fill(Vec::with_capacity(room as usize), file, MAX_FILE_BYTES)
}

#[cfg(unix)]
fn is_same_file(a: &Metadata, b: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (a.dev(), a.ino()) == (b.dev(), b.ino())
}

/// Other systems give files no number that the standard library knows.
#[cfg(not(unix))]
fn is_same_file(_: &Metadata, _: &Metadata) -> bool {
    true
}

/// Reads a stream up to [`MAX_FILE_BYTES`].
///
/// # Errors
/// What the system says, or that there is more; in words that follow "not read:".
pub fn read_bounded(stream: impl Read) -> Result<Vec<u8>, String> {
    read_up_to(stream, MAX_FILE_BYTES)
}

/// Reads a stream up to a number of bytes.
///
/// # Errors
/// See [`read_bounded`].
pub fn read_up_to(stream: impl Read, most: u64) -> Result<Vec<u8>, String> {
    fill(Vec::new(), stream, most)
}

fn fill(mut bytes: Vec<u8>, stream: impl Read, most: u64) -> Result<Vec<u8>, String> {
    let read: io::Result<usize> = stream.take(most + 1).read_to_end(&mut bytes);
    read.map_err(|error| error.kind().to_string())?;
    if bytes.len() as u64 > most {
        return Err(format!("it is larger than {} MiB", most / (1024 * 1024)));
    }
    Ok(bytes)
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;

    use super::{is_same_file, read};

    #[test]
    fn a_link_is_not_read_and_another_file_is_told_apart() {
        let folder = tempfile::tempdir().unwrap();
        let [a, b, link] = ["a", "b", "link"].map(|name| folder.path().join(name));
        fs::write(&a, "text").unwrap();
        fs::write(&b, "text").unwrap();
        std::os::unix::fs::symlink(&a, &link).unwrap();
        assert_eq!(read(&a), Ok(b"text".to_vec()));
        assert_eq!(read(&link), Err("it is not a regular file".to_owned()));
        let [at_a, at_b, at_link] = [&a, &b, &link].map(|path| fs::symlink_metadata(path).unwrap());
        assert!(is_same_file(&at_a, &fs::metadata(&link).unwrap()));
        assert!(!is_same_file(&at_a, &at_b) && !is_same_file(&at_a, &at_link));
    }
}
