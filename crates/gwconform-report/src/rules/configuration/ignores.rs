use std::path::Path;

use globset::{ErrorKind, GlobBuilder, GlobSet};

use super::{ConfigFile, Ignore};
use gwconform_base::text::diagnostic::{Diagnostic, Place};
use gwconform_base::text::source::{Source, Span, display_path};

/// `ignore` entries, and which of them matched a finding.
#[derive(Debug)]
pub struct Ignores<'c> {
    source: &'c Source,
    prefix: Prefix,
    entries: Vec<IgnoreEntry<'c>>,
}

#[derive(Debug)]
struct IgnoreEntry<'c> {
    ignore: &'c Ignore,
    matcher: GlobSet,
    used: usize,
}

#[derive(Debug)]
struct Prefix {
    /// Working directory, prepended to relative printed paths.
    added: String,
    /// Folder of the configuration, removed from absolute paths.
    cut: String,
}

impl<'c> Ignores<'c> {
    /// `base` is the absolute path of the working directory.
    pub fn new(loaded: &'c ConfigFile, base: &Path) -> Self {
        let entry = |ignore: &'c Ignore| IgnoreEntry {
            ignore,
            matcher: matcher(ignore.path.get_ref()).unwrap_or_default(),
            used: 0,
        };
        let root = Path::new("/");
        Self {
            source: &loaded.source,
            prefix: Prefix {
                added: with_slash(display_path(base, root)),
                cut: with_slash(display_path(&loaded.folder, root)),
            },
            entries: loaded.config.ignore.iter().map(entry).collect(),
        }
    }

    /// Removes ignored findings and returns their number.
    pub fn apply(&mut self, findings: &mut Vec<Diagnostic>) -> usize {
        let mut ignored = 0;
        if !self.entries.is_empty() {
            findings.retain(|finding| {
                let is_covered = self.covers(finding.rule, &finding.place.path);
                ignored += if is_covered { finding.count() } else { 0 };
                !is_covered
            });
        }
        ignored
    }

    fn covers(&mut self, rule: &str, printed: &str) -> bool {
        let absolute = match printed.strip_prefix('/') {
            Some(absolute) => absolute.to_owned(),
            None => format!("{}{printed}", self.prefix.added),
        };
        let Some(path) = absolute.strip_prefix(&self.prefix.cut) else {
            return false;
        };
        let mut is_covered = false;
        for entry in &mut self.entries {
            let is_rule = entry.ignore.rule.get_ref() == rule;
            if is_rule && entry.matcher.is_match(path) {
                entry.used += 1;
                is_covered = true;
            }
        }
        is_covered
    }

    /// Entries that matched no finding, with their places.
    pub fn unused(&self) -> impl Iterator<Item = (Place, &'c Ignore)> {
        let unused = self.entries.iter().filter(|entry| entry.used == 0);
        unused.map(|entry| {
            let span = entry.ignore.path.span();
            (
                Place::span(self.source, Span::new(span.start, span.end)),
                entry.ignore,
            )
        })
    }
}

fn with_slash(path: String) -> String {
    match path.as_str() {
        "." => String::new(),
        path => format!("{path}/"),
    }
}

/// Maximum length in bytes.
const MAX_PATTERN: usize = 1024;

pub(crate) fn matcher(pattern: &str) -> Result<GlobSet, String> {
    let pattern = pattern.trim_start_matches("./").trim_end_matches('/');
    if pattern.is_empty() {
        return Err("missing path; expected a path relative to the folder of this file".to_owned());
    }
    if pattern.len() > MAX_PATTERN {
        let bytes = pattern.len();
        return Err(format!(
            "the path has {bytes} bytes; expected at most {MAX_PATTERN}"
        ));
    }
    let compile = |pattern: &str| GlobBuilder::new(pattern).literal_separator(true).build();
    // For complex patterns, a single matcher panics, but a set returns an error.
    let (itself, below) = (compile(pattern), compile(&format!("{pattern}/**")));
    let set = itself.and_then(|itself| GlobSet::builder().add(itself).add(below?).build());
    set.map_err(|error| match error.kind() {
        ErrorKind::Regex(_) => "the path pattern is too complex".to_owned(),
        kind => kind.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::matcher;

    #[test]
    fn a_pattern_matches_what_it_names_and_what_is_below() {
        let matches = |pattern: &str, path: &str| matcher(pattern).unwrap().is_match(path);
        assert!(matches("reports/v1.2.0", "reports/v1.2.0/acme/README.md"));
        assert!(matches("./reports/v1.2.0/", "reports/v1.2.0"));
        assert!(matches("reports/*/acme", "reports/v1.2.0/acme/x.yaml"));
        assert!(!matches("reports/*/x.yaml", "reports/v1.2.0/acme/x.yaml"));
        assert!(matches("**/x.yaml", "reports/v1.2.0/acme/x.yaml"));
        assert!(!matches("reports/v1.2", "reports/v1.2.0/x.yaml"));
        assert!(matcher("").is_err() && matcher("a[").is_err());
    }
}
