//! Compares `check --since`, which checks only what a change can affect, with a check of the whole
//! tree. A baseline requires the whole tree, because it lists findings of all files.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::maker::{self, Mistakes, Options, Size};
use crate::support::corpus::corpus;
use crate::support::folder::{self, Folder};
use crate::support::git::git;
use crate::support::one_in;

const BASELINE: &str = "{\"version\": 2, \"accepted\": []}\n";

type Change = fn(&Path, &Path);

/// Changes to a submission. The second folder is another submission.
const CHANGES: [(&str, Change); 14] = [
    ("nothing", |_, _| {}),
    ("text in a README", |one, _| {
        edit(&one.join("README.md"), |text| format!("{text}\nMore.\n"));
    }),
    ("deleted submission", |one, _| {
        fs::remove_dir_all(one).unwrap()
    }),
    ("deleted report", |one, _| {
        fs::remove_file(report_of(one)).unwrap()
    }),
    ("moved submission", |one, _| {
        let name = one.file_name().unwrap().to_str().unwrap();
        fs::rename(one, one.with_file_name(format!("{name}-2"))).unwrap();
    }),
    ("copy in another release", |one, other| {
        let release = other.parent().unwrap();
        copy(one, &release.join("a-copy"));
    }),
    ("name with an escape", |one, other| {
        let name = "a%62%FF";
        copy(other, &one.with_file_name(name));
        link(one, &format!("../{name}/README.md"));
        fs::remove_dir_all(one.with_file_name(name)).unwrap();
    }),
    ("other target of an alias", |one, _| {
        let folder = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_owned();
        let release = one.parent().unwrap();
        let minor: Vec<String> = folder(release)
            .split('.')
            .take(2)
            .map(str::to_owned)
            .collect();
        let alias = format!("{}.99", minor.join("."));
        let path = release.with_file_name(&alias);
        fs::write(&path, folder(release)).unwrap();
        link(one, &format!("../../{alias}/{}/README.md", folder(one)));
        fs::write(&path, "elsewhere").unwrap();
    }),
    ("name of another implementation", |one, other| {
        let text = fs::read_to_string(report_of(other)).unwrap();
        let field = |name: &str| text.lines().find(|line| line.trim().starts_with(name));
        let names =
            ["organization:", "project:"].map(|name| field(name).unwrap_or_default().to_owned());
        edit(&report_of(one), |text| {
            let replaced = |line: &str| match line.trim() {
                line if line.starts_with("organization:") => names[0].clone(),
                line if line.starts_with("project:") => names[1].clone(),
                _ => line.to_owned(),
            };
            text.lines().map(|line| replaced(line) + "\n").collect()
        });
    }),
    ("name in capital letters", |one, _| {
        edit(&report_of(one), |text| {
            let upper = |line: &str| {
                if line.trim().starts_with("project:") {
                    format!("  project: {}", line.trim()[8..].trim().to_uppercase())
                } else {
                    line.to_owned()
                }
            };
            text.lines().map(|line| upper(line) + "\n").collect()
        });
    }),
    ("date of another run", |one, other| {
        let text = fs::read_to_string(report_of(other)).unwrap();
        let date = text.lines().find(|line| line.starts_with("date:"));
        let date = date.unwrap_or_default().to_owned();
        edit(&report_of(one), |text| {
            let is_date = |line: &str| line.starts_with("date:");
            let lines = text.lines();
            lines.map(|line| if is_date(line) { date.clone() } else { line.to_owned() } + "\n").collect()
        });
    }),
    ("first report of the newest minor", |one, _| {
        let release = one.parent().unwrap().with_file_name("v1.6");
        fs::create_dir_all(&release).unwrap();
        copy(one, &release.join("first-of-all"));
        edit(&report_of(&release.join("first-of-all")), |text| {
            let lines = text.lines();
            let is_release = |line: &str| line.starts_with("gatewayAPIVersion:");
            lines
                .map(|line| {
                    if is_release(line) {
                        "gatewayAPIVersion: v1.6.0\n".to_owned()
                    } else {
                        format!("{line}\n")
                    }
                })
                .collect()
        });
    }),
    ("all reports of a release", |one, _| {
        fs::remove_dir_all(one.parent().unwrap()).unwrap();
    }),
    ("link to a new file", |one, other| {
        link(one, "../new/README.md");
        let new = one.with_file_name("new");
        copy(other, &new);
    }),
];

type Edit = fn(&str) -> String;

