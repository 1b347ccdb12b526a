//! Runs the steps of `action.yml` in a workspace with hostile files, with fake versions of the
//! programs that they start. `entry_points.rs` runs them with events of GitHub.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;

use crate::support::{Output, write_program};

#[derive(Deserialize)]
pub struct Action {
    inputs: BTreeMap<String, Input>,
    #[serde(default)]
    pub outputs: BTreeMap<String, ActionOutput>,
    pub runs: Runs,
}

#[derive(Deserialize)]
struct Input {
    default: String,
}

#[derive(Deserialize)]
pub struct ActionOutput {
    pub value: String,
}

#[derive(Deserialize)]
pub struct Runs {
    pub steps: Vec<Step>,
}

/// Step of an action or a workflow.
#[derive(Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Step {
    pub name: String,
    pub id: String,
    #[serde(rename = "if")]
    pub condition: String,
    pub uses: String,
    pub with: BTreeMap<String, serde_yaml::Value>,
    pub shell: String,
    pub working_directory: Option<String>,
    pub env: BTreeMap<String, String>,
    pub run: String,
}

fn action() -> Action {
    Action::read("")
}

impl Action {
    /// The action in a folder of this repository. The folder of the action for checks is empty.
    pub fn read(folder: &str) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let path = root.join(folder).join("action.yml");
        serde_yaml::from_str(&fs::read_to_string(path).unwrap()).unwrap()
    }

    /// The inputs, given or default.
    pub fn inputs(&self, given: &[(&str, &str)]) -> BTreeMap<String, String> {
        let defaults = self.inputs.iter();
        let mut inputs: BTreeMap<String, String> = defaults
            .map(|(name, input)| (name.clone(), input.default.clone()))
            .collect();
        for (name, value) in given {
            let known = inputs.insert((*name).to_owned(), (*value).to_owned());
            assert!(known.is_some(), "no input is named {name}");
        }
        inputs
    }
}

const ARCHIVE: &str = "gwconform-1.2.3-x86_64-unknown-linux-musl";

/// Values of an event. The default is one that changes nothing, such as `workflow_dispatch`.
#[derive(Debug, Default)]
pub struct Event {
    pub name: String,
    pub sha: String,
    pub pull_head: String,
    pub pull_base: String,
    pub queue_base: String,
    pub before: String,
}

impl Event {
    /// Values of the contexts of GitHub, by expression.
    pub fn values(&self) -> Values {
        let values = [
            (
                "github.event.pull_request.head.sha",
                self.pull_head.as_str(),
            ),
            ("github.event.pull_request.base.sha", &self.pull_base),
            ("github.event.merge_group.base_sha", &self.queue_base),
            ("github.event.before", &self.before),
            ("github.event_name", &self.name),
            ("github.sha", &self.sha),
            ("github.action_repository", "acme/gwconform"),
            ("github.token", "token"),
        ];
        let values = values.map(|(name, value)| (name.to_owned(), value.to_owned()));
        values.into_iter().collect()
    }
}

/// Values of expressions, such as `inputs.version`.
pub type Values = BTreeMap<String, String>;

/// Replaces the expressions in a text.
pub fn expand(text: &str, values: &Values) -> String {
    let expression = regex::Regex::new(r"\$\{\{ (.*?) \}\}").unwrap();
    let filled = expression.replace_all(text, |found: &regex::Captures| {
        let value = values.get(&found[1]);
        value.unwrap_or_else(|| panic!("not known here: {text}"))
    });
    filled.into_owned()
}

/// A workspace, the folder of the action, and programs that record their calls.
pub struct Runner {
    folder: tempfile::TempDir,
    server: &'static str,
    /// Further variables of all steps.
    pub variables: Vec<(String, String)>,
}

