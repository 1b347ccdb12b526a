//! Provides a temporary folder to run the program in, and a valid submission.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;

use super::report::ReportBuilder;
use super::{Output, git, lines, location, run, sample, text};

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

pub const TREE: &str = "conformance/reports";

/// The submission of [`Folder::with_tree`].
pub const ACME: &str = "conformance/reports/v1.5/acme-operator";
pub const ACME_REPORT: &str =
    "conformance/reports/v1.5/acme-operator/standard-v2.14.0-default-report.yaml";
pub const ACME_README: &str = "conformance/reports/v1.5/acme-operator/README.md";

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
        folder.submission(ACME);
        folder
    }

    /// Folder with the sample tree of this repository.
    pub fn with_sample() -> Self {
        let folder = Self::new();
        folder.copy(&sample(), TREE);
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

    /// Writes a file of [`ACME`].
    pub fn acme(&self, name: impl AsRef<str>, text: impl AsRef<[u8]>) -> &Self {
        self.file(&format!("{ACME}/{}", name.as_ref()), text)
    }

    pub fn config(&self, text: impl AsRef<[u8]>) -> &Self {
        self.file("gwconform.toml", text)
    }

    /// Writes a report to its place in the tree, and returns its path.
    pub fn put(&self, report: &ReportBuilder) -> String {
        self.file(&report.path(), report.build());
        report.path()
    }

    /// Copies the files of another folder below a path.
    pub fn copy(&self, from: &Path, path: &str) -> &Self {
        for (name, bytes) in files(from) {
            self.file(&format!("{path}/{name}"), bytes);
        }
        self
    }

    #[cfg(unix)]
    pub fn link(&self, path: &str, target: &str) -> &Self {
        std::os::unix::fs::symlink(target, self.path().join(path)).unwrap();
        self
    }

    pub fn read(&self, path: &str) -> String {
        let text = fs::read_to_string(self.path().join(path));
        text.unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    pub fn exists(&self, path: &str) -> bool {
        self.path().join(path).exists()
    }

    /// Removes a file, a link, or a folder with its content.
    pub fn remove(&self, path: &str) -> &Self {
        let at = self.path().join(path);
        let is_folder = fs::symlink_metadata(&at).is_ok_and(|found| found.is_dir());
        let removed = if is_folder {
            fs::remove_dir_all(at)
        } else {
            fs::remove_file(at)
        };
        removed.unwrap_or_else(|error| panic!("{path}: {error}"));
        self
    }

    pub fn rename(&self, from: &str, to: &str) -> &Self {
        let renamed = fs::rename(self.path().join(from), self.path().join(to));
        renamed.unwrap_or_else(|error| panic!("{from}: {error}"));
        self
    }

    /// Commits all files, in a new repository if there is none yet.
    pub fn commit(&self) -> &Self {
        git::commit_all(self.path());
        self
    }

    pub fn git(&self, arguments: &str) -> String {
        let arguments: Vec<&str> = arguments.split(' ').collect();
        git::git(self.path(), &arguments)
    }

    pub fn run(&self, arguments: &str) -> Output {
        run(self.path(), &words(arguments))
    }

    /// Runs the program, which must succeed.
    #[track_caller]
    pub fn ok(&self, arguments: &str) -> Output {
        self.run(arguments).exits(0)
    }

    /// Runs the program in a subfolder.
    pub fn run_in(&self, path: &str, arguments: &str) -> Output {
        run(&self.path().join(path), &words(arguments))
    }

    /// Writes the site to the folder `site`, and returns its files.
    #[track_caller]
    pub fn site(&self, options: &str) -> BTreeMap<String, Vec<u8>> {
        let output = self.run(format!("site --out site {options}").trim_end());
        assert_eq!(output.code, 0, "{output:?}");
        files(&self.path().join("site"))
    }

    /// Returns findings as `rule path line:column`, after checking their places.
    pub fn findings(&self, arguments: &str) -> Vec<String> {
        let mut all = words(arguments);
        if all[0] == "check" && !all.iter().any(|word| word == "--severity") {
            all.push("--all".to_owned());
        }
        let output = run(self.path(), &all);
        location::check(self.path(), &all, &output.stdout);
        let json = self.json(arguments);
        let place = |finding: &Value| match finding["line"].as_u64() {
            Some(line) => format!(" {line}:{}", finding["column"]),
            None => String::new(),
        };
        let findings = json["findings"].as_array().unwrap().iter();
        findings
            .map(|f| format!("{} {}{}", text(&f["rule"]), text(&f["path"]), place(f)))
            .collect()
    }

    /// One line for each finding, as [`lines`] writes it.
    pub fn found(&self, arguments: &str, template: &str) -> Vec<String> {
        lines(&self.json(arguments)["findings"], template)
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

/// The files of a folder, without those of git, by their paths with `/`.
pub fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = walkdir::WalkDir::new(folder).into_iter().flatten();
    let files = entries.filter(|entry| entry.file_type().is_file());
    files
        .map(|entry| {
            let path = entry.path().strip_prefix(folder).unwrap();
            let path = path.display().to_string().replace('\\', "/");
            (path, fs::read(entry.path()).unwrap())
        })
        .filter(|(path, _)| !path.starts_with(".git/"))
        .collect()
}

/// The `.yaml` files below a folder, sorted.
pub fn yaml_files(folder: &Path) -> Vec<PathBuf> {
    let entries = walkdir::WalkDir::new(folder).sort_by_file_name();
    let files = entries.into_iter().map(|entry| entry.unwrap().into_path());
    files
        .filter(|path| path.is_file() && path.extension().is_some_and(|end| end == "yaml"))
        .collect()
}
