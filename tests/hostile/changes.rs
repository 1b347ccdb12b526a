//! Tests changes that try to disable their own review, take over a URL, or imitate an
//! implementation.

use super::bounded::Call;
use super::support::folder::{Folder, NAME, README, report};
use super::support::git::{commit_all, git};
use super::table::Case;

const ACME: &str = "conformance/reports/v1.5/acme-operator";

fn repository() -> Folder {
    let folder = Folder::with_tree();
    commit_all(folder.path());
    git(folder.path(), &["checkout", "--quiet", "-b", "change"]);
    folder
}

fn break_report(folder: &Folder) {
    folder.file(
        &format!("{ACME}/{NAME}"),
        report().replace("2026-05-20T10:15:30Z", "yesterday"),
    );
}

fn since(folder: &Folder, more: &str) -> (i32, Vec<String>) {
    commit_all(folder.path());
    let words = format!("check --since main --format json {more}");
    let ran = Call::new(folder.path(), &words).run();
    let json = ran.json();
    let errors = json["findings"].as_array().unwrap().iter();
    let errors = errors.filter(|finding| finding["severity"] != "info");
    let mut rules: Vec<String> = errors
        .map(|finding| finding["rule"].as_str().unwrap().to_owned())
        .collect();
    rules.dedup();
    (ran.code, rules)
}

fn hides(name: &str, what: &str, path: &'static str, text: &'static str) -> Case {
    Case::new(name, what, move || {
        let folder = repository();
        break_report(&folder);
        folder.file(path, text);
        let (code, rules) = since(&folder, "");
        assert!(
            code == 1 && rules.contains(&"report/date".to_owned()),
            "{code} {rules:?}"
        );
        "the error is shown".to_owned()
    })
}

fn submit(folder: &Folder, release: &str, stated: &str, organization: &str, project: &str) {
    let path = format!("conformance/reports/{release}/other");
    let text = report()
        .replace(
            "organization: acme",
            &format!("organization: \"{organization}\""),
        )
        .replace("project: operator", &format!("project: \"{project}\""))
        .replace("v1.5.1", stated);
    folder
        .file(&format!("{path}/README.md"), README)
        .file(&format!("{path}/{NAME}"), text);
}

fn keeps_its_address(
    name: &str,
    release: &'static str,
    stated: &'static str,
    organization: &'static str,
    project: &'static str,
) -> Case {
    let what = format!("{organization}/{project} with a report in {release}");
    Case::new(name, what, move || {
        let folder = repository();
        let before = address(&folder);
        submit(&folder, release, stated, organization, project);
        if address(&folder) == before {
            return "the address stays".to_owned();
        }
        let (code, rules) = since(&folder, "");
        assert_eq!(code, 1, "{rules:?}");
        format!("`{}`", rules.join("`, `"))
    })
}

fn address(folder: &Folder) -> String {
    let json = Call::new(folder.path(), "certify --format json")
        .run()
        .json();
    let mut all = json["implementations"].as_array().unwrap().iter();
    // Another spelling is the same implementation.
    let acme = all.find(|one| {
        let organization = one["organization"].as_str().unwrap();
        organization.eq_ignore_ascii_case("acme") && one["project"] == "operator"
    });
    acme.unwrap()["implementation"].as_str().unwrap().to_owned()
}

fn looks_alike(name: &str, organization: &'static str) -> Case {
    Case::new(
        name,
        format!(
            "`{}/operator` beside acme/operator",
            organization.escape_unicode()
        ),
        move || {
            let folder = repository();
            submit(&folder, "v1.5", "v1.5.1", organization, "operator");
            let (code, rules) = since(&folder, "");
            assert!(code == 1 && !rules.is_empty(), "{code} {rules:?}");
            "an error".to_owned()
        },
    )
}

