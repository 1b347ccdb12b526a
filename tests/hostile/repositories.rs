//! Tests repositories and environments that configure programs, which must not run.

use std::fs;
use std::path::{Path, PathBuf};

use super::bounded::Call;
use super::support::folder::{Folder, NAME, report};
use super::support::git::{commit_all, git};
use super::support::{rows, write_program};

use super::table::Case;

const TREE: &str = "conformance/reports";
const ACME: &str = "conformance/reports/v1.5/acme-operator";

fn repository() -> Folder {
    let folder = Folder::with_tree();
    commit_all(folder.path());
    folder.acme(NAME, report().replace("v2.14.0", "v2.15.0"));
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
        let variables = environment.iter();
        let call = variables.fold(call, |call, (name, value)| call.env(name, value));
        call.run();
        assert!(!folder.exists("canary"), "`{words}` ran a program");
    };
    let (top, tree) = (folder.path(), folder.path().join(TREE));
    ask(top, "certify");
    ask(&tree, "certify .");
    ask(top, "check --since HEAD");
    ask(top, &format!("check {TREE} --since main"));
    ask(top, &format!("check {ACME} --since HEAD"));
    ask(&tree, "check . --since HEAD");
    let acme = folder.path().join(ACME);
    ask(&acme, &format!("check {NAME} --since HEAD"));
    ask(top, &format!("diff HEAD:{ACME}/{NAME} {ACME}/{NAME}"));
    let below = format!("v1.5/acme-operator/{NAME}");
    ask(&tree, &format!("diff HEAD:{below} {below}"));
    ask(&acme, &format!("diff HEAD:./{NAME} {NAME}"));
    "nothing runs".to_owned()
}

/// Name and settings, with `⏎` for the end of a line.
const SETTINGS: &str = r#"
    promisor remote | [remote "origin"]⏎url = ext::PROGRAM⏎promisor = true⏎partialclonefilter = blob:none⏎[extensions]⏎partialClone = origin⏎[protocol "ext"]⏎allow = always⏎
    watcher of files | [core]⏎bare = false⏎worktree = .⏎fsmonitor = PROGRAM⏎
    hooks | [core]⏎hooksPath = PROGRAM⏎
    filter | [filter "x"]⏎clean = PROGRAM⏎smudge = PROGRAM⏎process = PROGRAM⏎required = true⏎[core]⏎attributesFile = ATTRIBUTES⏎
    external diff | [diff]⏎external = PROGRAM⏎[diff "x"]⏎textconv = PROGRAM⏎command = PROGRAM⏎[core]⏎attributesFile = ATTRIBUTES⏎
    command for alternates | [core]⏎alternateRefsCommand = PROGRAM⏎
    pager and editor | [core]⏎pager = PROGRAM⏎editor = PROGRAM⏎askPass = PROGRAM⏎[pager]⏎log = PROGRAM⏎diff = PROGRAM⏎cat-file = PROGRAM⏎
    command for SSH | [core]⏎sshCommand = PROGRAM⏎gitProxy = PROGRAM⏎[remote "origin"]⏎url = ssh://acme.example/x⏎promisor = true⏎[extensions]⏎partialClone = origin⏎
    helper for passwords | [credential]⏎helper = !PROGRAM⏎[remote "origin"]⏎url = https://acme.invalid/x⏎promisor = true⏎[extensions]⏎partialClone = origin⏎
    alias | [alias]⏎rev-parse = !PROGRAM⏎ls-tree = !PROGRAM⏎cat-file = !PROGRAM⏎diff = !PROGRAM⏎merge-base = !PROGRAM⏎
    included settings | [include]⏎path = SETTINGS⏎
    work tree elsewhere | [core]⏎bare = false⏎worktree = /⏎
"#;

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
    let text = text.replace("ATTRIBUTES", &at("attributes"));
    let text = text.replace("SETTINGS", &at("settings"));
    head.to_owned() + &text.replace('⏎', "\n")
}

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for [name, text] in rows(SETTINGS) {
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
            let config = settings(&folder, setting("watcher of files"));
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
            let config = settings(&folder, setting("filter"));
            plant(&folder.path().join(TREE), &config);
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
        let hooks =
            "post-checkout post-index-change fsmonitor-watchman reference-transaction pre-auto-gc";
        let at = folder.path().join(".git/hooks");
        fs::create_dir(&at).unwrap();
        for hook in hooks.split(' ') {
            fs::copy(&program, at.join(hook)).unwrap();
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
    folder.git("config extensions.partialClone origin");
    folder.git("config core.repositoryFormatVersion 1");
    folder.git("config remote.origin.promisor true");
    let url = format!("ext::{}", program.display());
    git(folder.path(), &["config", "remote.origin.url", &url]);
    folder.git("config protocol.ext.allow always");
    let blob = folder.git(&format!("rev-parse HEAD:{ACME}/{NAME}"));
    let (folder_name, rest) = blob.trim().split_at(2);
    folder.remove(&format!(".git/objects/{folder_name}/{rest}"));
    nothing_runs(&folder, &[])
}

/// The settings with this name.
fn setting(name: &str) -> &'static str {
    let mut all = rows(SETTINGS).into_iter();
    let [_, text] = all.find(|[other, _]| *other == name).unwrap();
    text
}

fn environments() -> Vec<Case> {
    let table = "
        another repository | GIT_DIR=OTHER
        another work tree | GIT_WORK_TREE=OTHER
        another index | GIT_INDEX_FILE=OTHER/config
        other objects | GIT_OBJECT_DIRECTORY=OTHER/objects GIT_ALTERNATE_OBJECT_DIRECTORIES=OTHER/objects
        settings | GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.fsmonitor GIT_CONFIG_VALUE_0=PROGRAM
        settings of old | GIT_CONFIG_PARAMETERS='core.fsmonitor=PROGRAM'
        external diff | GIT_EXTERNAL_DIFF=PROGRAM
        command for SSH | GIT_SSH_COMMAND=PROGRAM GIT_SSH=PROGRAM GIT_PROXY_COMMAND=PROGRAM
        pager, editor and questions | GIT_PAGER=PROGRAM PAGER=PROGRAM GIT_EDITOR=PROGRAM GIT_ASKPASS=PROGRAM SSH_ASKPASS=PROGRAM
    ";
    let case = |[name, variables]: [&'static str; 2]| {
        let variables = variables.split(' ').map(|one| one.split_once('=').unwrap());
        let variables: Vec<(&'static str, &'static str)> = variables.collect();
        let what: Vec<&str> = variables.iter().map(|(name, _)| *name).collect();
        let what = format!("`{}`", what.join("`, `"));
        Case::new(format!("environment: {name}"), what, move || {
            let folder = repository();
            let program = program(&folder).display().to_string();
            let other = folder.path().join("other");
            plant(&other, &settings(&folder, setting("promisor remote")));
            let other = other.display().to_string();
            let value = |text: &str| text.replace("PROGRAM", &program).replace("OTHER", &other);
            let variables = variables.iter().map(|(name, text)| (*name, value(text)));
            nothing_runs(&folder, &variables.collect::<Vec<_>>())
        })
    };
    rows(table).into_iter().map(case).collect()
}
