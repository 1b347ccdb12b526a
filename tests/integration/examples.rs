//! Runs the workflows and jobs in `examples/` that users copy, in repositories that contain nothing
//! else of gwconform, with a release in a folder. The steps are those of the files. Actions of others
//! are only simulated.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use gwconform_base::release::Registry;
use rayon::prelude::*;
use serde::Deserialize;

use crate::action::{Action, Event, Runner, Step, Values, expand};
use crate::comment_action::Scratch;
use crate::entry_points::{clone, history};
use crate::prow::Release;
use crate::support::Output;
use crate::support::folder::{Folder, TREE, files};
use crate::support::git::{commit_all, git};
use crate::support::suite_run::SuiteRun;

/// Workflow, situation, exit code, and the files that actions of others use, as `ACTION: FILE` with a
/// text of the file.
type Row = (
    &'static str,
    On,
    i32,
    &'static [(&'static str, &'static str)],
);

/// Event in a clone of [`history`], whose commits are branches.
#[derive(Debug, Clone, Copy)]
struct On {
    event: &'static str,
    checkout: &'static str,
    /// Head of the pull request.
    head: &'static str,
    is_fork: bool,
    /// Commands that prepare the workspace after the checkout.
    prepare: &'static str,
}

const PUSH: On = On {
    event: "push",
    checkout: "base",
    head: "",
    is_fork: false,
    prepare: "",
};

const PULL: On = On {
    event: "pull_request",
    checkout: "merge",
    head: "bad",
    ..PUSH
};

const GOOD_PULL: On = On {
    checkout: "merge-notes",
    head: "notes",
    ..PULL
};

const QUEUE: On = On {
    event: "merge_group",
    ..PULL
};

const EXPORT: On = On {
    prepare: "gwconform export tables --out comparison",
    ..PULL
};

const RELEASE: On = On {
    event: "release",
    checkout: "empty",
    ..PUSH
};

const REVIEW: (&str, &str) = ("upload-artifact: comment.md", "## 2 errors in 1 of 3 files");

#[rustfmt::skip]
const TABLE: &[Row] = &[
    ("github/check.yml", PULL, 1, &[REVIEW, ("upload-artifact: suggestions.json", "comments")]),
    ("github/check.yml", On { is_fork: true, ..PULL }, 1, &[REVIEW]),
    // GitHub has merged a newer base than that of the event, which contains an error of its own.
    ("github/check.yml", On { checkout: "merge-later", ..PULL }, 1, &[REVIEW]),
    ("github/check.yml", GOOD_PULL, 0, &[("upload-artifact: comment.md", "## no report changed")]),
    ("github/check.yml", On { prepare: "rm -r conformance", ..PULL }, 3, &[]),
    ("github/merge-queue.yml", QUEUE, 1, &[]),
    ("github/merge-queue.yml", On { event: "merge_group", ..GOOD_PULL }, 0, &[]),
    ("github/export.yml", EXPORT, 0, &[]),
    ("github/export.yml", On { prepare: "gwconform export tables --out comparison; echo >>comparison/v1.5.md", ..EXPORT }, 1, &[]),
    ("github/export.yml", PULL, 1, &[]),
    ("github/sarif.yml", PUSH, 0, &[("upload-sarif: gwconform.sarif", "sucess")]),
    ("github/sarif.yml", PULL, 0, &[("upload-sarif: gwconform.sarif", "acme-operator")]),
    ("github/sarif.yml", On { is_fork: true, ..PULL }, 0, &[]),
    ("github/sarif.yml", On { checkout: "empty", ..PUSH }, 3, &[]),
    ("github/pages.yml", PUSH, 0, &[
        ("upload-pages-artifact: index.html", "acme"),
        ("upload-pages-artifact: feed.atom", "https://acme.example/site/"),
        ("deploy-pages: ", ""),
    ]),
    ("github/pages.yml", On { checkout: "empty", ..PUSH }, 3, &[]),
    ("github/implementer.yml", RELEASE, 0, &[
        ("upload-artifact: submission.patch", "diff --git"),
        ("upload-artifact: pull-request.md", "/area conformance"),
        ("upload-artifact: report.yaml", "v2.14.0"),
    ]),
    // A feature is lost, the log does not prove the report, or `go` fails.
    ("github/implementer.yml", On { head: "lost", ..RELEASE }, 1, &[("upload-artifact: run.log", "")]),
    ("github/implementer.yml", On { prepare: "echo >../run.log", ..RELEASE }, 3, &[("upload-artifact: run.log", "")]),
    ("github/implementer.yml", On { prepare: "echo 'exit 1' >>../bin/go", ..RELEASE }, 1, &[("upload-artifact: run.log", "")]),
    ("gitlab/gwconform.yml", PULL, 1, &[("junit: junit.xml", "sucess")]),
    ("gitlab/gwconform.yml", On { checkout: "bad", ..PULL }, 1, &[("junit: junit.xml", "sucess")]),
    ("gitlab/gwconform.yml", GOOD_PULL, 0, &[("junit: junit.xml", "<testsuites")]),
    // A pipeline for merged results.
    ("gitlab/gwconform.yml", On { event: "merged", checkout: "merge-later", ..PULL }, 1, &[("junit: junit.xml", "failures=\"1\" errors=")]),
    ("gitlab/gwconform.yml", On { event: "other checksum", ..PULL }, 1, &[]),
    ("prow/gwconform.yaml", PULL, 1, &[("junit: junit_gwconform.xml", "sucess")]),
    ("prow/gwconform.yaml", GOOD_PULL, 0, &[("junit: junit_gwconform.xml", "<testsuites")]),
    ("prow/gwconform.yaml", On { event: "offline", ..PULL }, 3, &[]),
];

