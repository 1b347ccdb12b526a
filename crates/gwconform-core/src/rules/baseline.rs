//! Findings that were accepted once: a file that lists them, so that only new ones count.
//!
//! A finding is identified by its rule, its file and its [`Subject`](crate::text::diagnostic::Subject);
//! neither its line nor the wording of its message matters. Several with one identity are counted.
//! The file is JSON, sorted, one entry on a line: a line of a pull request's diff is then one finding
//! accepted or fixed, programs and editors read it without another parser, and values need no
//! quoting rules.

mod read;

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::report::facts::Digest;
use crate::text::diagnostic::{Cut, Diagnostic, Place};
use crate::text::source::display_path;

pub use read::{is_older, parse};

/// The version of the format. Version 1, which knew findings by their messages, was never released.
pub const VERSION: u32 = 2;

/// Accepted findings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "Baseline of gwconform check")]
pub struct Baseline {
    /// Version of this format.
    #[schemars(extend("const" = 2))]
    pub version: u32,
    /// By path, rule and subject.
    pub accepted: Vec<AcceptedEntry>,
}

/// Findings that are accepted.
#[derive(
    Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(deny_unknown_fields)]
pub struct AcceptedEntry {
    /// The file or folder, from the folder of this file, always with `/`.
    #[schemars(length(min = 1))]
    pub path: String,
    /// The rule's id.
    #[schemars(schema_with = "crate::rules::configuration::schema::of_rule")]
    pub rule: String,
    /// What the finding is about: where in the file, by names, and the value. Empty for the file or
    /// folder itself.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub subject: String,
    /// How many equal findings; one, when it is not given.
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

/// The identity of a finding.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    path: String,
    rule: String,
    subject: String,
}

impl Key {
    /// A fingerprint, hexadecimal: the same in every run as long as the finding is about the same.
    /// `nth` tells equal findings apart, from 1.
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

/// The identity of a finding; its path as it is printed.
pub fn key(finding: &Diagnostic) -> Key {
    Key {
        path: finding.place.path.to_string(),
        rule: finding.rule.to_owned(),
        subject: finding.subject.as_str().to_owned(),
    }
}

/// A baseline that was read, and how much of it was used.
#[derive(Debug, Clone)]
pub struct Accepted {
    /// The place of each entry in the text, and how many findings it still accepts.
    entries: Vec<(AcceptedEntry, Place, usize)>,
    by_key: BTreeMap<Key, Vec<usize>>,
    places: Places,
}

/// Findings print paths from the working directory; entries have them from the folder of the file.
#[derive(Debug, Clone)]
pub struct Places {
    /// What to put before a printed path that is relative.
    base: String,
    /// What to take off then.
    folder: String,
}

impl Places {
    /// For findings that print paths from `base`, and a file in `folder`; both absolute.
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

    /// A printed path from the folder of the file; with `..` where it is not below.
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

/// The identity of findings that are not kept: their subjects are gone, their number counts.
fn cut_key(path: &str, rule: &str) -> Key {
    Key {
        path: path.to_owned(),
        rule: rule.to_owned(),
        subject: "more findings than are shown".to_owned(),
    }
}

/// The baseline that accepts all of `findings` and the findings that were counted but not kept.
pub fn of<'d>(
    findings: impl IntoIterator<Item = &'d Diagnostic>,
    cut: &Cut,
    places: &Places,
) -> Baseline {
    let mut counts: BTreeMap<Key, usize> = BTreeMap::new();
    for finding in findings {
        let key = key(finding);
        let path = places.path_of(&key.path);
        *counts.entry(Key { path, ..key }).or_insert(0) += 1;
    }
    for (path, rule, count) in cut.iter() {
        let key = cut_key(&places.path_of(path), rule);
        counts.insert(key, count.sum());
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
    /// Its text: one entry on a line.
    ///
    /// # Errors
    /// Never, as nothing in it cannot be written; the writer's type has it.
    pub fn to_json(&self) -> serde_json::Result<String> {
        let mut text = format!("{{\n  \"version\": {},\n  \"accepted\": [", self.version);
        for (nth, entry) in self.accepted.iter().enumerate() {
            text.push_str(if nth == 0 { "\n    " } else { ",\n    " });
            text.push_str(&crate::text::json::to_string(entry)?);
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
        let before = findings.len();
        findings.retain(|finding| self.accepts(key(finding), 1) == 0);
        before - findings.len()
    }

    /// Removes the findings that were counted but not kept, up to the accepted number. Returns how many
    /// it removed.
    pub fn apply_to_cut(&mut self, cut: &mut Cut) -> usize {
        let mut counts: BTreeMap<_, _> = cut
            .iter()
            .map(|(path, rule, counts)| {
                let accepted = self.accepts(cut_key(path, rule), counts.sum());
                ((path.to_owned(), rule), accepted)
            })
            .collect();
        cut.accept(|path, rule| counts.remove(&(path.to_owned(), rule)).unwrap_or_default())
    }

    /// How many of some equal findings are accepted.
    fn accepts(&mut self, key: Key, count: usize) -> usize {
        let path = self.places.path_of(&key.path);
        let entries = self.by_key.get(&Key { path, ..key });
        let mut rest = count;
        for &at in entries.into_iter().flatten() {
            let remainder = &mut self.entries[at].2;
            let accepted = rest.min(*remainder);
            *remainder -= accepted;
            rest -= accepted;
        }
        count - rest
    }

    /// The entries that accept fewer findings than their count, each with its place and the remainder.
    pub fn unused(&self) -> impl Iterator<Item = (&Place, &AcceptedEntry, usize)> {
        let entries = self.entries.iter();
        let unused = entries.filter(|(_, _, remainder)| *remainder > 0);
        unused.map(|(entry, place, remainder)| (place, entry, *remainder))
    }

    /// A printed path as entries have it.
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
