//! Tests repositories and environments that configure programs, which must not run.

use std::fs;
use std::path::{Path, PathBuf};

use super::bounded::Call;
use super::support::folder::{Folder, NAME, report};
use super::support::git::{commit_all, git};
use super::support::write_program;
use super::table::Case;

const TREE: &str = "conformance/reports";
const ACME: &str = "conformance/reports/v1.5/acme-operator";

fn repository() -> Folder {
    let folder = Folder::with_tree();
    commit_all(folder.path());
    folder.file(
        &format!("{ACME}/{NAME}"),
        report().replace("v2.14.0", "v2.15.0"),
    );
    folder
}

fn program(folder: &Folder) -> PathBuf {
    let path = folder.path().join("program.sh");
    let canary = folder.path().join("canary");
    write_program(&path, &format!("touch '{}'", canary.display()));
    path
}

fn plant(at: &Path, config: &str) {
    fs::create_dir_all(at.join("objects/info")).unwrap();
    fs::create_dir_all(at.join("refs/heads")).unwrap();
    fs::create_dir_all(at.join("hooks")).unwrap();
    fs::write(at.join("HEAD"), format!("{}\n", "1".repeat(40))).unwrap();
    fs::write(at.join("config"), config).unwrap();
}

fn nothing_runs(folder: &Folder, environment: &[(&str, String)]) -> String {
    let ask = |from: &Path, words: &str| {
        // A date before the first release counts as not set, so git determines the date of verdicts.
        let call = Call::new(from, words).env("SOURCE_DATE_EPOCH", "0");
        let call = environment
            .iter()
            .fold(call, |call, (name, value)| call.env(name, value));
        call.run();
        assert!(
            !folder.path().join("canary").exists(),
            "`{words}` ran a program"
        );
    };
    let (top, tree) = (folder.path(), folder.path().join(TREE));
    ask(top, "certify");
    ask(&tree, "certify .");
    ask(top, "check --since HEAD");
    ask(top, &format!("check {TREE} --since main"));
    ask(top, &format!("check {ACME} --since HEAD"));
    ask(&tree, "check . --since HEAD");
    ask(
        &folder.path().join(ACME),
        &format!("check {NAME} --since HEAD"),
    );
    ask(top, &format!("diff HEAD:{ACME}/{NAME} {ACME}/{NAME}"));
    ask(
        &tree,
        &format!("diff HEAD:v1.5/acme-operator/{NAME} v1.5/acme-operator/{NAME}"),
    );
    ask(
        &folder.path().join(ACME),
        &format!("diff HEAD:./{NAME} {NAME}"),
    );
    "nothing runs".to_owned()
}

const SETTINGS: &[(&str, &str)] = &[
    (
        "promisor remote",
        "[remote \"origin\"]\n\turl = ext::PROGRAM\n\tpromisor = true\n\tpartialclonefilter = blob:none\n[extensions]\n\tpartialClone = origin\n[protocol \"ext\"]\n\tallow = always\n",
    ),
    (
        "watcher of files",
        "[core]\n\tbare = false\n\tworktree = .\n\tfsmonitor = PROGRAM\n",
    ),
    ("hooks", "[core]\n\thooksPath = PROGRAM\n"),
    (
        "filter",
        "[filter \"x\"]\n\tclean = PROGRAM\n\tsmudge = PROGRAM\n\tprocess = PROGRAM\n\trequired = true\n[core]\n\tattributesFile = ATTRIBUTES\n",
    ),
    (
        "external diff",
        "[diff]\n\texternal = PROGRAM\n[diff \"x\"]\n\ttextconv = PROGRAM\n\tcommand = PROGRAM\n[core]\n\tattributesFile = ATTRIBUTES\n",
    ),
    (
        "command for alternates",
        "[core]\n\talternateRefsCommand = PROGRAM\n",
    ),
    (
        "pager and editor",
        "[core]\n\tpager = PROGRAM\n\teditor = PROGRAM\n\taskPass = PROGRAM\n[pager]\n\tlog = PROGRAM\n\tdiff = PROGRAM\n\tcat-file = PROGRAM\n",
    ),
    (
        "command for SSH",
        "[core]\n\tsshCommand = PROGRAM\n\tgitProxy = PROGRAM\n[remote \"origin\"]\n\turl = ssh://acme.example/x\n\tpromisor = true\n[extensions]\n\tpartialClone = origin\n",
    ),
    (
        "helper for passwords",
        "[credential]\n\thelper = !PROGRAM\n[remote \"origin\"]\n\turl = https://acme.invalid/x\n\tpromisor = true\n[extensions]\n\tpartialClone = origin\n",
    ),
    (
        "alias",
        "[alias]\n\trev-parse = !PROGRAM\n\tls-tree = !PROGRAM\n\tcat-file = !PROGRAM\n\tdiff = !PROGRAM\n\tmerge-base = !PROGRAM\n",
    ),
    ("included settings", "[include]\n\tpath = SETTINGS\n"),
    (
        "work tree elsewhere",
        "[core]\n\tbare = false\n\tworktree = /\n",
    ),
];