#[test]
fn examples_run_in_a_repository_without_gwconform() {
    let history = history();
    let different: Vec<String> = TABLE
        .par_iter()
        .filter_map(|(path, on, code, expected)| {
            let mut run = Run::new(&history, *on);
            let output = match path.split_once('/').unwrap().0 {
                "github" => run.workflow(&read(path)),
                "gitlab" => run.gitlab(&read(path)),
                _ => run.prow(&read(path)),
            };
            let has = |(name, text): &(&str, &str)| {
                run.used.get(*name).is_some_and(|used| used.contains(text))
            };
            let is_same = output.code == *code
                && expected.iter().all(has)
                && expected.is_empty() == run.used.is_empty();
            let found: Vec<_> = run.used.keys().take(9).collect();
            (!is_same).then(|| {
                format!(
                    "{path} {on:?}\n  expected {code} {expected:?}\n  found {found:?} {output:?}"
                )
            })
        })
        .collect();
    assert!(different.is_empty(), "{}", different.join("\n"));
    let tried: BTreeSet<&str> = TABLE.iter().map(|row| row.0).collect();
    for folder in ["github", "gitlab", "prow"] {
        for name in files(&examples().join(folder)).into_keys() {
            let path = format!("{folder}/{name}");
            assert!(
                tried.contains(path.as_str()) || name == "comment.yml",
                "{path}"
            );
        }
    }
}

