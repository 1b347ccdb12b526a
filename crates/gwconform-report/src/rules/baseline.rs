//! A file of accepted findings that are not reported again.
//!
//! Rule, path and [`Subject`](gwconform_base::text::diagnostic::Subject) identify a finding; line and
//! message are ignored. The file is sorted JSON with one entry per line for readable diffs.

mod read;

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::report::facts::Digest;
use gwconform_base::text::diagnostic::{Diagnostic, Place};
use gwconform_base::text::source::display_path;

pub use read::{is_older, parse};

/// Format version that this release reads and writes.
pub const VERSION: u32 = 2;

/// Findings that `gwconform check` accepts and does not report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "Baseline of gwconform check")]
pub struct Baseline {
    /// Format version, always 2.
    #[schemars(extend("const" = 2))]
    pub version: u32,
    /// Accepted findings, sorted by path, rule and subject.
    pub accepted: Vec<AcceptedEntry>,
}

/// Accepted finding, identified by path, rule and subject.
#[derive(
    Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(deny_unknown_fields)]
pub struct AcceptedEntry {
    /// File or folder, relative to the folder of this file, with `/` as the separator.
    #[schemars(length(min = 1))]
    pub path: String,
    /// Rule id, such as `report/date`.
    pub rule: String,
    /// Location of the finding as field names, with the value. Empty for the whole file or folder.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub subject: String,
    /// Number of identical findings. 1 if omitted.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    #[schemars(range(min = 1))]
    pub count: usize,
}

fn one() -> usize {
    1
}

fn is_one(count: &usize) -> bool {
    *count == 1
}

/// Rule, path and subject, which identify a finding.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    path: String,
    rule: String,
    subject: String,
}

impl Key {
    /// Hexadecimal digest, stable across runs. `nth` starts at 1 and distinguishes equal keys.
    pub fn digest(&self, nth: usize) -> String {
        let parts = [
            self.rule.as_str(),
            &self.path,
            &self.subject,
            &nth.to_string(),
        ];
        let digest = Digest::new(parts.join("\0").as_bytes());
        digest.0[..16]
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect()
    }
}

/// Key of a finding. The path is the printed path.
pub fn key(finding: &Diagnostic) -> Key {
    Key {
        path: finding.place.path.to_string(),
        rule: finding.rule.to_owned(),
        subject: finding.subject.as_str().to_owned(),
    }
}

/// A loaded baseline that tracks which entries were used.
#[derive(Debug, Clone)]
pub struct Accepted {
    /// Entries with their places and the number of findings that each entry can still accept.
    entries: Vec<(AcceptedEntry, Place, usize)>,
    by_key: BTreeMap<Key, Vec<usize>>,
    places: Places,
}

/// Converts printed paths to paths relative to the baseline.
#[derive(Debug, Clone)]
pub struct Places {
    /// Working directory, prepended to relative printed paths.
    base: String,
    /// Folder of the baseline, removed from absolute paths.
    folder: String,
}

impl Places {
    /// `base` is the working directory and `folder` contains the baseline. Both are absolute.
    pub fn new(base: &Path, folder: &Path) -> Self {
        let root = Path::new("/");
        let with_slash = |path: &Path| match display_path(path, root).as_str() {
            "." => String::new(),
            path => format!("{path}/"),
        };
        Self {
            base: with_slash(base),
            folder: with_slash(folder),
        }
    }

    /// Path relative to the baseline's folder, which can start with `..`.
    fn path_of(&self, printed: &str) -> String {
        let absolute = match printed.strip_prefix('/') {
            Some(absolute) => absolute.to_owned(),
            None if printed == "." => self.base.trim_end_matches('/').to_owned(),
            None => format!("{}{printed}", self.base),
        };
        let mut up = String::new();
        let mut folder = self.folder.as_str();
        loop {
            if let Some(below) = absolute.strip_prefix(folder) {
                return format!("{up}{below}");
            }
            if absolute == folder.trim_end_matches('/') {
                return format!("{up}.");
            }
            let parent = folder.trim_end_matches('/').rfind('/');
            folder = parent.map_or("", |at| &folder[..=at]);
            up.push_str("../");
        }
    }
}

/// Creates a baseline that accepts all findings.
pub fn of<'d>(findings: impl IntoIterator<Item = &'d Diagnostic>, places: &Places) -> Baseline {
    let mut counts: BTreeMap<Key, usize> = BTreeMap::new();
    for finding in findings {
        let key = key(finding);
        let path = places.path_of(&key.path);
        *counts.entry(Key { path, ..key }).or_insert(0) += finding.count();
    }
    let entries = counts.into_iter().map(|(key, count)| AcceptedEntry {
        path: key.path,
        rule: key.rule,
        subject: key.subject,
        count,
    });
    Baseline {
        version: VERSION,
        accepted: entries.collect(),
    }
}

impl Baseline {
    /// Serializes one entry per line.
    ///
    /// # Errors
    /// Never in practice.
    pub fn to_json(&self) -> serde_json::Result<String> {
        let mut text = format!("{{\n  \"version\": {},\n  \"accepted\": [", self.version);
        for (nth, entry) in self.accepted.iter().enumerate() {
            text.push_str(if nth == 0 { "\n    " } else { ",\n    " });
            text.push_str(&gwconform_base::text::json::to_string(entry)?);
        }
        text.push_str(if self.accepted.is_empty() {
            "]\n}\n"
        } else {
            "\n  ]\n}\n"
        });
        Ok(text)
    }
}

impl Accepted {
    /// Removes the accepted findings and returns their number.
    pub fn apply(&mut self, findings: &mut Vec<Diagnostic>) -> usize {
        let mut accepted = 0;
        findings.retain_mut(|finding| {
            let count = self.accepts(key(finding), finding.count());
            accepted += count;
            !finding.take(count)
        });
        accepted
    }

    /// Accepts up to `count` findings, and returns their number.
    fn accepts(&mut self, key: Key, count: usize) -> usize {
        let path = self.places.path_of(&key.path);
        let entries = self.by_key.get(&Key { path, ..key });
        let mut rest = count;
        for &at in entries.into_iter().flatten() {
            let accepted = rest.min(self.entries[at].2);
            self.entries[at].2 -= accepted;
            rest -= accepted;
        }
        count - rest
    }

    /// Entries that matched too few findings, with their places and the number of missing matches.
    pub fn unused(&self) -> impl Iterator<Item = (&Place, &AcceptedEntry, usize)> {
        let entries = self.entries.iter();
        let unused = entries.filter(|(_, _, remainder)| *remainder > 0);
        unused.map(|(entry, place, remainder)| (place, entry, *remainder))
    }

    /// Printed path in the form used in entries.
    pub fn path_of(&self, printed: &str) -> String {
        self.places.path_of(printed)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::Places;

    #[test]
    fn paths_are_written_from_the_folder_of_the_file() {
        let places = Places::new(Path::new("/a/b"), Path::new("/a/c"));
        assert_eq!(places.path_of("x.yaml"), "../b/x.yaml");
        assert_eq!(places.path_of("/a/c/x"), "x");
        let same = Places::new(Path::new("/a/b"), Path::new("/a/b"));
        assert_eq!(same.path_of("reports/x"), "reports/x");
        assert_eq!(same.path_of("."), ".");
        let root = Places::new(Path::new("/"), Path::new("/"));
        assert_eq!(root.path_of("x"), "x");
    }
}