fn settings(folder: &Folder, text: &str) -> String {
    let program = program(folder).display().to_string();
    folder.file("attributes", "* filter=x diff=x\n");
    folder.file(
        "settings",
        format!("[core]\n\tfsmonitor = {program}\n\thooksPath = {program}\n"),
    );
    let at = |name: &str| folder.path().join(name).display().to_string();
    let head = "[core]\n\trepositoryformatversion = 1\n\tbare = true\n";
    let text = text.replace("PROGRAM", &program);
    head.to_owned()
        + &text
            .replace("ATTRIBUTES", &at("attributes"))
            .replace("SETTINGS", &at("settings"))
}

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for &(name, text) in SETTINGS {
        cases.push(Case::new(
            format!("tree that is a repository: {name}"),
            "`HEAD`, `objects`, `refs` and `config` among the releases",
            move || {
                let folder = repository();
                plant(&folder.path().join(TREE), &settings(&folder, text));
                nothing_runs(&folder, &[])
            },
        ));
        cases.push(Case::new(
            format!("submission that is a repository: {name}"),
            "the same in a submission",
            move || {
                let folder = repository();
                plant(&folder.path().join(ACME), &settings(&folder, text));
                nothing_runs(&folder, &[])
            },
        ));
    }
    cases.push(Case::new(
        "`.git` in the tree",
        "a file that names a folder of the change",
        || {
            let folder = repository();
            let config = settings(&folder, SETTINGS[1].1);
            plant(&folder.path().join(ACME).join("evil"), &config);
            folder.file(&format!("{ACME}/.git"), "gitdir: ./evil\n");
            nothing_runs(&folder, &[])
        },
    ));
    cases.push(Case::new(
        "`.gitattributes` in the tree",
        "with a filter that the tree names",
        || {
            let folder = repository();
            folder.file(&format!("{TREE}/.gitattributes"), "* filter=x diff=x\n");
            plant(&folder.path().join(TREE), &settings(&folder, SETTINGS[3].1));
            nothing_runs(&folder, &[])
        },
    ));
    cases.push(Case::new(
        "program named git",
        "in the folder of the call",
        || {
            let folder = repository();
            fs::copy(program(&folder), folder.path().join("git")).unwrap();
            nothing_runs(&folder, &[])
        },
    ));
    cases.push(Case::new("hooks in the repository", "each of them", || {
        let folder = repository();
        let program = program(&folder);
        for hook in [
            "post-checkout",
            "post-index-change",
            "fsmonitor-watchman",
            "reference-transaction",
            "pre-auto-gc",
        ] {
            fs::copy(&program, folder.path().join(".git/hooks").join(hook)).unwrap();
        }
        nothing_runs(&folder, &[])
    }));
    cases.push(Case::new(
        "partial clone",
        "a blob is missing, the remote is a program",
        partial,
    ));
    cases.extend(environments());
    cases
}

/// The repository is a partial clone whose remote is a program.
fn partial() -> String {
    let folder = repository();
    let program = program(&folder);
    git(
        folder.path(),
        &["config", "extensions.partialClone", "origin"],
    );
    git(
        folder.path(),
        &["config", "core.repositoryFormatVersion", "1"],
    );
    git(folder.path(), &["config", "remote.origin.promisor", "true"]);
    git(
        folder.path(),
        &[
            "config",
            "remote.origin.url",
            &format!("ext::{}", program.display()),
        ],
    );
    git(folder.path(), &["config", "protocol.ext.allow", "always"]);
    let blob = git(
        folder.path(),
        &["rev-parse", &format!("HEAD:{ACME}/{NAME}")],
    );
    let (folder_name, rest) = blob.trim().split_at(2);
    fs::remove_file(
        folder
            .path()
            .join(".git/objects")
            .join(folder_name)
            .join(rest),
    )
    .unwrap();
    nothing_runs(&folder, &[])
}

fn environments() -> Vec<Case> {
    let evil = "other";
    let case = |name: &str, variables: &'static [(&'static str, &'static str)]| {
        let what: Vec<&str> = variables.iter().map(|(name, _)| *name).collect();
        Case::new(
            format!("environment: {name}"),
            format!("`{}`", what.join("`, `")),
            move || {
                let folder = repository();
                let program = program(&folder).display().to_string();
                plant(&folder.path().join(evil), &settings(&folder, SETTINGS[0].1));
                let other = folder.path().join(evil).display().to_string();
                let value =
                    |value: &str| value.replace("PROGRAM", &program).replace("OTHER", &other);
                let variables: Vec<(&str, String)> = variables
                    .iter()
                    .map(|(name, text)| (*name, value(text)))
                    .collect();
                nothing_runs(&folder, &variables)
            },
        )
    };
    vec![
        case("another repository", &[("GIT_DIR", "OTHER")]),
        case("another work tree", &[("GIT_WORK_TREE", "OTHER")]),
        case("another index", &[("GIT_INDEX_FILE", "OTHER/config")]),
        case(
            "other objects",
            &[
                ("GIT_OBJECT_DIRECTORY", "OTHER/objects"),
                ("GIT_ALTERNATE_OBJECT_DIRECTORIES", "OTHER/objects"),
            ],
        ),
        case(
            "settings",
            &[
                ("GIT_CONFIG_COUNT", "1"),
                ("GIT_CONFIG_KEY_0", "core.fsmonitor"),
                ("GIT_CONFIG_VALUE_0", "PROGRAM"),
            ],
        ),
        case(
            "settings of old",
            &[("GIT_CONFIG_PARAMETERS", "'core.fsmonitor=PROGRAM'")],
        ),
        case("external diff", &[("GIT_EXTERNAL_DIFF", "PROGRAM")]),
        case(
            "command for SSH",
            &[
                ("GIT_SSH_COMMAND", "PROGRAM"),
                ("GIT_SSH", "PROGRAM"),
                ("GIT_PROXY_COMMAND", "PROGRAM"),
            ],
        ),
        case(
            "pager, editor and questions",
            &[
                ("GIT_PAGER", "PROGRAM"),
                ("PAGER", "PROGRAM"),
                ("GIT_EDITOR", "PROGRAM"),
                ("GIT_ASKPASS", "PROGRAM"),
                ("SSH_ASKPASS", "PROGRAM"),
            ],
        ),
    ]
}