/// Reports that the suite did not write in this form. The light pass reads the names, the release
/// and the run of each report, in whatever way they are written.
const UNUSUAL: [(&str, Edit); 17] = [
    ("line endings", |text| text.replace('\n', "\r\n")),
    ("a byte order mark", |text| format!("\u{feff}{text}")),
    ("a comment", |text| format!("# A comment\n{text}")),
    ("a document marker", |text| format!("---\n{text}...\n")),
    ("two documents", |text| format!("{text}---\n{text}")),
    ("a document end before the profiles", |text| {
        text.replace("\nprofiles:", "\n...\nprofiles:")
    }),
    ("equal fields", |text| {
        format!(
            "{}implementation:\n  organization: other\n",
            text.replace("kind:", "kind: x\nkind:")
        )
    }),
    ("equal fields before the profiles", |text| {
        let names = "implementation:\n  organization: other\n  project: other\nprofiles:";
        text.replace("\nprofiles:", &format!("\n{names}"))
    }),
    ("an anchor", |text| text.replace("kind: ", "kind: &a ")),
    ("escapes", |text| {
        text.replace("organization: ", "organization: \"\\u0061\" #")
    }),
    ("no names", |text| {
        without(text, &["organization:", "project:"])
    }),
    ("no names and no date", |text| {
        without(text, &["organization:", "project:", "date:"])
    }),
    ("no date and no release", |text| {
        without(text, &["date:", "gatewayAPIVersion:"])
    }),
    ("text that is not YAML", |text| {
        format!("{text}: : :\n\t- [\n")
    }),
    ("HTML", |text| format!("<!DOCTYPE html>\n{text}")),
    ("more than is read", |text| {
        text.to_owned() + &"# x\n".repeat(1_100_000)
    }),
    ("another project", |text| {
        text.replace("gatewayAPIVersion:", "meshVersion: v1\ngatewayAPIVersion:")
    }),
];

fn without(text: &str, fields: &[&str]) -> String {
    let lines = text.lines();
    let is_kept = |line: &&str| !fields.iter().any(|field| line.trim().starts_with(field));
    lines
        .filter(is_kept)
        .map(|line| format!("{line}\n"))
        .collect()
}

fn edit(path: &Path, change: impl FnOnce(&str) -> String) {
    let text = fs::read_to_string(path).unwrap_or_default();
    fs::write(path, change(&text)).unwrap();
}

/// Commits a new link in the README of a submission.
fn link(submission: &Path, target: &str) {
    edit(&submission.join("README.md"), |text| {
        format!("{text}\n[a link]({target})\n")
    });
    git(submission, &["add", "--all", ":/"]);
    git(submission, &["commit", "--quiet", "--message=A link"]);
}

fn report_of(submission: &Path) -> PathBuf {
    let entries = fs::read_dir(submission).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let is_report = |path: &PathBuf| path.extension().is_some_and(|end| end == "yaml");
    paths.into_iter().find(is_report).unwrap()
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        match entry.file_type().unwrap() {
            kind if kind.is_dir() => copy(&entry.path(), &to.join(entry.file_name())),
            kind if kind.is_file() => {
                fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
            }
            _ => {}
        }
    }
}

/// Submissions with a report and a README.
fn submissions(tree: &Path) -> Vec<PathBuf> {
    let below = |folder: &Path| -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).unwrap();
        let paths = entries.map(|entry| entry.unwrap().path());
        paths
            .filter(|path| path.is_dir() && !path.is_symlink())
            .collect()
    };
    let mut all: Vec<PathBuf> = below(tree)
        .iter()
        .flat_map(|release| below(release))
        .collect();
    all.sort();
    all.retain(|path| {
        let mut entries = fs::read_dir(path).unwrap();
        let is_report = |path: PathBuf| path.extension().is_some_and(|end| end == "yaml");
        path.join("README.md").exists() && entries.any(|entry| is_report(entry.unwrap().path()))
    });
    all
}

/// Results of the check of what a change can affect, and of the whole check.
fn both(folder: &Folder) -> [Value; 2] {
    let outside = Folder::new();
    outside.file("baseline.json", BASELINE);
    let baseline = outside.path().join("baseline.json");
    let check = "check --since HEAD --all";
    let affected = folder.json(check);
    let whole = folder.json(&format!("{check} --baseline {}", baseline.display()));
    [affected, whole]
}

/// Makes each change to every `step`-th submission, and compares both checks. The first submission
/// differs between changes.
fn compare(folder: &Folder, step: usize) {
    let tree = folder.path().join("conformance/reports");
    folder.commit();
    let base = folder.git("rev-parse HEAD");
    let all = submissions(&tree);
    for (at, (what, change)) in CHANGES.iter().enumerate() {
        for nth in (at * 37 % step..all.len()).step_by(step) {
            let other = (nth + 7) % all.len();
            change(&all[nth], &all[other]);
            let [affected, whole] = both(folder);
            assert_eq!(affected, whole, "{what}: {}", all[nth].display());
            git(folder.path(), &["reset", "--quiet", "--hard", base.trim()]);
            folder.git("clean --quiet -d --force");
        }
    }
}