impl Runner {
    pub fn new() -> Self {
        let runner = Self {
            folder: tempfile::tempdir().unwrap(),
            server: "https://acme.example",
            variables: Vec::new(),
        };
        let folders = [
            "workspace/bin",
            "action/setup",
            "action/comment",
            "action/dist/templates",
        ];
        for name in folders.into_iter().chain(["temp/gwconform/bin", "bin"]) {
            fs::create_dir_all(runner.path(name)).unwrap();
        }
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let files = [
            "dist/install",
            "dist/templates/install.sh",
            "dist/check",
            "dist/version",
            "Cargo.toml",
            "comment/post",
        ];
        for name in files {
            fs::copy(root.join(name), runner.path("action").join(name)).unwrap();
        }
        let writes_down = "printf '%s' \"$(basename \"$0\")\" >>\"$CALLS\"; printf '\\t%s' \"$PWD\" \"${RUSTUP_TOOLCHAIN:-}\" \"$@\" >>\"$CALLS\"; echo >>\"$CALLS\"; for one; do case $one in --also=*) echo output >\"${one#--also=*=}\" ;; esac; done; echo output";
        for name in ["bin/cargo", "bin/rustup", "temp/gwconform/bin/gwconform"] {
            runner.program(name, writes_down);
        }
        runner
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(name)
    }

    pub fn program(&self, name: &str, script: &str) {
        write_program(&self.path(name), script);
    }

    /// Runs the step that checks the reports with the real program. If it prints no error, the
    /// output is the job summary.
    pub fn check(&self, event: &Event, given: &[(&str, &str)]) -> Output {
        let program = env!("CARGO_BIN_EXE_gwconform");
        self.program(
            "temp/gwconform/bin/gwconform",
            &format!("exec {program} \"$@\""),
        );
        let (output, _) = self.start(&action().runs.steps[1], &inputs(given), event);
        let summary = fs::read_to_string(self.path("temp/summary"));
        Output {
            stdout: summary.unwrap_or(output.stdout),
            ..output
        }
    }

    fn run(&self, step: &Step, inputs: &BTreeMap<String, String>) -> (bool, Vec<Vec<String>>) {
        let (output, calls) = self.start(step, inputs, &Event::default());
        (output.code == 0, calls)
    }

    fn start(
        &self,
        step: &Step,
        inputs: &BTreeMap<String, String>,
        event: &Event,
    ) -> (Output, Vec<Vec<String>>) {
        assert_eq!(step.shell, "bash");
        let inputs = inputs
            .iter()
            .map(|(name, value)| (format!("inputs.{name}"), value.clone()));
        let mut values = event.values();
        values.extend(inputs);
        let calls = self.path("temp/calls");
        fs::write(&calls, "").unwrap();
        let output = self.step(step, "", values);
        let calls = fs::read_to_string(calls).unwrap();
        let calls = calls
            .lines()
            .map(|line| line.split('\t').map(str::to_owned).collect());
        (output, calls.collect())
    }

    /// Runs a step of a workflow, or of the action in a folder of this repository.
    pub fn step(&self, step: &Step, folder: &str, mut values: Values) -> Output {
        let action = self.path("action").join(folder);
        let action = action.to_str().unwrap().trim_end_matches('/').to_owned();
        values.insert("github.action_path".to_owned(), action.clone());
        values.insert("github.server_url".to_owned(), self.server.to_owned());
        let expand = |text: &str| expand(text, &values);
        assert!(
            !step.run.contains("${{"),
            "an input becomes part of the script"
        );
        let folder = step.working_directory.as_deref().map_or_else(
            || self.path("workspace"),
            |folder| self.path("workspace").join(expand(folder)),
        );
        let script = self.path("temp/step.sh");
        fs::write(&script, &step.run).unwrap();
        let path = std::env::var("PATH").unwrap();
        let added = fs::read_to_string(self.path("temp/path")).unwrap_or_default();
        let added = added
            .lines()
            .fold(String::new(), |added, line| format!("{line}:{added}"));
        // Without `shell`, GitHub does not set pipefail.
        let pipefail: &[&str] = if step.shell == "bash" {
            &["-o", "pipefail"]
        } else {
            &[]
        };
        let output = Command::new("bash")
            .args(["--noprofile", "--norc", "-e"])
            .args(pipefail)
            .arg(&script)
            .current_dir(folder)
            .env_clear()
            .env(
                "PATH",
                format!("{added}{}:{path}", self.path("bin").display()),
            )
            .env("CALLS", self.path("temp/calls"))
            .env("RUNNER_TEMP", self.path("temp"))
            .env("GITHUB_STEP_SUMMARY", self.path("temp/summary"))
            .env("GITHUB_OUTPUT", self.path("temp/output"))
            .env("GITHUB_PATH", self.path("temp/path"))
            .env("GITHUB_ACTION_PATH", action)
            .env("GITHUB_EVENT_NAME", expand("${{ github.event_name }}"))
            .env("GITHUB_SHA", expand("${{ github.sha }}"))
            .envs(self.variables.iter().cloned())
            .envs(step.env.iter().map(|(name, value)| (name, expand(value))))
            .output();
        output.unwrap().into()
    }
}

