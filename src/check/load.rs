//! Opens the files of a submission. Only regular files, never through a link, never more of one
//! than [`MAX_FILE_BYTES`].

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use crate::source::{MAX_FILE_BYTES, Source};
use crate::tree::{Submission, name_of};

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

/// Reads all files of a submission: the README first, then the reports by name.
pub fn load_submission(submission: &Submission, display: &dyn Fn(&Path) -> String) -> Vec<Loaded> {
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
        load(readme, &|source| Loaded::Readme { source });
    }
    for report in &submission.reports {
        load(report, &|source| Loaded::Report {
            source,
            name: name_of(report),
        });
    }
    files
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    let metadata = fs::symlink_metadata(path).map_err(|error| error.kind().to_string())?;
    if !metadata.is_file() {
        return Err("it is not a regular file".to_owned());
    }
    let file = File::open(path).map_err(|error| error.kind().to_string())?;
    read_bounded(file)
}

/// Reads a stream up to [`MAX_FILE_BYTES`].
///
/// # Errors
/// What the system says, or that there is more; in words that follow "not read:".
pub fn read_bounded(stream: impl Read) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let read: io::Result<usize> = stream.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes);
    read.map_err(|error| error.kind().to_string())?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(format!(
            "it is larger than {} MiB",
            MAX_FILE_BYTES / (1024 * 1024)
        ));
    }
    Ok(bytes)
}
