//! The steps of `action.yml`, run as a runner runs them: with a workspace that holds what a hostile
//! change brings, and with stand-ins for the programs that they start.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;

use crate::support::write_program;

#[derive(Deserialize)]
struct Action {
    inputs: BTreeMap<String, Input>,
    runs: Runs,
}

#[derive(Deserialize)]
struct Input {
    default: String,
}

#[derive(Deserialize)]
struct Runs {
    steps: Vec<Step>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Step {
    shell: String,
    working_directory: Option<String>,
    #[serde(default)]
    env: BTreeMap<String, String>,
    run: String,
}

fn action() -> Action {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("action.yml");
    serde_yaml::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// A runner: a workspace with the checked-out change, the folder of the action, and programs that
/// write down how they were called.
struct Runner {
    folder: tempfile::TempDir,
}

impl Runner {
    fn new() -> Self {
        let runner = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        for name in ["workspace/bin", "action", "temp/gwconform/bin", "bin"] {
            fs::create_dir_all(runner.path(name)).unwrap();
        }
        let writes_down = "printf '%s' \"$(basename \"$0\")\" >>\"$CALLS\"; printf '\\t%s' \"$PWD\" \"${RUSTUP_TOOLCHAIN:-}\" \"$@\" >>\"$CALLS\"; echo >>\"$CALLS\"; echo output";
        for name in ["bin/cargo", "bin/rustup", "temp/gwconform/bin/gwconform"] {
            runner.program(name, writes_down);
        }
        runner
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(name)
    }

    fn program(&self, name: &str, script: &str) {
        write_program(&self.path(name), script);
    }

    /// Runs a step with the values of inputs, and returns each call of a program: its name, the
    /// folder it ran in, its toolchain, its arguments.
    fn run(&self, step: &Step, inputs: &BTreeMap<String, String>) -> (bool, Vec<Vec<String>>) {
        assert_eq!(step.shell, "bash");
        let expand = |text: &str| -> String {
            let mut text = text.replace(
                "${{ github.action_path }}",
                &self.path("action").display().to_string(),
            );
            for (name, value) in inputs {
                text = text.replace(&format!("${{{{ inputs.{name} }}}}"), value);
            }
            assert!(!text.contains("${{"), "not known here: {text}");
            text
        };
        assert!(
            !step.run.contains("${{"),
            "an input becomes part of the script"
        );
        let folder = step.working_directory.as_deref().map_or_else(
            || self.path("workspace"),
            |folder| PathBuf::from(expand(folder)),
        );
        let script = self.path("temp/step.sh");
        fs::write(&script, &step.run).unwrap();
        let calls = self.path("temp/calls");
        fs::write(&calls, "").unwrap();
        let path = std::env::var("PATH").unwrap();
        let status = Command::new("bash")
            .args(["--noprofile", "--norc", "-e", "-o", "pipefail"])
            .arg(&script)
            .current_dir(folder)
            .env_clear()
            .env("PATH", format!("{}:{path}", self.path("bin").display()))
            .env("CALLS", &calls)
            .env("RUNNER_TEMP", self.path("temp"))
            .env("GITHUB_STEP_SUMMARY", self.path("temp/summary"))
            .envs(step.env.iter().map(|(name, value)| (name, expand(value))))
            .status()
            .unwrap();
        let calls = fs::read_to_string(calls).unwrap();
        let calls = calls
            .lines()
            .map(|line| line.split('\t').map(str::to_owned).collect());
        (status.success(), calls.collect())
    }
}

fn inputs(given: &[(&str, &str)]) -> BTreeMap<String, String> {
    let action = action();
    let mut inputs: BTreeMap<String, String> = action
        .inputs
        .into_iter()
        .map(|(name, input)| (name, input.default))
        .collect();
    inputs.insert("since".to_owned(), String::new());
    for (name, value) in given {
        let known = inputs.insert((*name).to_owned(), (*value).to_owned());
        assert!(known.is_some(), "no input is named {name}");
    }
    inputs
}

#[test]
fn the_workspace_does_not_decide_what_compiles() {
    let runner = Runner::new();
    runner.program("workspace/bin/cargo", "touch \"$CALLS.hostile\"");
    let toolchain = "[toolchain]\npath = \".\"\n";
    fs::write(runner.path("workspace/rust-toolchain.toml"), toolchain).unwrap();
    let build = &action().runs.steps[0];
    let (is_done, calls) = runner.run(build, &inputs(&[]));
    assert!(is_done);
    let action_folder = runner.path("action").display().to_string();
    let programs: Vec<&str> = calls.iter().map(|call| call[0].as_str()).collect();
    assert_eq!(programs, ["rustup", "cargo"]);
    for call in &calls {
        // rustup and cargo read rust-toolchain.toml and .cargo/config.toml from the folder they run
        // in; the variable goes before all such files.
        assert_eq!(call[1], action_folder);
        assert!(call[2].split('.').count() == 3, "{} can change", call[2]);
    }
    assert!(!runner.path("temp/calls.hostile").exists());
}

#[test]
fn in_a_pull_request_its_base_is_compared_with() {
    let since = &action().inputs["since"].default;
    assert_eq!(since, "${{ github.event.pull_request.base.sha }}");
}

#[test]
fn no_input_becomes_an_option_or_a_command() {
    let runner = Runner::new();
    let check = &action().runs.steps[1];
    let hostile = [
        ("path", "--write-baseline=x; $(touch hostile)"),
        ("since", "--config=x `touch hostile`"),
        ("baseline", "--exit-zero"),
        ("fail-on", "never --exit-zero"),
        ("strict", "true; touch hostile"),
        ("sarif", "-v $(touch hostile)"),
    ];
    let (is_done, calls) = runner.run(check, &inputs(&hostile));
    assert!(is_done);
    assert_eq!(calls.len(), 3);
    for call in calls {
        assert_eq!(call[3], "check");
        assert_eq!(call[4], "--since=--config=x `touch hostile`");
        assert_eq!(call[5], "--baseline=--exit-zero");
        let end = &call[call.len() - 2..];
        assert_eq!(end, ["--", "--write-baseline=x; $(touch hostile)"]);
    }
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
}
