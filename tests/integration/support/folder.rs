//! Provides a temporary folder to run the program in, and a valid submission.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use super::report::ReportBuilder;
use super::{Output, location, run};

pub const README: &str = "\
# Acme operator

## Table of contents

| API channel | Implementation version | Mode | Report |
|-------------|------------------------|------|--------|
| standard | [v2.14.0](https://acme.example/releases/v2.14.0) | default | [v2.14.0 report](./standard-v2.14.0-default-report.yaml) |

## Reproduce

Run `make conformance`.
";

pub const NAME: &str = "standard-v2.14.0-default-report.yaml";

pub fn report() -> String {
    ReportBuilder::new().build()
}

pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub fn with_tree() -> Self {
        let folder = Self::new();
        folder.file("conformance/reports/README.md", "# Reports\n");
        folder.submission("conformance/reports/v1.5/acme-operator");
        folder
    }

    /// Folder with the sample tree of this repository.
    pub fn with_sample() -> Self {
        let folder = Self::new();
        let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("reports");
        for (path, bytes) in files(&sample) {
            folder.file(&format!("conformance/reports/{path}"), bytes);
        }
        folder
    }

    /// Writes a configuration that names the newest minor, regardless of the date.
    pub fn newest_minor(&self, minor: &str) -> &Self {
        let policy = format!("[policy]\nnewest-minor = \"{minor}\"\n");
        self.file("gwconform.toml", policy)
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn file(&self, path: &str, text: impl AsRef<[u8]>) -> &Self {
        let path = self.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self
    }

    pub fn submission(&self, path: &str) -> &Self {
        self.file(&format!("{path}/README.md"), README)
            .file(&format!("{path}/{NAME}"), report())
    }

    #[cfg(unix)]
    pub fn link(&self, path: &str, target: &str) -> &Self {
        std::os::unix::fs::symlink(target, self.path().join(path)).unwrap();
        self
    }

    pub fn run(&self, arguments: &str) -> Output {
        run(self.path(), &words(arguments))
    }

    /// Returns findings as `rule path line:column`, after checking their places.
    pub fn findings(&self, arguments: &str) -> Vec<String> {
        let output = self.run(arguments);
        location::check(self.path(), &words(arguments), &output.stdout);
        let json = self.json(arguments);
        let place = |finding: &Value| match finding["line"].as_u64() {
            Some(line) => format!(" {line}:{}", finding["column"]),
            None => String::new(),
        };
        let findings = json["findings"].as_array().unwrap().iter();
        findings
            .map(|f| {
                format!(
                    "{} {}{}",
                    f["rule"].as_str().unwrap(),
                    f["path"].as_str().unwrap(),
                    place(f)
                )
            })
            .collect()
    }

    pub fn json(&self, arguments: &str) -> Value {
        let output = self.run(&format!("{arguments} --format json"));
        serde_json::from_str(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
    }
}

/// Splits at spaces, without support for quotes.
pub fn words(arguments: &str) -> Vec<String> {
    arguments.split(' ').map(str::to_owned).collect()
}

pub fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = walkdir::WalkDir::new(folder).into_iter().flatten();
    let files = entries.filter(|entry| entry.file_type().is_file());
    let path = |entry: &walkdir::DirEntry| entry.path().strip_prefix(folder).unwrap().to_owned();
    files
        .map(|entry| {
            (
                path(&entry).display().to_string(),
                fs::read(entry.path()).unwrap(),
            )
        })
        .filter(|(path, _)| !path.starts_with(".git/"))
        .collect()
}