impl Runner {
    fn publish(&self) {
        let release = self.path("release").join(ARCHIVE);
        fs::create_dir_all(&release).unwrap();
        write_program(&release.join("gwconform"), "echo gwconform 1.2.3");
        fs::write(release.join("README.md"), "").unwrap();
        let made = Command::new("bash")
            .args([
                "-c",
                "tar -czf \"$1.tar.gz\" \"$1\" && sha256sum \"$1.tar.gz\" >SHA256SUMS",
                "bash",
                ARCHIVE,
            ])
            .current_dir(self.path("release"))
            .status()
            .unwrap();
        assert!(made.success());
        let release = self.path("release").display().to_string();
        let curl = format!(
            "printf 'curl\\t\\t\\t%s\\n' \"$*\" >>\"$CALLS\"; for last; do :; done; while [ \"$1\" != --output ]; do shift; done; cp \"{release}/${{last##*/}}\" \"$2\""
        );
        self.program("bin/curl", &curl);
        self.program(
            "bin/uname",
            "case $1 in -s) echo Linux;; *) echo x86_64;; esac",
        );
    }

    fn installed(&self) -> String {
        let output = Command::new(self.path("temp/gwconform/bin/gwconform"))
            .env("CALLS", "/dev/null")
            .output()
            .unwrap();
        String::from_utf8(output.stdout).unwrap()
    }
}

#[test]
fn a_release_is_downloaded_and_nothing_is_built() {
    let runner = Runner::new();
    runner.publish();
    let install = &action().runs.steps[0];
    let (is_done, calls) = runner.run(install, &inputs(&[("version", "1.2.3")]));
    assert!(is_done);
    assert_eq!(runner.installed(), "gwconform 1.2.3\n");
    let from = "https://acme.example/acme/gwconform/releases/download/v1.2.3";
    let addresses: Vec<&str> = calls
        .iter()
        .map(|call| call[3].rsplit(' ').next().unwrap())
        .collect();
    assert_eq!(
        addresses,
        [
            format!("{from}/{ARCHIVE}.tar.gz"),
            format!("{from}/SHA256SUMS")
        ]
    );
    assert!(calls.iter().all(|call| call[0] == "curl"), "{calls:?}");
}

/// The action for checks cannot use `setup`, so its step must be the same.
#[test]
fn setup_installs_as_the_check_does_and_adds_the_program_to_path() {
    let runner = Runner::new();
    runner.publish();
    let (setup, check) = (Action::read("setup"), action());
    let (install, other) = (&setup.runs.steps[0], &check.runs.steps[0]);
    assert_eq!((setup.runs.steps.len(), &install.env), (1, &other.env));
    assert_eq!(install.run.replace("../", ""), other.run);
    let output = format!("${{{{ steps.{}.outputs.version }}}}", install.id);
    assert_eq!(setup.outputs["version"].value, output);
    for (name, input) in &setup.inputs {
        assert_eq!(input.default, check.inputs[name].default);
    }
    let mut values = Event::default().values();
    for (name, value) in setup.inputs(&[("version", "v1.2.3")]) {
        values.insert(format!("inputs.{name}"), value);
    }
    runner.step(install, "setup", values).exits(0);
    assert_eq!(runner.installed(), "gwconform 1.2.3\n");
    let read = |name: &str| fs::read_to_string(runner.path(name)).unwrap();
    assert_eq!(read("temp/output"), "version=1.2.3\n");
    let added = runner.path("temp/gwconform/bin").display().to_string();
    assert_eq!(read("temp/path"), format!("{added}\n"));
}