fn make_tree(reports: usize) -> Folder {
    let folder = Folder::new();
    let options = Options {
        seed: 7,
        size: Size::Reports(reports),
        mistakes: Mistakes::Some,
    };
    for (path, text) in maker::make(&options) {
        folder.file(&format!("conformance/reports/{}", path.display()), text);
    }
    folder
}

#[test]
fn changes_next_to_unusual_reports_have_the_results_of_a_whole_check() {
    let folder = make_tree(24);
    folder.commit();
    let made = folder.git("rev-parse HEAD");
    let all = submissions(&folder.path().join("conformance/reports"));
    for (at, (what, change)) in UNUSUAL.iter().enumerate() {
        for one in all.iter().skip(at % 2).step_by(2) {
            edit(&report_of(one), change);
        }
        folder.commit();
        let base = folder.git("rev-parse HEAD");
        let changes = [(2, 1), (3, 5), (4, 8), (5, 5), (6, 10), (7, 2)];
        let step = one_in(3);
        for (nth, change_at) in changes.into_iter().skip(at % step).step_by(step) {
            let (name, change) = CHANGES[change_at];
            change(&all[nth], &all[(nth + 5) % all.len()]);
            let [affected, whole] = both(&folder);
            assert_eq!(affected, whole, "{what}, {name}: {}", all[nth].display());
            git(folder.path(), &["reset", "--quiet", "--hard", base.trim()]);
            folder.git("clean --quiet -d --force");
        }
        git(folder.path(), &["reset", "--quiet", "--hard", made.trim()]);
    }
}

#[test]
fn a_tree_of_another_project_has_the_results_of_a_whole_check() {
    let folder = make_tree(12);
    let all = submissions(&folder.path().join("conformance/reports"));
    for path in all.iter().flat_map(|one| fs::read_dir(one).unwrap()) {
        let path = path.unwrap().path();
        if path.extension().is_some_and(|end| end == "yaml") {
            let profile = |line: &str| {
                if line.trim_start().starts_with("name: ") {
                    "  name: Gateway\n".to_owned()
                } else {
                    format!("{line}\n")
                }
            };
            edit(&path, |text| text.lines().map(profile).collect());
        }
    }
    folder.commit();
    let new = all[0].with_file_name("a-new-one");
    fs::create_dir(&new).unwrap();
    fs::write(new.join("README.md"), "# Empty\n\n[dead](nowhere.yaml)\n").unwrap();
    for report in ["", "kind: ConformanceReport\n", &folder::report()] {
        fs::write(new.join("report.yaml"), report).unwrap();
        let [affected, whole] = both(&folder);
        assert_eq!(affected, whole, "{report}");
    }
    folder.commit();
    edit(&new.join("README.md"), |text| format!("{text}More.\n"));
    let [affected, whole] = both(&folder);
    assert_eq!(affected, whole);
}

#[test]
fn changes_of_a_made_tree_have_the_results_of_a_whole_check() {
    compare(&make_tree(60), 9 * one_in(2));
}

#[test]
fn changes_of_the_corpus_have_the_results_of_a_whole_check() {
    let Some(corpus) = corpus() else { return };
    let folder = Folder::new();
    let tree = folder.path().join("conformance/reports");
    copy(&corpus.join("gateway-api/conformance/reports"), &tree);
    compare(&folder, 31 * one_in(3));
}

#[test]
fn the_first_of_equal_reports_is_the_original() {
    let folder = Folder::new();
    folder.submission("conformance/reports/v1.5/first");
    folder.commit();
    folder.submission("conformance/reports/v1.5/last");
    let [affected, whole] = both(&folder);
    assert_eq!(affected, whole);
    assert!(
        whole["change"]["verdicts"][0]["after"]["path"]
            .to_string()
            .contains("first")
    );
}

#[test]
fn many_findings_in_some_reports_do_not_block_others() {
    let folder = Folder::with_tree();
    let report = folder::report();
    let other = |mode: &str| report.replace("mode: default", &format!("mode: {mode}"));
    let disputed = other("other").replace("result: success", "result: partial");
    let place = "conformance/reports/v1.5";
    folder.file(&format!("{place}/acme-operator/other.yaml"), disputed);
    for nth in 0..150 {
        let copied = other(&format!("m{nth}")).replace("date: \"2026", "date: \"2025");
        let copied = copied.replace("organization: acme", "organization: acme-two");
        folder.file(&format!("{place}/copies/{nth}.yaml"), copied);
    }
    let all = folder.run("check --select tree/copied-report").stdout;
    assert!(all.contains("149 errors"), "{all}");
    let certified = folder.run("certify --format json").stdout;
    assert!(!certified.contains("than are kept"), "{certified}");
}
