//! Helpers that several test modules share.
#![allow(dead_code, unused_imports, reason = "tests/hostile uses a part of it")]
#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "what fails here fails a test"
)]

pub mod answers;
pub mod corpus;
pub mod facts;
pub mod folder;
pub mod formats;
pub mod git;
pub mod keep;
pub mod kill;
pub mod location;
pub mod page;
pub mod promises;
pub mod report;
pub mod site;
pub mod suite_run;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

pub use corpus::{corpus, upstream};

/// True in long runs (`.ci/long`), which do not use samples.
#[allow(clippy::disallowed_methods, reason = "a test decides for itself")]
pub fn has_time() -> bool {
    std::env::var_os("GWCONFORM_LONG").is_some()
}

/// The sample tree of this repository.
pub fn sample() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("reports")
}

pub fn one_in(n: usize) -> usize {
    if has_time() { 1 } else { n }
}

#[derive(Debug, PartialEq, Eq)]
pub struct Output {
    pub stdout: String,
    pub stderr: String,
    pub code: i32,
}

impl Output {
    #[track_caller]
    pub fn stdout_has(&self, text: &str) {
        assert!(self.stdout.contains(text), "no `{text}`: {self:#?}");
    }

    #[track_caller]
    pub fn stderr_has(&self, text: &str) {
        assert!(self.stderr.contains(text), "no `{text}`: {self:#?}");
    }

    /// Expects this exit code.
    #[track_caller]
    pub fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{self:#?}");
        self
    }

    /// Expects this exit code and no output. Returns the errors.
    #[track_caller]
    pub fn fails(self, code: i32) -> String {
        assert_eq!((self.stdout.as_str(), self.code), ("", code), "{self:#?}");
        self.stderr
    }
}

/// Nothing was found.
pub const NONE: [&str; 0] = [];

#[track_caller]
pub fn has(text: impl AsRef<str>, part: &str) {
    let text = text.as_ref();
    assert!(text.contains(part), "no `{part}` in\n{text}");
}

#[track_caller]
pub fn lacks(text: impl AsRef<str>, part: &str) {
    let text = text.as_ref();
    assert!(!text.contains(part), "`{part}` in\n{text}");
}

impl From<std::process::Output> for Output {
    fn from(output: std::process::Output) -> Self {
        Self {
            stdout: String::from_utf8(output.stdout).expect("UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("UTF-8"),
            code: output.status.code().expect("an exit code"),
        }
    }
}

/// Date of the verdicts in tests, 2026-08-13, at which the release review of v1.6 is over.
pub const EPOCH: (&str, &str) = ("SOURCE_DATE_EPOCH", "1786622400");

pub fn run(folder: &Path, arguments: &[String]) -> Output {
    run_with_input(folder, arguments, b"")
}

pub fn run_with_input(folder: &Path, arguments: &[String], input: &[u8]) -> Output {
    run_with(folder, arguments, &[], input)
}

pub fn run_with(
    folder: &Path,
    arguments: &[String],
    variables: &[(&str, &str)],
    input: &[u8],
) -> Output {
    let mut command = program(folder, arguments);
    command.env(EPOCH.0, EPOCH.1);
    finish(command.envs(variables.iter().copied()), input)
}

/// Without [`EPOCH`]: the date of the verdicts is that of the last commit.
pub fn run_undated(folder: &Path, arguments: &[String]) -> Output {
    finish(&mut program(folder, arguments), b"")
}

fn program(folder: &Path, arguments: &[String]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gwconform"));
    command.args(arguments).current_dir(folder).env_clear();
    command
}

fn finish(command: &mut Command, input: &[u8]) -> Output {
    use std::io::Write;
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // Writing fails if the program exits without reading its input.
    let _ = child.stdin.take().expect("an input").write_all(input);
    child.wait_with_output().expect("the program ends").into()
}

pub fn wasm_module(label: &str) -> Vec<u8> {
    let name = b"gwconform";
    let length = 1 + name.len() + label.len();
    let mut bytes = b"\0asm\x01\0\0\0\0".to_vec();
    bytes.extend([length as u8, name.len() as u8]);
    bytes.extend(name);
    bytes.extend(label.as_bytes());
    bytes
}

#[track_caller]
pub fn list(value: &Value) -> &[Value] {
    let items = value.as_array();
    items.unwrap_or_else(|| panic!("{value} is not a list"))
}

#[track_caller]
pub fn text(value: &Value) -> &str {
    let text = value.as_str();
    text.unwrap_or_else(|| panic!("{value} is not a text"))
}

/// The first item of a list with this text in the field.
#[track_caller]
pub fn find<'v>(items: &'v Value, field: &str, value: &str) -> &'v Value {
    let found = list(items).iter().find(|item| item[field] == value);
    found.unwrap_or_else(|| panic!("no item with {field} {value} in {items}"))
}

/// The cells of each line of a table. They are separated by `|`.
#[track_caller]
pub fn rows<const N: usize>(table: &str) -> Vec<[&str; N]> {
    let lines = table.lines().filter(|line| !line.trim().is_empty());
    let cells = lines.map(|line| line.split('|').map(str::trim).collect::<Vec<_>>());
    let row = |cells: Vec<_>| cells.try_into().unwrap_or_else(|row| panic!("{row:?}"));
    cells.map(row).collect()
}

/// One line for each item of a list. `{field}` in the template becomes that field of the item, or a
/// part of it (`{field.part}`). Null becomes an empty text.
pub fn lines(list: &Value, template: &str) -> Vec<String> {
    let line = |item: &Value| {
        let mut parts = template.split('{');
        let mut line = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (field, after) = part.split_once('}').expect("the end of a field");
            let value = item.pointer(&format!("/{}", field.replace('.', "/")));
            match value.unwrap_or_else(|| panic!("no `{field}` in {item}")) {
                Value::String(text) => line.push_str(text),
                Value::Null => {}
                other => line.push_str(&other.to_string()),
            }
            line.push_str(after);
        }
        line
    };
    self::list(list).iter().map(line).collect()
}

pub fn words_of(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

/// Another process writes the file: a child of a concurrent test would inherit an open descriptor,
/// and a file that is open for writing cannot be executed.
pub fn write_program(path: &Path, script: &str) {
    use std::io::Write;
    let mut writer = Command::new("sh")
        .args(["-c", "cat >\"$1\" && chmod 755 \"$1\"", "sh"])
        .arg(path)
        .stdin(Stdio::piped())
        .spawn()
        .expect("a shell starts");
    let mut input = writer.stdin.take().expect("an input");
    write!(input, "#!/bin/sh\n{script}\n").expect("it is read");
    drop(input);
    assert!(writer.wait().expect("the shell ends").success());
}