#[test]
fn default_version_is_that_of_the_action() {
    let runner = Runner::new();
    runner.publish();
    let (is_done, calls) = runner.run(&action().runs.steps[0], &inputs(&[]));
    assert!(!is_done, "there is no such release");
    let version = env!("CARGO_PKG_VERSION");
    let end = format!("/v{version}/gwconform-{version}-x86_64-unknown-linux-musl.tar.gz");
    assert!(calls[0][3].ends_with(&end), "{calls:?}");
}

#[test]
fn an_archive_with_another_checksum_is_refused() {
    let runner = Runner::new();
    runner.publish();
    let install = &action().runs.steps[0];
    let sums = runner.path("release/SHA256SUMS");
    let right = fs::read_to_string(&sums).unwrap();
    let digest = right.split(' ').next().unwrap();
    let other = "0".repeat(64);
    for wrong in [
        right.replace(digest, &other),
        String::new(),
        right.replace(ARCHIVE, "x"),
    ] {
        fs::write(&sums, wrong).unwrap();
        let (is_done, _) = runner.run(install, &inputs(&[("version", "1.2.3")]));
        assert!(!is_done);
        assert_eq!(runner.installed(), "output\n");
    }
    // The `sha256` input takes precedence over the checksums of the release.
    let pinned = [("version", "v1.2.3"), ("sha256", digest)];
    assert!(runner.run(install, &inputs(&pinned)).0);
    assert_eq!(runner.installed(), "gwconform 1.2.3\n");
    fs::write(&sums, &right).unwrap();
    let pinned = [("version", "1.2.3"), ("sha256", other.as_str())];
    assert!(!runner.run(install, &inputs(&pinned)).0);
}

#[test]
fn the_attestation_of_an_archive_decides() {
    let mut runner = Runner::new();
    runner.publish();
    runner.server = "https://github.com";
    let install = &action().runs.steps[0];
    for (code, installed) in [(1, "output\n"), (0, "gwconform 1.2.3\n")] {
        let calls = "printf 'gh\\t\\t\\t%s\\n' \"$GH_TOKEN $*\" >>\"$CALLS\"";
        runner.program("bin/gh", &format!("{calls}; exit {code}"));
        let (is_done, calls) = runner.run(install, &inputs(&[("version", "1.2.3")]));
        assert_eq!(is_done, code == 0);
        assert_eq!(runner.installed(), installed);
        let asked = &calls.last().unwrap()[3];
        let archive = format!("/{ARCHIVE}.tar.gz ");
        assert!(asked.starts_with("token attestation verify /"), "{asked}");
        let options = asked.split_once(&archive).unwrap().1;
        assert_eq!(
            options,
            "--repo acme/gwconform --signer-workflow acme/gwconform/.github/workflows/release.yml --source-ref refs/tags/v1.2.3"
        );
    }
}

#[test]
fn rejects_versions_that_are_paths_or_options() {
    let runner = Runner::new();
    runner.publish();
    for version in [
        "../../x/1.2.3",
        "1.2.3/x",
        "-o",
        "1.2",
        "$(touch x)",
        "1.2.3\nx",
    ] {
        let (is_done, calls) =
            runner.run(&action().runs.steps[0], &inputs(&[("version", version)]));
        assert!(!is_done && calls.is_empty(), "{version}: {calls:?}");
    }
}

#[test]
fn outputs_have_the_counts_and_the_verdict() {
    let runner = Runner::new();
    let tree = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/trees/contradictory/reports");
    let output = runner.check(&Event::default(), &[("path", tree.to_str().unwrap())]);
    assert_eq!(output.code, 1, "there are errors: {output:?}");
    let outputs = fs::read_to_string(runner.path("temp/output")).unwrap();
    let review = runner.path("temp/gwconform-review");
    assert_eq!(
        outputs,
        format!(
            "errors=11\nwarnings=5\nverdict=11 errors in 8 of 11 files\nreview={}\n",
            review.display()
        )
    );
    let comment = fs::read_to_string(review.join("comment.md")).unwrap();
    assert_eq!(output.stdout, comment);
    assert!(!review.join("suggestions.json").exists());
}

fn inputs(given: &[(&str, &str)]) -> BTreeMap<String, String> {
    action().inputs(given)
}