pub fn cases() -> Vec<Case> {
    let mut cases = vec![
        hides(
            "rule switched off",
            "`gwconform.toml` in the change",
            "gwconform.toml",
            "[rules]\n\"report/date\" = \"off\"\n",
        ),
        hides(
            "group switched off",
            "`gwconform.toml` in the change",
            "gwconform.toml",
            "[rules]\nreport = \"off\"\n",
        ),
        hides(
            "rule made an info",
            "`gwconform.toml` in the change",
            "gwconform.toml",
            "[rules]\n\"report/date\" = \"info\"\n",
        ),
        hides(
            "finding ignored",
            "`gwconform.toml` in the change",
            "gwconform.toml",
            "[[ignore]]\nrule = \"report/date\"\npath = \"**\"\nreason = \"x\"\n",
        ),
        hides(
            "configuration beside the tree",
            "in `conformance/`",
            "conformance/gwconform.toml",
            "[rules]\nreport = \"off\"\n",
        ),
        hides(
            "configuration in the tree",
            "in `conformance/reports/`",
            "conformance/reports/gwconform.toml",
            "[rules]\nreport = \"off\"\n",
        ),
        hides(
            "attributes",
            "`.gitattributes` that take the file for binary",
            ".gitattributes",
            "*.yaml binary -diff linguist-generated\n",
        ),
        hides("ignored by git", "`.gitignore` of all", ".gitignore", "*\n"),
    ];
    cases.push(Case::new(
        "baseline extended",
        "the change accepts its own finding",
        || {
            let folder = Folder::with_tree();
            folder.file("accepted.json", "{\"version\": 1, \"accepted\": []}\n");
            commit_all(folder.path());
            git(folder.path(), &["checkout", "--quiet", "-b", "change"]);
            break_report(&folder);
            std::fs::remove_file(folder.path().join("accepted.json")).unwrap();
            Call::new(
                folder.path(),
                "check --write-baseline accepted.json --exit-zero",
            )
            .run();
            let (code, rules) = since(&folder, "--baseline accepted.json");
            assert!(
                code == 1 && rules.contains(&"report/date".to_owned()),
                "{code} {rules:?}"
            );
            "the error is shown".to_owned()
        },
    ));
    cases.push(Case::new("report deleted", "of the same version", || {
        let folder = repository();
        std::fs::remove_file(folder.path().join(ACME).join(NAME)).unwrap();
        let (code, rules) = since(&folder, "");
        let warned = rules.contains(&"change/deleted-report".to_owned());
        assert!(warned, "{code} {rules:?}");
        "`change/deleted-report`".to_owned()
    }));
    cases.push(Case::new(
        "implementation deleted",
        "the whole folder",
        || {
            let folder = repository();
            std::fs::remove_dir_all(folder.path().join(ACME)).unwrap();
            let (code, rules) = since(&folder, "");
            let warned = rules.contains(&"change/deleted-report".to_owned());
            assert!(warned, "{code} {rules:?}");
            "`change/deleted-report`".to_owned()
        },
    ));
    cases.push(Case::new(
        "2^14 folders in 16 objects",
        "each folder holds the next one twice",
        repeated,
    ));
    cases.extend([
        keeps_its_address(
            "address of another, older release",
            "v1.0.0",
            "v1.0.0",
            "acme-operator",
            "",
        ),
        keeps_its_address(
            "address of another, in capitals",
            "v1.0.0",
            "v1.0.0",
            "Acme",
            "Operator",
        ),
        keeps_its_address(
            "address of another, parted otherwise",
            "v1.0.0",
            "v1.0.0",
            "acme operator",
            "-",
        ),
        keeps_its_address(
            "address of another, same release",
            "v1.5",
            "v1.5.1",
            "ACME",
            "operator",
        ),
        keeps_its_address(
            "address of another, with a letter that is left out",
            "v1.4.1",
            "v1.4.1",
            "äacme",
            "operator",
        ),
    ]);
    cases.extend([
        looks_alike("looks alike: Cyrillic", "\u{430}cme"),
        looks_alike("looks alike: Greek", "acm\u{3b5}\u{3bf}"),
        looks_alike("looks alike: full width", "\u{ff41}cme"),
        looks_alike("looks alike: zero width", "ac\u{200b}me"),
        looks_alike("looks alike: letters of mathematics", "\u{1d41a}cme"),
    ]);
    cases
}

/// Each git tree contains the previous one twice, so a few objects represent many paths.
fn repeated() -> String {
    let folder = repository();
    let path = folder.path();
    folder.file("blob.yaml", report());
    let blob = git(path, &["hash-object", "-w", "blob.yaml"]);
    std::fs::remove_file(path.join("blob.yaml")).unwrap();
    let mut tree = make_tree(
        path,
        &format!("100644 blob {}\tx-report.yaml\n", blob.trim()),
    );
    for _ in 0..14 {
        tree = make_tree(
            path,
            &format!("040000 tree {tree}\ta\n040000 tree {tree}\tb\n"),
        );
    }
    for name in ["v1.5", "reports", "conformance"] {
        tree = make_tree(path, &format!("040000 tree {tree}\t{name}\n"));
    }
    let commit = git(path, &["commit-tree", &tree, "-p", "main", "-m", "x"]);
    git(path, &["reset", "--quiet", "--soft", commit.trim()]);
    let ran = Call::new(path, "check --format json --since HEAD").run();
    assert!(ran.stderr.contains("too many files of the tree"), "{ran:?}");
    format!("exit {}: too many files of the tree differ", ran.code)
}

fn make_tree(folder: &std::path::Path, entries: &str) -> String {
    use std::io::Write;
    let mut child = std::process::Command::new("git")
        .arg("mktree")
        .current_dir(folder)
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(entries.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}