/// `comment.yml` posts what `check.yml` uploads.
#[test]
fn the_comment_is_that_of_the_check() {
    let history = history();
    let mut check = Run::new(&history, PULL);
    check.workflow(&read("github/check.yml"));
    let uploaded = check
        .used
        .iter()
        .map(|(name, text)| (name.rsplit(' ').next().unwrap(), text.as_bytes()));
    let scratch = Scratch::new();
    scratch.artifact(&uploaded.collect::<Vec<_>>());
    scratch.event("pull_request", "failure");
    let mut comment = Run::new(
        &history,
        On {
            event: "workflow_run",
            ..PUSH
        },
    );
    comment.runner.program(
        "bin/gh",
        &format!("exec {} \"$@\"", scratch.path("bin/gh").display()),
    );
    let event = scratch.path("event.json").display().to_string();
    for (name, value) in [
        ("ANSWERS", scratch.path("").display().to_string()),
        ("GITHUB_EVENT_PATH", event),
        ("GITHUB_REPOSITORY", "acme/reports".to_owned()),
    ] {
        comment.runner.variables.push((name.to_owned(), value));
    }
    comment.values.insert(
        "github.event.workflow_run.event".to_owned(),
        "push".to_owned(),
    );
    let workflow = read("github/comment.yml");
    let checked: Workflow = serde_yaml::from_str(&read("github/check.yml")).unwrap();
    let posted: Workflow = serde_yaml::from_str(&workflow).unwrap();
    assert_eq!(
        posted.on["workflow_run"]["workflows"][0],
        checked.name.as_str()
    );
    let upload = checked.jobs["check"]["steps"].as_sequence().unwrap().last();
    let name = plain(&upload.unwrap()["with"]["name"]);
    assert_eq!(Action::read("comment").inputs(&[])["artifact"], name);
    assert_eq!(
        comment.workflow(&workflow).stdout,
        "",
        "a push has no pull request"
    );
    comment.values.insert(
        "github.event.workflow_run.event".to_owned(),
        "pull_request".to_owned(),
    );
    let output = comment.workflow(&workflow);
    assert_eq!(output.code, 0, "{output:?}");
    let calls = fs::read_to_string(scratch.path("calls")).unwrap();
    assert!(calls.contains("2 errors in 1 of 3 files"), "{calls}");
}

/// A merge queue waits for the checks of the same name.
#[test]
fn the_check_of_a_merge_group_has_the_name_of_the_other() {
    let jobs = ["check", "merge-queue"].map(|name| {
        let workflow: Workflow =
            serde_yaml::from_str(&read(&format!("github/{name}.yml"))).unwrap();
        workflow.jobs.into_iter().next().unwrap().0
    });
    assert_eq!(jobs[0], jobs[1]);
}

