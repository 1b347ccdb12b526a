//! A run that was asked to check something and found nothing to read does not exit with 0. Each row
//! of the table runs the real script or command.

use std::fs;
use std::path::Path;

use rayon::prelude::*;
use serde_json::json;

use crate::action::{Event, Runner};
use crate::comment_action::{Scratch, artifact, pull};
use crate::prow::{Release, template, verify};
use crate::support::folder::{Folder, NAME, README, report};
use crate::support::git::git;
use crate::support::report::ReportBuilder;
use crate::support::{Output, run_with};

/// Entry point in a situation, exit code, and start of the first line that it prints to standard
/// error, or else to standard output. The standard output of the action is the job summary.
type Row = (Entry, i32, &'static str);

#[derive(Debug, Clone, Copy)]
enum Entry {
    /// A command in the folder of [`inputs`].
    Command(&'static str),
    Hook(Hook),
    Action(Action),
    Prow(Prow),
    Comment(Comment),
}

use Entry::{Action as A, Command, Comment as C, Hook as H, Prow as P};

/// The hook in a clone of [`history`].
#[derive(Debug, Clone, Copy)]
struct Hook {
    checkout: &'static str,
    /// Branch whose files are staged.
    staged: &'static str,
    /// `--from-ref` and `--to-ref`.
    refs: Option<(&'static str, &'static str)>,
    args: &'static [&'static str],
}

/// `pre-commit run --all-files`
const ALL_FILES: Hook = Hook {
    checkout: "base",
    staged: "",
    refs: None,
    args: &[],
};

const COMMIT: Hook = Hook {
    staged: "bad",
    ..ALL_FILES
};

const RANGE: Hook = Hook {
    checkout: "bad",
    refs: Some(("origin/base", "HEAD")),
    ..ALL_FILES
};

/// The action in a clone of [`history`], with an event whose commits are branches.
#[derive(Debug, Clone, Copy)]
struct Action {
    event: &'static str,
    sha: &'static str,
    /// Head and base of the pull request.
    pull: Option<(&'static str, &'static str)>,
    /// Base of the merge group, or commit before the push.
    before: &'static str,
    checkout: &'static str,
    is_shallow: bool,
    /// The workspace has a folder `.git`.
    has_git: bool,
    with: &'static [(&'static str, &'static str)],
}

const MANUAL: Action = Action {
    event: "workflow_dispatch",
    sha: "base",
    pull: None,
    before: "",
    checkout: "base",
    is_shallow: false,
    has_git: true,
    with: &[],
};

const PULL: Action = Action {
    event: "pull_request",
    sha: "merge",
    pull: Some(("bad", "base")),
    checkout: "merge",
    ..MANUAL
};

const QUEUE: Action = Action {
    event: "merge_group",
    sha: "merge",
    before: "base",
    checkout: "merge",
    ..MANUAL
};

const PUSH: Action = Action {
    event: "push",
    ..QUEUE
};

/// The script in a clone of [`history`].
#[derive(Debug, Clone, Copy)]
struct Prow {
    checkout: &'static str,
    is_shallow: bool,
    script: Script,
    variables: &'static [(&'static str, &'static str)],
}

#[derive(Debug, Clone, Copy)]
enum Script {
    Template,
    /// The file of a release.
    Release,
    /// The file of a release, without a network.
    Offline,
}

/// A job for a pull request.
const JOB: Prow = Prow {
    checkout: "merge",
    is_shallow: false,
    script: Script::Release,
    variables: &[
        ("CI", "true"),
        ("PROW_JOB_ID", "1"),
        ("PULL_NUMBER", "34"),
        ("PULL_BASE_SHA", "origin/base"),
    ],
};

/// A job after the merge, in which the base is the checked-out commit.
const AFTER: Prow = Prow {
    variables: &[("CI", "true"), ("PULL_BASE_SHA", "HEAD")],
    ..JOB
};

const LAPTOP: Prow = Prow {
    checkout: "later",
    is_shallow: false,
    script: Script::Release,
    variables: &[],
};

#[derive(Debug, Clone, Copy)]
struct Comment {
    event: &'static str,
    conclusion: &'static str,
    response: Response,
    artifacts: &'static [Artifact],
}

/// Response of GitHub.
#[derive(Debug, Clone, Copy)]
enum Response {
    /// The commit of the run is the head of one open pull request.
    Open,
    /// The commit is the head of no open pull request.
    Closed,
    /// The commit is the head of two open pull requests.
    Twice,
    /// The list of artifacts is not JSON.
    NotJson,
    /// The list of artifacts is replaced by an object such as that of an error.
    NotListed,
    /// The list of artifacts contains something other than an object.
    NoObject,
    /// No response, because `gh` is not installed.
    WithoutGh,
}

#[derive(Debug, Clone, Copy)]
enum Artifact {
    Good,
    Expired,
    Large,
    WithoutComment,
}

const RUN: Comment = Comment {
    event: "pull_request",
    conclusion: "failure",
    response: Response::Open,
    artifacts: &[],
};

/// A commit that no branch of the clone contains.
const REPLACED: &str = "replaced";
const ZEROS: &str = "0000000000000000000000000000000000000000";

const NO_REPORT: &str = "error: no report was read; expected files such as";
const NO_REPORT_IN_EMPTY: &str = "error: empty: no report was read; expected files such as";
const NO_FILE: &str =
    "error: no object of the Gateway API in 0 files; expected files .yaml, .yml or .json";
const NO_OBJECT: &str = "error: no object of the Gateway API in 1 file; ";
const NO_TREE: &str = "error: found neither conformance/reports nor reports";
const NOTICE: &str = "nothing to check: found no reports tree in conformance/reports or reports, ";
const SHALLOW: &str = "error: --since: unknown commit `COMMIT`; a shallow clone has only one branch; fetch the other with `git fetch origin BRANCH:refs/remotes/origin/BRANCH`, or check out with fetch-depth: 0";
const SHALLOW_TOO: &str =
    "error: the clone is shallow and may lack COMMIT; check out with fetch-depth: 0";
const NOT_CHECKED_OUT: &str = "error: the checkout does not contain commit COMMIT of the event; check out that commit, or set the input \"since\"";
const NO_GIT: &str = "fatal: not a git repository";
const TEMPLATE: &str = "ERROR: this file is a template; copy verify-conformance-reports.sh";
const NOT_EXPECTED: &str = "error: gh api repos/acme/reports/actions/runs/7/artifacts: the response is not in the expected format";
const NOT_CHECKED: &str = "ERROR: the conformance reports were not checked: ";

#[rustfmt::skip]
const TABLE: &[Row] = &[
    // A folder without anything.
    (Command("check nothing"), 3, "error: nothing: no report, and not a reports tree"),
    (Command("certify nothing"), 3, "error: nothing: no report, and not a reports tree"),
    (Command("needs nothing"), 3, NO_FILE),
    (Command("resources nothing"), 3, NO_FILE),
    // A tree without a report.
    (Command("check empty"), 3, NO_REPORT),
    (Command("check empty --fail-on never"), 3, NO_REPORT),
    (Command("check empty --fix"), 3, NO_REPORT),
    (Command("check empty --diff"), 3, NO_REPORT),
    (Command("check empty --write-baseline b.json"), 3, NO_REPORT),
    (Command("check empty/README.md"), 3, NO_REPORT),
    (Command("certify empty"), 3, NO_REPORT_IN_EMPTY),
    (Command("site empty --out s"), 3, NO_REPORT_IN_EMPTY),
    (Command("badge acme --in empty"), 3, NO_REPORT_IN_EMPTY),
    (Command("export list empty"), 3, NO_REPORT_IN_EMPTY),
    (Command("export tables empty --out t"), 3, NO_REPORT_IN_EMPTY),
    (Command("export wizard empty"), 3, NO_REPORT_IN_EMPTY),
    (Command("outlook --in empty"), 3, NO_REPORT_IN_EMPTY),
    (Command("features HTTPRouteCORS --in empty"), 3, NO_REPORT_IN_EMPTY),
    (Command("tests --most-skipped --in empty"), 3, NO_REPORT_IN_EMPTY),
    (Command("diff acme acme --in empty"), 3, NO_REPORT_IN_EMPTY),
    (Command("needs route.yaml --in empty"), 3, NO_REPORT_IN_EMPTY),
    // A tree with only a README, and one of another project.
    (Command("check readme"), 1, "error[tree/no-reports]"),
    (Command("certify readme"), 3, "error: readme: no report was read; expected files such as"),
    (Command("check other"), 1, "error[report/other-project]"),
    (Command("check other --ignore report"), 3, NO_REPORT),
    (Command("certify other"), 3, "error: other: no report was read; expected files such as"),
    // Manifests and resources without an object of the Gateway API.
    (Command("needs empty.yaml"), 3, NO_OBJECT),
    (Command("needs note.yaml"), 3, NO_OBJECT),
    (Command("needs empty.yaml --crds v1.6/standard"), 3, NO_OBJECT),
    (Command("resources empty.yaml"), 3, NO_OBJECT),
    (Command("resources note.yaml"), 3, NO_OBJECT),
    (Command("resources note.yaml --fail-on never"), 3, NO_OBJECT),
    (Command("resources -"), 3, NO_OBJECT),
    (Command("verify --log empty.yaml"), 3, "error: empty.yaml: no conformance run found"),
    (Command("resources service.yaml"), 3, NO_OBJECT),
    (
        Command("check nested --ignore tree"),
        3,
        "could not be read: nested/v1.5/acme-operator/a/b/c/d/e (it is nested more than 4 folders",
    ),
    (
        Command("site nested --out s"),
        3,
        "error: could not be read: nested/v1.5/acme-operator/a/b/c/d/e (it is nested more than 4 folders",
    ),
    (Command("certify broken"), 3, "error: broken: no report was read; expected files such as"),
    (Command("check broken --select change"), 2, "error: the selected rules apply to changes"),
    // An input that is empty on purpose.
    (Command("check nothing --allow-empty"), 0, "nothing to check: "),
    (Command("needs nothing --allow-empty"), 0, ""),
    (Command("resources nothing --allow-empty"), 0, ""),
    (Command("certify broken --allow-empty"), 0, ""),
    (Command("check empty --allow-empty"), 0, "no findings in 0 reports"),
    (Command("check empty --diff --allow-empty"), 0, ""),
    (Command("certify empty --allow-empty"), 0, "No reports"),
    (Command("site empty --out s --allow-empty"), 0, ""),
    (Command("export list empty --allow-empty"), 0, ""),
    (Command("needs note.yaml --allow-empty"), 0, ""),
    (Command("resources note.yaml --allow-empty"), 0, ""),
    // A commit.
    (H(COMMIT), 1, "2 errors in 1 of 3 files"),
    (H(Hook { staged: "notes", ..COMMIT }), 0, "no report changed"),
    (H(Hook { args: &["--strict"], staged: "notes", ..COMMIT }), 0, "no report changed"),
    (H(Hook { args: &["--since=HEAD"], ..COMMIT }), 2, "error: the argument '--hook' cannot be used with '--since <REV>'"),
    (H(Hook { staged: "empty", ..COMMIT }), 3, NO_TREE),
    (H(Hook { staged: "beside", ..COMMIT }), 3, "error: site/report.yaml was not checked, because it is not in the reports tree"),
    (H(Hook { checkout: "empty", staged: "more", ..COMMIT }), 0, NOTICE),
    (H(Hook { checkout: "empty", staged: "elsewhere", ..COMMIT }), 0, "no errors in"),
    // `--all-files`
    (H(ALL_FILES), 1, "error[report/value-not-allowed]: `profiles[0].core.result` is `sucess`"),
    (H(Hook { args: &["--baseline=baseline.json"], ..ALL_FILES }), 0, "no findings in 3 reports of 3 submissions (1 release), 1 accepted"),
    (H(Hook { args: &["reports"], ..ALL_FILES }), 2, "error: reports: no such file or folder; expected a reports tree"),
    (H(Hook { checkout: "empty", ..ALL_FILES }), 0, NOTICE),
    (H(Hook { checkout: "elsewhere", ..ALL_FILES }), 0, "not checked: .: rules `tree/*`"),
    // `--from-ref` and `--to-ref`, which pre-commit also uses for a push.
    (H(RANGE), 1, "2 errors in 1 of 3 files"),
    (H(Hook { checkout: "notes", ..RANGE }), 0, "no report changed"),
    (H(Hook { checkout: "later", refs: Some(("origin/base", "origin/bad")), ..RANGE }), 3, "error: `origin/bad` is not the checked-out commit"),
    (H(Hook { refs: Some((ZEROS, "HEAD")), ..RANGE }), 2, "error: --since: unknown commit `COMMIT`"),
    (H(Hook { checkout: "more", refs: Some(("origin/empty", "HEAD")), ..RANGE }), 0, NOTICE),
    (H(Hook { checkout: "elsewhere", refs: Some(("origin/empty", "HEAD")), ..RANGE }), 0, "no errors in"),
    // A pull request.
    (A(PULL), 1, "## 2 errors in 1 of 3 files"),
    (A(Action { pull: Some(("notes", "base")), sha: "merge-notes", checkout: "merge-notes", ..PULL }), 0, "## no report changed"),
    (A(Action { pull: Some(("more", "empty")), sha: "merge-more", checkout: "merge-more", ..PULL }), 0, NOTICE),
    (A(Action { checkout: "bad", ..PULL }), 1, "## 2 errors in 1 of 3 files"),
    (A(Action { checkout: "base", ..PULL }), 3, NOT_CHECKED_OUT),
    (A(Action { is_shallow: true, ..PULL }), 3, SHALLOW),
    (A(Action { is_shallow: true, checkout: "bad", ..PULL }), 3, SHALLOW),
    (A(Action { is_shallow: true, checkout: "base", ..PULL }), 3, SHALLOW_TOO),
    // GitHub has merged a newer base than that of the event, which contains an error of its own.
    (A(Action { sha: "merge-later", checkout: "merge-later", ..PULL }), 1, "## 2 errors in 1 of 3 files"),
    (A(Action { has_git: false, ..PULL }), 3, NO_GIT),
    // The author has merged the base, so the first parent of HEAD contains the change.
    (A(Action { pull: Some(("own", "later")), sha: "merge-own", checkout: "own", ..PULL }), 1, "## 2 errors in 1 of 3 files"),
    (A(Action { pull: Some(("own", "later")), sha: "merge-own", checkout: "merge-own", ..PULL }), 1, "## 2 errors in 1 of 3 files"),
    (A(Action { pull: Some(("notes", "base")), sha: "merge-notes", checkout: "trap", ..PULL }), 1, "## 2 errors in 1 of 4 files"),
    (A(Action { event: "pull_request_target", sha: "base", checkout: "base", ..PULL }), 3, NOT_CHECKED_OUT),
    (A(Action { event: "pull_request_target", sha: "base", ..PULL }), 1, "## 2 errors in 1 of 3 files"),
    // Inputs.
    (A(Action { with: &[("since", "origin/bad")], ..PULL }), 0, "## no report changed"),
    (A(Action { with: &[("since", "orign/main")], ..PULL }), 2, "error: --since: unknown commit `orign/main`"),
    (A(Action { with: &[("strict", "true")], ..PULL }), 1, "## 2 errors in 1 of 3 files"),
    (A(Action { with: &[("strict", "yes")], ..PULL }), 2, "error: strict: expected true or false, found yes"),
    (A(Action { with: &[("strict", "")], ..PULL }), 2, "error: strict: expected true or false, found ''"),
    (A(Action { with: &[("fail-on", "errors")], ..PULL }), 2, "error: invalid value 'errors' for '--fail-on <SEVERITY>'"),
    (A(Action { with: &[("path", "reports")], ..PULL }), 2, "error: reports: no such file or folder"),
    // A merge queue.
    (A(QUEUE), 1, "## 2 errors in 1 of 3 files"),
    (A(Action { sha: "merge-notes", checkout: "merge-notes", ..QUEUE }), 0, "## no report changed"),
    (A(Action { checkout: "base", ..QUEUE }), 3, NOT_CHECKED_OUT),
    (A(Action { is_shallow: true, ..QUEUE }), 3, SHALLOW),
    (A(Action { has_git: false, ..QUEUE }), 3, NO_GIT),
    // A push.
    (A(PUSH), 1, "## 2 errors in 1 of 3 files"),
    (A(Action { sha: "merge-notes", checkout: "merge-notes", ..PUSH }), 0, "## no report changed"),
    (A(Action { is_shallow: true, ..PUSH }), 3, SHALLOW_TOO),
    (A(Action { has_git: false, ..PUSH }), 3, NO_GIT),
    // Without the commit before the push, the whole tree is checked.
    (A(Action { before: ZEROS, ..PUSH }), 1, "## 2 errors in 2 of 9 files"),
    (A(Action { before: ZEROS, is_shallow: true, ..PUSH }), 1, "## 2 errors in 2 of 9 files"),
    (A(Action { before: REPLACED, ..PUSH }), 1, "## 2 errors in 2 of 9 files"),
    (A(Action { before: "later", ..PUSH }), 1, "## 2 errors in 2 of 9 files"),
    (A(Action { checkout: "base", ..PUSH }), 1, "## 1 error in 1 of 9 files"),
    // Other events.
    (A(MANUAL), 1, "## 1 error in 1 of 9 files"),
    (A(Action { with: &[("baseline", "baseline.json")], ..MANUAL }), 0, "## no errors in 9 files"),
    (A(Action { checkout: "empty", ..MANUAL }), 3, NO_TREE),
    (A(Action { has_git: false, ..MANUAL }), 1, "## 1 error in 1 of 9 files"),
    // A job of Prow.
    (P(JOB), 1, "2 errors in 1 of 5 files"),
    (P(Prow { checkout: "merge-notes", ..JOB }), 0, "no report changed"),
    (P(Prow { script: Script::Offline, ..JOB }), 3, NOT_CHECKED),
    (P(Prow { script: Script::Offline, variables: &[("CI", "true")], ..JOB }), 3, NOT_CHECKED),
    (P(Prow { script: Script::Offline, variables: &[("PULL_NUMBER", "34")], ..JOB }), 3, NOT_CHECKED),
    (P(Prow { script: Script::Offline, variables: &[("PROW_JOB_ID", "1")], ..JOB }), 3, NOT_CHECKED),
    (P(Prow { script: Script::Template, ..JOB }), 2, TEMPLATE),
    (P(Prow { variables: &[("PULL_BASE_REF", "release-1.6")], ..JOB }), 0, "Skipped: release branches contain no new conformance reports"),
    (P(Prow { is_shallow: true, ..JOB }), 3, "error: --since: unknown commit `origin/base`; a shallow clone"),
    (P(Prow { variables: &[("CI", "true"), ("PULL_BASE_SHA", "orign/main")], ..JOB }), 2, "error: --since: unknown commit `orign/main`"),
    (P(Prow { variables: &[("GWCONFORM", "/missing/gwconform")], ..JOB }), 2, "ERROR: GWCONFORM: /missing/gwconform: no such program"),
    (P(AFTER), 1, "2 errors in 1 of 5 files"),
    (P(Prow { is_shallow: true, ..AFTER }), 3, "ERROR: the conformance reports were not checked: HEAD has no parent in this clone"),
    (P(Prow { checkout: "main", variables: &[("CI", "true")], ..JOB }), 1, "2 errors in 1 of 5 files"),
    // A laptop.
    (P(LAPTOP), 0, "no report changed"),
    (P(Prow { checkout: "merge-later", ..LAPTOP }), 1, "2 errors in 1 of 5 files"),
    (P(Prow { script: Script::Offline, ..LAPTOP }), 0, "NOTICE: the conformance reports were not checked: gwconform 0.1.0 could not be downloaded"),
    (P(Prow { script: Script::Template, ..LAPTOP }), 2, TEMPLATE),
    // A comment.
    (C(RUN), 3, "error: run 7 has no artifact named 'gwconform'"),
    (C(Comment { conclusion: "cancelled", ..RUN }), 0, "the run has no artifact: its conclusion is cancelled"),
    (C(Comment { artifacts: &[Artifact::Good], ..RUN }), 0, "#34: posted the comment"),
    (C(Comment { artifacts: &[Artifact::Expired, Artifact::Good], ..RUN }), 0, "#34: posted the comment"),
    (C(Comment { artifacts: &[Artifact::Good, Artifact::Expired], ..RUN }), 3, "error: the artifact 'gwconform' of run 7 has expired"),
    (C(Comment { artifacts: &[Artifact::Large], ..RUN }), 1, "error: the artifact 'gwconform' is larger than 1 MiB"),
    (C(Comment { artifacts: &[Artifact::WithoutComment], ..RUN }), 1, "error: the artifact contains neither comment.md nor suggestions.json"),
    (C(Comment { event: "push", ..RUN }), 0, "the run is not for a pull request"),
    (C(Comment { response: Response::Closed, ..RUN }), 0, "no open pull request has this commit as its head"),
    (C(Comment { response: Response::Twice, ..RUN }), 0, "2 open pull requests have this commit as their head; expected one"),
    (C(Comment { response: Response::NotJson, ..RUN }), 3, NOT_EXPECTED),
    (C(Comment { response: Response::NotListed, ..RUN }), 3, NOT_EXPECTED),
    (C(Comment { response: Response::NoObject, ..RUN }), 3, NOT_EXPECTED),
    (C(Comment { response: Response::WithoutGh, ..RUN }), 3, "error: cannot run gh: No such file or directory"),
];

#[test]
fn fails_without_anything_to_read() {
    let history = history();
    let different: Vec<String> = TABLE
        .par_iter()
        .filter_map(|(entry, code, line)| {
            let output = match entry {
                Command(arguments) => inputs().run(arguments),
                H(hook) => hook.run(&history),
                A(action) => action.run(&history),
                P(prow) => prow.run(&history),
                C(comment) => comment.run(),
            };
            let found = first_line(&output);
            let is_same = output.code == *code && found.starts_with(line);
            (!is_same).then(|| {
                format!(
                    "{entry:?}\n  expected {code} {line}\n  found    {} {found}",
                    output.code
                )
            })
        })
        .collect();
    assert!(different.is_empty(), "{}", different.join("\n"));
}

/// Commits and temporary folders differ in each run, and curl words its errors itself.
fn first_line(output: &Output) -> String {
    let mut errors = output
        .stderr
        .lines()
        .filter(|line| !line.starts_with("curl: "));
    let line = errors.next().or(output.stdout.lines().next());
    let commit = regex::Regex::new("[0-9a-f]{40}").unwrap();
    commit
        .replace_all(line.unwrap_or_default(), "COMMIT")
        .into_owned()
}

fn inputs() -> Folder {
    let folder = Folder::new();
    fs::create_dir_all(folder.path().join("empty/v1.6")).unwrap();
    let other = format!("GatewayAPIInferenceExtensionVersion: v1.1.0\n{}", report());
    folder
        .file("nothing/notes.txt", "notes\n")
        .file("empty/README.md", "# Reports\n")
        .file("readme/v1.6/acme-operator/README.md", README)
        .file(&format!("other/v1.5/acme-operator/{NAME}"), other)
        .file(&format!("broken/v1.5/acme-operator/{NAME}"), "a: [")
        .file(
            "nested/v1.5/acme-operator/a/b/c/d/e/f/report.yaml",
            report(),
        )
        .file(
            "service.yaml",
            "apiVersion: v1\nkind: Service\nmetadata: {name: a}\n",
        )
        .file("empty.yaml", "")
        .file("note.yaml", "apiVersion: v1\nkind: Note\n")
        .file(
            "route.yaml",
            "apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: a}\n",
        );
    folder
}

impl Hook {
    fn run(self, history: &Folder) -> Output {
        let folder = Folder::new();
        clone(history, folder.path(), self.checkout, false);
        if !self.staged.is_empty() {
            let source = format!("--source=origin/{}", self.staged);
            git(
                folder.path(),
                &["restore", &source, "--staged", "--worktree", "."],
            );
        }
        let given = self.args.iter().map(|one| (*one).to_owned());
        let arguments: Vec<String> = crate::hook::hooks()[0]
            .iter()
            .cloned()
            .chain(given)
            .collect();
        let variables = self
            .refs
            .map(|(from, to)| [("PRE_COMMIT_FROM_REF", from), ("PRE_COMMIT_TO_REF", to)]);
        run_with(
            folder.path(),
            &arguments,
            variables.as_ref().map_or(&[], |two| two),
            b"",
        )
    }
}

impl Action {
    fn run(self, history: &Folder) -> Output {
        let runner = Runner::new();
        let workspace = runner.path("workspace");
        fs::remove_dir_all(&workspace).unwrap();
        clone(history, &workspace, self.checkout, self.is_shallow);
        if !self.has_git {
            fs::remove_dir_all(workspace.join(".git")).unwrap();
        }
        let commit = |name: &str| match name {
            "" | ZEROS => name.to_owned(),
            _ => git(history.path(), &["rev-parse", name]).trim().to_owned(),
        };
        let before = commit(self.before);
        let (pull_head, pull_base) = self.pull.unwrap_or_default();
        let (queue_base, before) = match self.event {
            "merge_group" => (before, String::new()),
            _ => (String::new(), before),
        };
        let event = Event {
            name: self.event.to_owned(),
            sha: commit(self.sha),
            pull_head: commit(pull_head),
            pull_base: commit(pull_base),
            queue_base,
            before,
        };
        runner.check(&event, self.with)
    }
}

impl Prow {
    fn run(self, history: &Folder) -> Output {
        let folder = Folder::new();
        clone(history, folder.path(), self.checkout, self.is_shallow);
        let release = Release::new();
        let script = match self.script {
            Script::Template => template(),
            Script::Release | Script::Offline => release.script.clone(),
        };
        if matches!(self.script, Script::Offline) {
            release.withdraw();
        }
        verify(folder.path(), &script, self.variables)
    }
}

impl Comment {
    fn run(self) -> Output {
        let scratch = Scratch::new();
        scratch.event(self.event, self.conclusion);
        let artifacts = self.artifacts.iter().zip(1..).map(|(kind, nth)| {
            // The content is that of the last one.
            let id = if nth == self.artifacts.len() { 9 } else { 1 };
            let mut artifact = artifact(id, &format!("2026-03-0{nth}T00:00:00Z"));
            match kind {
                Artifact::Good => scratch.artifact(&[("comment.md", b"## no errors in 5 files\n")]),
                Artifact::Expired => artifact["expired"] = json!(true),
                Artifact::Large => artifact["size_in_bytes"] = json!(2_000_000),
                Artifact::WithoutComment => scratch.artifact(&[("number", b"1")]),
            }
            artifact
        });
        let artifacts: Vec<_> = artifacts.collect();
        let pulls = "repos_acme_reports_pulls";
        let list = "repos_acme_reports_actions_runs_7_artifacts";
        scratch.answer(list, &json!([{ "artifacts": artifacts }]));
        match self.response {
            Response::Open => {}
            Response::Closed => scratch.answer(pulls, &json!([[]])),
            Response::Twice => scratch.answer(pulls, &json!([[pull(34), pull(35)]])),
            Response::NotJson => scratch.answer_with(list, "<html>"),
            Response::NotListed => scratch.answer(list, &json!([{ "message": "Not Found" }])),
            Response::NoObject => scratch.answer(list, &json!([{ "artifacts": [1] }])),
            Response::WithoutGh => return scratch.run_without_gh(),
        }
        scratch.run()
    }
}

/// A repository whose branch `base` contains an old error. `bad` adds an error to it, and `notes`
/// only a file. `later` is a newer `base` with an error of its own. `own` and `trap` are merges by
/// the author of `bad`, of `later` and of `notes`. `empty` has no reports tree, `more` adds a file
/// to it, and `elsewhere` a report.
pub fn history() -> Folder {
    let folder = Folder::new();
    let branch = |name: &str, from: &str, change: &dyn Fn()| {
        git(folder.path(), &["checkout", "--quiet", "-B", name, from]);
        change();
        folder.commit();
    };
    let add_file = |path: &str, text: &str| _ = folder.file(path, text);
    let merge = |name: &str, first: &str, second: &str| {
        git(folder.path(), &["checkout", "--quiet", "-B", name, first]);
        git(
            folder.path(),
            &["merge", "--quiet", "--no-ff", "--no-edit", second],
        );
    };
    folder.file("main.go", "package main\n");
    folder.commit();
    branch("empty", "HEAD", &|| ());
    branch("more", "empty", &|| add_file("notes.md", "notes\n"));
    branch("elsewhere", "empty", &|| {
        add_file("site/report.yaml", &report())
    });
    branch("base", "empty", &|| {
        for (organization, day) in [("acme", 20), ("old", 21), ("umbrella", 22)] {
            let path = format!("conformance/reports/v1.5/{organization}-operator");
            let date = format!("2026-05-{day}T10:15:30Z");
            let report = ReportBuilder::new()
                .organization(organization)
                .date(&date)
                .build();
            folder.file(&format!("{path}/README.md"), README);
            folder.file(&format!("{path}/{NAME}"), report);
        }
        misspell_result(&folder, "old");
        folder.run("check --write-baseline baseline.json");
    });
    branch("beside", "base", &|| {
        add_file("site/report.yaml", &report())
    });
    branch("notes", "base", &|| add_file("notes.md", "notes\n"));
    branch("bad", "base", &|| misspell_result(&folder, "acme"));
    branch("later", "base", &|| misspell_result(&folder, "umbrella"));
    merge("merge-more", "empty", "more");
    merge("merge", "base", "bad");
    merge("merge-notes", "base", "notes");
    merge("merge-later", "later", "bad");
    merge("own", "bad", "later");
    merge("merge-own", "later", "own");
    merge("trap", "bad", "notes");
    branch("replaced", "base", &|| ());
    folder.git("update-ref refs/replaced HEAD");
    folder.git("checkout --quiet -B main later");
    folder.git("branch --quiet -D replaced");
    folder
}

fn misspell_result(folder: &Folder, organization: &str) {
    let path = format!("conformance/reports/v1.5/{organization}-operator/{NAME}");
    let text = folder.read(&path);
    folder.file(&path, text.replace("result: success", "result: sucess"));
}

pub fn clone(history: &Folder, to: &Path, checkout: &str, is_shallow: bool) {
    let source = format!("file://{}", history.path().display());
    let mut arguments = vec!["clone", "--quiet", "--branch", checkout];
    if is_shallow {
        arguments.push("--depth=1");
    }
    arguments.extend([source.as_str(), "."]);
    fs::create_dir_all(to).unwrap();
    git(to, &arguments);
}
