//! Tests that a workspace in memory has the same findings as a workspace on disk.

use std::path::PathBuf;

use gwconform::workspace::{Base, OpenError, Options, PathBase, Target, Workspace};
use gwconform_base::files::MemoryFiles;
use gwconform_report::rules::check::{Applicability, CheckReport, Selection};

use crate::support::folder::{Folder, NAME, report};

fn in_memory(folder: &Folder) -> MemoryFiles {
    let files = walkdir::WalkDir::new(folder.path()).into_iter().flatten();
    let files = files.filter(|entry| entry.file_type().is_file());
    let files = files.map(|entry| {
        let below = entry.path().strip_prefix(folder.path()).unwrap();
        (below.to_owned(), std::fs::read(entry.path()).unwrap())
    });
    MemoryFiles::new(files).unwrap()
}

fn memory(files: &[(&str, &str)]) -> MemoryFiles {
    let files = files.iter();
    let files = files.map(|(path, text)| (PathBuf::from(path), text.as_bytes().to_vec()));
    MemoryFiles::new(files).unwrap()
}

fn open(base: impl Into<Base>, paths: &[&str]) -> Workspace {
    let target = Target::Paths(paths.iter().map(PathBuf::from).collect());
    let options = Options {
        target,
        ..Options::default()
    };
    Workspace::open(base, options).unwrap()
}

fn check(workspace: &Workspace) -> CheckReport {
    workspace.check(&Selection::default()).unwrap()
}

fn lines(report: &CheckReport) -> Vec<String> {
    let findings = report.findings.iter();
    let findings = findings.map(|finding| {
        let start = finding.place.region.as_ref().map(|region| region.start);
        format!(
            "{} {start:?} {} {}",
            finding.place.path, finding.rule, finding.message
        )
    });
    let skipped = report.skipped.iter();
    let skipped = skipped.map(|skipped| format!("{} {}", skipped.path, skipped.reason));
    findings.chain(skipped).collect()
}

fn bad_tree() -> Folder {
    let folder = Folder::with_tree();
    let bad = "conformance/reports/v1.5/bad-operator";
    folder.submission(bad).file(
        &format!("{bad}/{NAME}"),
        report()
            .replace("2026-05-20T10:15:30Z", "-")
            .replace("organization: acme", "organization: bad"),
    );
    folder.file("conformance/reports/v1.5/stray.txt", "text\n");
    folder.file("conformance/reports/v1.5/x/y/z/deep.yaml", "a: [\n");
    folder.file(
        "gwconform.toml",
        "[[ignore]]\nrule = \"tree/stray-file\"\npath = \"**/stray.txt\"\nreason = \"accepted\"\n",
    );
    folder
}

#[test]
fn a_tree_in_memory_is_the_tree_on_the_disk() {
    let folder = bad_tree();
    let base = std::fs::canonicalize(folder.path()).unwrap();
    for paths in [
        &[][..],
        &["conformance/reports/v1.5"],
        &["conformance/reports/v1.5/bad-operator"],
        &["conformance/reports/v1.5/bad-operator/README.md"],
    ] {
        let disk = open(base.as_path(), paths);
        let memory = open(in_memory(&folder), paths);
        let (disk, memory) = (check(&disk), check(&memory));
        assert!(!lines(&disk).is_empty(), "{paths:?}");
        assert_eq!(lines(&disk), lines(&memory), "{paths:?}");
        assert_eq!(disk.counts, memory.counts);
        assert_eq!(
            (disk.ignored, disk.checked),
            (memory.ignored, memory.checked)
        );
    }
    let (disk, memory) = (open(base.as_path(), &[]), open(in_memory(&folder), &[]));
    for level in [Applicability::Safe, Applicability::Unsafe] {
        let selection = Selection::default();
        let [disk, memory] = [&disk, &memory].map(|one| one.fix(&selection, level).unwrap());
        assert_eq!(
            format!("{:?}", disk.fixes.changes),
            format!("{:?}", memory.fixes.changes)
        );
        assert_eq!(disk.fixes.fixed, memory.fixes.fixed);
    }
    let [disk, memory] = [&disk, &memory].map(|one| {
        let tree = one
            .certify(PathBase::WorkingDir, &|_| {})
            .unwrap()
            .whole()
            .unwrap();
        let names = tree
            .catalog()
            .implementations
            .iter()
            .map(|one| one.slug.clone())
            .collect();
        let names: Vec<String> = names;
        let sections = tree.sections().unwrap();
        let reports = tree.report.reports.iter();
        let sections =
            reports.filter_map(|facts| sections.read(&facts.submission, facts.reproduce?));
        (names, sections.collect::<Vec<_>>())
    });
    assert_eq!(disk, memory);
    assert!(!disk.0.is_empty() && !disk.1.is_empty());
}

#[test]
fn recognizes_reports_outside_a_tree() {
    let (text, readme) = (report(), "# Acme\n");
    let text = text.as_str();
    let paths = |files: &[(&str, &str)]| {
        let found = check(&open(memory(files), &[]));
        let checked = found.checked.into_iter().map(|checked| checked.path);
        (checked.collect::<Vec<_>>(), found.counts.releases)
    };
    let (checked, releases) = paths(&[("my-report.yaml", text)]);
    assert_eq!((checked, releases), (vec!["my-report.yaml".to_owned()], 0));
    let (checked, releases) = paths(&[("a.yaml", text), ("b.yaml", text)]);
    assert_eq!((checked.len(), releases), (2, 0));
    let files = [
        ("v1.6/acme-operator/README.md", readme),
        (
            "v1.6/acme-operator/standard-v1.0.0-default-report.yaml",
            text,
        ),
    ];
    let (checked, releases) = paths(&files);
    assert_eq!((checked.len(), releases), (3, 1));
    let found = check(&open(memory(&files), &[]));
    let is_part = found
        .skipped
        .iter()
        .any(|skipped| skipped.reason.contains("whole tree"));
    assert!(is_part, "{:?}", found.skipped);
    let files = [
        ("conformance/reports/v1.6/acme-operator/README.md", readme),
        ("conformance/reports/v1.6/acme-operator/x-report.yaml", text),
    ];
    let found = check(&open(memory(&files), &[]));
    assert!(found.skipped.is_empty(), "{:?}", found.skipped);
    assert_eq!(found.counts.releases, 1);
}

#[test]
fn errors_of_opening_are_distinguished() {
    let error = |base: MemoryFiles, options: Options| Workspace::open(base, options).unwrap_err();
    let named = |path: &str| Options {
        target: Target::Paths(vec![PathBuf::from(path)]),
        ..Options::default()
    };
    let files = || memory(&[("a/b.txt", ""), ("gwconform.toml", "x = 1\n")]);
    assert!(matches!(
        error(files(), named("a")),
        OpenError::NoTree { .. }
    ));
    assert!(matches!(error(files(), named("c")), OpenError::Path(_)));
    let invalid = error(files(), named("a/b.txt"));
    assert!(
        matches!(&invalid, OpenError::InvalidConfig { .. }),
        "{invalid}"
    );
    assert_eq!(invalid.findings().len(), 1);
    let nothing = PathBuf::from("nothing");
    let options = Options {
        registry: Some(nothing.clone()),
        ..named("x.yaml")
    };
    let lone = || memory(&[("x.yaml", "")]);
    assert!(matches!(
        error(lone(), options),
        OpenError::RegistryFolder(_)
    ));
    let options = Options {
        baseline: Some(nothing),
        ..named("x.yaml")
    };
    assert!(matches!(error(lone(), options), OpenError::Baseline(_)));
}