/// The workflow of this repository has all steps of the example, except for the installation.
#[test]
fn the_site_of_this_repository_has_the_steps_of_the_example() {
    let own = examples().join("../.github/workflows/pages.yml");
    let own: serde_yaml::Value = serde_yaml::from_str(&fs::read_to_string(own).unwrap()).unwrap();
    let example: serde_yaml::Value = serde_yaml::from_str(&read("github/pages.yml")).unwrap();
    for job in ["build", "deploy"] {
        assert_eq!(
            own["jobs"][job]["permissions"],
            example["jobs"][job]["permissions"]
        );
        let steps = |file: &serde_yaml::Value| {
            let steps = file["jobs"][job]["steps"].as_sequence().unwrap().iter();
            let steps = steps.map(|step| plain(&step["uses"]) + &plain(&step["run"]));
            steps
                .filter(|step| !step.contains("setup"))
                .collect::<Vec<_>>()
        };
        let own = steps(&own);
        let missing: Vec<_> = steps(&example)
            .into_iter()
            .filter(|step| !own.contains(step))
            .collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples")
}

fn read(path: &str) -> String {
    fs::read_to_string(examples().join(path)).unwrap()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Workflow {
    name: String,
    on: serde_yaml::Value,
    permissions: Rights,
    #[serde(rename = "concurrency", default)]
    _concurrency: String,
    jobs: serde_yaml::Mapping,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Job {
    #[serde(rename = "if", default)]
    condition: String,
    #[serde(default)]
    needs: String,
    runs_on: String,
    permissions: Rights,
    #[serde(default)]
    environment: String,
    #[serde(default)]
    env: BTreeMap<String, String>,
    steps: Vec<Step>,
}

type Rights = BTreeMap<String, String>;

/// Rights that an action requires.
const RIGHTS: &[(&str, &[(&str, &str)])] = &[
    ("OWNER/gwconform", &[]),
    ("OWNER/gwconform/setup", &[]),
    (
        "OWNER/gwconform/comment",
        &[("actions", "read"), ("pull-requests", "write")],
    ),
    ("actions/checkout", &[("contents", "read")]),
    ("actions/configure-pages", &[("pages", "read")]),
    (
        "actions/deploy-pages",
        &[("pages", "write"), ("id-token", "write")],
    ),
    ("actions/upload-artifact", &[]),
    ("actions/upload-pages-artifact", &[]),
    (
        "github/codeql-action/upload-sarif",
        &[("security-events", "write")],
    ),
];

struct Run<'a> {
    history: &'a Folder,
    on: On,
    runner: Runner,
    release: Release,
    checksum: String,
    values: Values,
    /// Texts of the files that actions of others used, by `ACTION: FILE`.
    used: BTreeMap<String, String>,
}

impl<'a> Run<'a> {
    fn new(history: &'a Folder, on: On) -> Self {
        let is_pull = on.event == "pull_request";
        let base = |is_asked: bool| commit(history, if is_asked { "base" } else { "" });
        let event = Event {
            name: on.event.to_owned(),
            sha: commit(history, on.checkout),
            pull_head: commit(history, if is_pull { on.head } else { "" }),
            pull_base: base(is_pull),
            queue_base: base(on.event == "merge_group"),
            before: base(on.event == "push"),
        };
        let runner = Runner::new();
        fs::remove_dir_all(runner.path("workspace")).unwrap();
        fs::remove_file(runner.path("temp/gwconform/bin/gwconform")).unwrap();
        let release = Release::new();
        let (checksum, curl) = release.curl();
        runner.program("bin/curl", &curl);
        let mut values = event.values();
        for (name, value) in [
            (
                "github.event.pull_request.head.repo.fork",
                on.is_fork.to_string().as_str(),
            ),
            ("github.event.release.tag_name", "v2.14.0"),
            ("runner.temp", runner.path("temp").to_str().unwrap()),
        ] {
            values.insert(name.to_owned(), value.to_owned());
        }
        Self {
            history,
            on,
            runner,
            release,
            checksum,
            values,
            used: BTreeMap::new(),
        }
    }

    /// Clones a branch of the history into the workspace, and runs the commands of the situation.
    fn check_out(&self, is_shallow: bool) {
        let workspace = self.runner.path("workspace");
        clone(self.history, &workspace, self.on.checkout, is_shallow);
        self.prepare(&workspace);
    }

    fn prepare(&self, folder: &Path) {
        let program = env!("CARGO_BIN_EXE_gwconform");
        let prepare = format!("gwconform() {{ {program} \"$@\"; }}; {}", self.on.prepare);
        let output = Command::new("bash")
            .args(["-c", &prepare])
            .current_dir(folder)
            .output();
        assert!(output.as_ref().unwrap().status.success(), "{output:?}");
    }

    fn workflow(&mut self, text: &str) -> Output {
        let workflow: Workflow = serde_yaml::from_str(text).unwrap();
        assert!(workflow.permissions.is_empty());
        let is_listed = match &workflow.on {
            serde_yaml::Value::String(event) => event == self.on.event,
            events => events.get(self.on.event).is_some(),
        };
        assert!(is_listed, "{}", self.on.event);
        let mut last = Output::from(Command::new("true").output().unwrap());
        for (name, job) in workflow.jobs {
            let job: Job = serde_yaml::from_value(job).unwrap();
            assert_eq!(job.runs_on, "ubuntu-24.04");
            assert_eq!(job.permissions, rights(&job.steps), "{name:?}");
            assert_eq!(
                job.environment.is_empty(),
                !job.permissions.contains_key("id-token")
            );
            if self.is_met(&job.condition) && (job.needs.is_empty() || last.code == 0) {
                last = self.job(&job);
            }
        }
        last
    }

    /// Runs the steps, and returns the output of the first that fails, or else of the last.
    fn job(&mut self, job: &Job) -> Output {
        for (name, value) in &job.env {
            let value = expand(value, &self.values);
            self.values.insert(format!("env.{name}"), value.clone());
            self.runner.variables.push((name.clone(), value));
        }
        let mut last = Output::from(Command::new("true").output().unwrap());
        for step in &job.steps {
            let is_run = last.code == 0 || step.condition.contains("!cancelled()");
            if !is_run || !self.is_met(&step.condition) || step.run.ends_with("&& exit 1") {
                continue;
            }
            let output = if step.uses.is_empty() {
                Some(self.runner.step(step, "", self.values.clone()))
            } else {
                self.action(step)
            };
            if let Some(output) = output.filter(|_| last.code == 0) {
                last = output;
            }
        }
        last
    }

    /// Runs an action of this repository, or simulates an action of others.
    fn action(&mut self, step: &Step) -> Option<Output> {
        let (name, commit) = step.uses.split_once('@').unwrap();
        let with: BTreeMap<&str, String> = step
            .with
            .iter()
            .map(|(name, value)| (name.as_str(), expand(&plain(value), &self.values)))
            .collect();
        if let Some(folder) = name.strip_prefix("OWNER/gwconform") {
            assert_eq!(commit, "COMMIT");
            return Some(self.own_action(folder.trim_start_matches('/'), step, &with));
        }
        assert_eq!(commit.len(), 40, "{commit}");
        let given = |name: &str| with.get(name).cloned().unwrap_or_default();
        match name.rsplit('/').next().unwrap() {
            "checkout" if given("repository").is_empty() => {
                self.check_out(given("fetch-depth") != "0")
            }
            "checkout" => {
                assert_eq!(given("repository"), "kubernetes-sigs/gateway-api");
                self.check_out_upstream(&given("path"));
            }
            "configure-pages" => {
                let address = "https://acme.example/site".to_owned();
                self.values
                    .insert(format!("steps.{}.outputs.base_url", step.id), address);
            }
            used => {
                let path = given("path") + &given("sarif_file");
                self.keep(used, &path);
            }
        }
        if name == "actions/checkout" {
            assert_eq!(given("persist-credentials"), "false");
        }
        None
    }

    /// Notes the files that an action used.
    fn keep(&mut self, used: &str, path: &str) {
        let path = self.runner.path("workspace").join(path);
        let listed = match (path.is_file(), used) {
            (true, _) => [(
                path.file_name().unwrap().to_str().unwrap().to_owned(),
                fs::read(&path).unwrap(),
            )]
            .into(),
            (_, "deploy-pages") => [(String::new(), Vec::new())].into(),
            _ => files(&path),
        };
        assert!(!listed.is_empty(), "{used}: nothing in {}", path.display());
        for (name, text) in listed {
            self.used.insert(
                format!("{used}: {name}"),
                String::from_utf8_lossy(&text).into_owned(),
            );
        }
    }

    fn own_action(&mut self, folder: &str, step: &Step, with: &BTreeMap<&str, String>) -> Output {
        let action = Action::read(folder);
        let given: Vec<_> = with
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        let mut values = self.values.clone();
        for (name, value) in action.inputs(&given) {
            values.insert(format!("inputs.{name}"), expand(&value, &self.values));
        }
        let mut last = None;
        for one in &action.runs.steps {
            let written = self.runner.path("temp/output");
            let _ = fs::remove_file(&written);
            let output = self.runner.step(one, folder, values.clone());
            for (name, value) in fs::read_to_string(written)
                .unwrap_or_default()
                .lines()
                .filter_map(|line| line.split_once('='))
            {
                values.insert(format!("steps.{}.outputs.{name}", one.id), value.to_owned());
            }
            let failed = output.code != 0;
            last = Some(output);
            if failed {
                break;
            }
        }
        for (name, output) in &action.outputs {
            let id = output
                .value
                .trim_start_matches("${{ ")
                .trim_end_matches(" }}");
            let value = values.get(id).cloned().unwrap_or_default();
            self.values
                .insert(format!("steps.{}.outputs.{name}", step.id), value);
        }
        last.unwrap()
    }

    /// A repository of Gateway API with an accepted report, and a `go` that runs the suite.
    fn check_out_upstream(&self, path: &str) {
        let newest = Registry::embedded().newest().unwrap();
        let mut suite_run = SuiteRun::of(newest);
        let folder = Folder::new();
        let earlier = suite_run.report().replace("v2.14.0", "v2.13.0");
        folder.file(
            "earlier.yaml",
            earlier.replace(suite_run.date, "2026-09-05T08:00:00Z"),
        );
        folder.file(&format!("gateway-api/{TREE}/README.md"), "# Reports\n");
        folder.ok("add earlier.yaml --in gateway-api");
        commit_all(&folder.path().join("gateway-api"));
        let to = self.runner.path("workspace").join(path);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::rename(folder.path().join("gateway-api"), &to).unwrap();
        if self.on.head == "lost" {
            suite_run.supported.pop_first().unwrap();
        }
        fs::write(self.runner.path("report.yaml"), suite_run.report()).unwrap();
        fs::write(self.runner.path("run.log"), suite_run.text()).unwrap();
        let here = self.runner.path("");
        let here = here.display();
        let go = format!(
            "for last; do :; done; cp {here}/report.yaml \"${{last#--report-output=}}\"; cat {here}/run.log"
        );
        self.runner.program("bin/go", &go);
        self.prepare(&self.runner.path("workspace"));
    }

    /// Evaluates the conditions that the examples contain.
    fn is_met(&self, condition: &str) -> bool {
        let condition = condition.trim_start_matches("${{ ").trim_end_matches(" }}");
        let value = |name: &str| self.values.get(name).cloned().unwrap_or_default();
        condition
            .split(" && ")
            .all(|one| match one.split_once(' ') {
                None if one.is_empty() || one == "!cancelled()" => true,
                None => value(one.strip_prefix('!').unwrap()) != "true",
                Some((name, rest)) => {
                    let (operator, text) = rest.split_once(' ').unwrap();
                    assert!(["==", "!="].contains(&operator), "{one}");
                    (value(name) == text.trim_matches('\'')) == (operator == "==")
                }
            })
    }

    /// Runs the script of the job, as the runner of GitLab does.
    fn gitlab(&mut self, text: &str) -> Output {
        let file: serde_yaml::Value = serde_yaml::from_str(text).unwrap();
        let job = &file["conformance-reports"];
        assert_eq!(
            job["rules"][0]["if"],
            "$CI_PIPELINE_SOURCE == \"merge_request_event\""
        );
        let checksum = if self.on.event == "other checksum" {
            &"0".repeat(64)
        } else {
            &self.checksum
        };
        let version = env!("CARGO_PKG_VERSION");
        let filled = |text: &str| {
            text.replace("SHA256_X86_64_LINUX", checksum)
                .replace("VERSION", version)
        };
        let lines = job["script"].as_sequence().unwrap().iter();
        let script: Vec<_> = lines.map(|line| filled(line.as_str().unwrap())).collect();
        self.check_out(job["variables"]["GIT_DEPTH"] != "0");
        let target = if self.on.event == "merged" {
            commit(self.history, "later")
        } else {
            String::new()
        };
        let workspace = self.runner.path("workspace");
        let variables = job["variables"].as_mapping().unwrap().iter();
        let variables = variables.map(|(name, value)| (plain(name), filled(&plain(value))));
        let set = [
            ("CI_PROJECT_DIR", workspace.display().to_string()),
            (
                "CI_MERGE_REQUEST_DIFF_BASE_SHA",
                commit(self.history, "base"),
            ),
            ("CI_MERGE_REQUEST_TARGET_BRANCH_SHA", target),
        ];
        let set = set.map(|(name, value)| (name.to_owned(), value));
        let output = self.start(
            &["-eo", "pipefail", "-c", &script.join("\n")],
            set.into_iter().chain(variables),
        );
        assert_eq!(job["artifacts"]["when"], "always");
        let junit = job["artifacts"]["reports"]["junit"].as_str().unwrap();
        if workspace.join(junit).exists() {
            self.keep("junit", junit);
        }
        output
    }

    /// Runs the command of the container with the script of a release.
    fn prow(&mut self, text: &str) -> Output {
        let file: serde_yaml::Value = serde_yaml::from_str(text).unwrap();
        let job = &file["presubmits"]["kubernetes-sigs/gateway-api"][0];
        let changed = regex::Regex::new(job["run_if_changed"].as_str().unwrap()).unwrap();
        assert!(changed.is_match(&format!("{TREE}/v1.5/a/README.md")));
        let branch = regex::Regex::new(job["branches"][0].as_str().unwrap()).unwrap();
        assert!(branch.is_match("main") && !branch.is_match("release-1.6"));
        self.check_out(false);
        let workspace = self.runner.path("workspace");
        let script = "hack/verify-conformance-reports.sh";
        fs::create_dir_all(workspace.join("hack")).unwrap();
        fs::write(workspace.join(script), &self.release.script).unwrap();
        if self.on.event == "offline" {
            self.release.withdraw();
        }
        let set = [
            ("CI", "true".to_owned()),
            ("PROW_JOB_ID", "1".to_owned()),
            ("PULL_BASE_REF", "main".to_owned()),
            ("PULL_BASE_SHA", commit(self.history, "base")),
            ("ARTIFACTS", self.runner.path("temp").display().to_string()),
        ];
        let set = set.map(|(name, value)| (name.to_owned(), value));
        let container = &job["spec"]["containers"][0];
        assert_eq!(job["decorate"], true);
        let command = container["command"].as_sequence().unwrap().iter();
        let command: Vec<_> = command.map(|word| word.as_str().unwrap()).collect();
        assert_eq!(command[0], "bash");
        let output = self.start(&command[1..], set.into_iter());
        let junit = self.runner.path("temp/junit_gwconform.xml");
        if junit.exists() {
            self.keep("junit", junit.to_str().unwrap());
        }
        output
    }

    fn start(
        &self,
        arguments: &[&str],
        variables: impl Iterator<Item = (String, String)>,
    ) -> Output {
        let path = format!(
            "{}:{}",
            self.runner.path("bin").display(),
            std::env::var("PATH").unwrap()
        );
        let output = Command::new("bash")
            .args(arguments)
            .current_dir(self.runner.path("workspace"))
            .env_clear()
            .env("PATH", path)
            .env("TMPDIR", self.runner.path("temp"))
            .envs(variables)
            .output();
        output.unwrap().into()
    }
}

/// ID of a commit of the history, or nothing for the name `""`.
fn commit(history: &Folder, name: &str) -> String {
    if name.is_empty() {
        return String::new();
    }
    git(history.path(), &["rev-parse", name]).trim().to_owned()
}

fn plain(value: &serde_yaml::Value) -> String {
    let text = serde_yaml::to_string(value).unwrap();
    value
        .as_str()
        .map_or_else(|| text.trim_end().to_owned(), str::to_owned)
}

/// The rights that the steps require, and no others.
fn rights(steps: &[Step]) -> Rights {
    let mut rights = Rights::new();
    for step in steps.iter().filter(|step| !step.uses.is_empty()) {
        let name = step.uses.split_once('@').unwrap().0;
        let (_, required) = RIGHTS
            .iter()
            .find(|(known, _)| *known == name)
            .unwrap_or_else(|| panic!("unknown action {name}"));
        rights.extend(
            required
                .iter()
                .map(|(name, right)| ((*name).to_owned(), (*right).to_owned())),
        );
    }
    rights
}