#[test]
fn workspace_files_cannot_influence_compilation() {
    let runner = Runner::new();
    runner.program("workspace/bin/cargo", "touch \"$CALLS.hostile\"");
    let toolchain = "[toolchain]\npath = \".\"\n";
    fs::write(runner.path("workspace/rust-toolchain.toml"), toolchain).unwrap();
    let build = &action().runs.steps[0];
    let (is_done, calls) = runner.run(build, &inputs(&[("version", "source")]));
    assert!(is_done);
    let action_folder = runner.path("action").display().to_string();
    let programs: Vec<&str> = calls.iter().map(|call| call[0].as_str()).collect();
    assert_eq!(programs, ["rustup", "cargo"]);
    for call in &calls {
        // rustup and cargo read rust-toolchain.toml and .cargo/config.toml from the current folder.
        // RUSTUP_TOOLCHAIN takes precedence over toolchain files.
        assert_eq!(call[1], action_folder);
        assert!(call[2].split('.').count() == 3, "{} can change", call[2]);
    }
    assert!(!runner.path("temp/calls.hostile").exists());
}

#[test]
fn no_input_becomes_an_option_or_a_command() {
    let runner = Runner::new();
    let check = &action().runs.steps[1];
    let hostile = [
        ("config", "x --exit-zero; touch hostile"),
        ("registry", "$(touch hostile)"),
        ("path", "--write-baseline=x; $(touch hostile)"),
        ("since", "--config=x `touch hostile`"),
        ("baseline", "--exit-zero"),
        ("fail-on", "never --exit-zero"),
        ("sarif", "-v $(touch hostile)"),
    ];
    let (is_done, calls) = runner.run(check, &inputs(&hostile));
    assert!(is_done);
    let temp = runner.path("temp").display().to_string();
    let expected = [
        "check",
        "--format=github",
        "--fail-on=never --exit-zero",
        &format!("--also=json={temp}/gwconform.json"),
        &format!("--also=markdown={temp}/gwconform-review/comment.md"),
        &format!("--also=sarif={temp}/gwconform.sarif"),
        "--since=--config=x `touch hostile`",
        &format!("--also=suggestions={temp}/gwconform-review/suggestions.json"),
        "--baseline=--exit-zero",
        "--config=x --exit-zero; touch hostile",
        "--registry=$(touch hostile)",
        "--",
        "--write-baseline=x; $(touch hostile)",
    ];
    assert_eq!(calls.len(), 1);
    assert_eq!(calls[0][3..], expected);
    let mut names: Vec<String> = fs::read_dir(runner.path("workspace"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["-v $(touch hostile)", "bin"]);
}

#[test]
fn sarif_is_not_written_through_a_link_of_the_change() {
    let runner = Runner::new();
    fs::write(runner.path("temp/other"), "kept").unwrap();
    symlink(
        runner.path("temp/other"),
        runner.path("workspace/file.sarif"),
    )
    .unwrap();
    symlink(runner.path("temp"), runner.path("workspace/folder.sarif")).unwrap();
    let check = &action().runs.steps[1];
    for name in ["file.sarif", "folder.sarif"] {
        let (is_done, _) = runner.run(check, &inputs(&[("sarif", name)]));
        assert!(is_done);
        let written = runner.path("workspace").join(name);
        assert!(written.symlink_metadata().unwrap().is_file(), "{name}");
    }
    assert_eq!(fs::read(runner.path("temp/other")).unwrap(), b"kept");

    fs::create_dir_all(runner.path("victim")).unwrap();
    symlink(runner.path("victim"), runner.path("workspace/out")).unwrap();
    fs::create_dir_all(runner.path("workspace/taken.sarif")).unwrap();
    for name in ["out/x.sarif", "./out/../out/new/x.sarif", "taken.sarif"] {
        let (is_done, _) = runner.run(check, &inputs(&[("sarif", name)]));
        assert!(!is_done, "{name}");
    }
    assert_eq!(fs::read_dir(runner.path("victim")).unwrap().count(), 0);
    let (is_done, _) = runner.run(check, &inputs(&[("sarif", "new/folder/x.sarif")]));
    assert!(is_done && runner.path("workspace/new/folder/x.sarif").is_file());
}
