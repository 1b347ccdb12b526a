//! Parses and runs the examples on rule pages.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, OnceLock};

use gwconform::rules::{self, About};

use super::{Output, run};

#[derive(Debug)]
pub struct Example {
    pub files: Vec<File>,
    pub command: String,
    pub arguments: Vec<String>,
    pub expected: String,
}

#[derive(Debug, Clone)]
pub struct File {
    pub language: String,
    pub path: String,
    pub text: String,
    /// Committed as the base for `--since`, then deleted unless the example lists the file again.
    pub is_before: bool,
    pub is_committed: bool,
}

/// Folders with the groups of rules.
pub fn rule_folders() -> impl Iterator<Item = PathBuf> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates");
    ["report", "cluster", "evidence"]
        .into_iter()
        .map(move |name| crates.join(format!("gwconform-{name}/src/rules")))
}

/// File of a rule: its code with the extension `rs`, or its page with `md`.
pub fn rule_file(rule: &About, extension: &str) -> PathBuf {
    let name = format!("{}.{extension}", rule.id.replace('-', "_"));
    let mut files = rule_folders().map(|folder| folder.join(&name));
    let found = files.find(|path| path.is_file());
    found.unwrap_or_else(|| panic!("{name}: no crate has the file"))
}

pub fn examples(page: &str) -> Vec<Example> {
    let mut examples = Vec::new();
    let mut files = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        let ticks = line.chars().take_while(|&c| c == '`').count();
        if ticks < 3 {
            continue;
        }
        let (fence, info) = line.split_at(ticks);
        let body: Vec<&str> = lines.by_ref().take_while(|line| *line != fence).collect();
        let text = body
            .iter()
            .map(|line| format!("{line}\n"))
            .collect::<String>();
        match info.split_once(' ') {
            Some((language, path)) => {
                let before = path.strip_suffix(" before");
                let committed = path.strip_suffix(" committed");
                files.push(File {
                    language: language.to_owned(),
                    path: before.or(committed).unwrap_or(path).to_owned(),
                    text,
                    is_before: before.is_some(),
                    is_committed: committed.is_some(),
                });
            }
            None if info == "console" => {
                let command = body[0]
                    .strip_prefix("$ ")
                    .expect("a console fence starts with $")
                    .to_owned();
                let mut words = command.split(' ').map(str::to_owned);
                assert_eq!(words.next().as_deref(), Some("gwconform"), "{command}");
                examples.push(Example {
                    files: std::mem::take(&mut files),
                    arguments: words.collect(),
                    expected: body[1..].iter().map(|line| format!("{line}\n")).collect(),
                    command,
                });
            }
            None => {}
        }
    }
    examples
}

/// Cached for all tests, with the JSON output for each example.
pub fn examples_with_json(rule: &About) -> &'static [(Example, Output)] {
    type OfRule = OnceLock<Vec<(Example, Output)>>;
    static ALL: LazyLock<Vec<(&str, OfRule)>> = LazyLock::new(|| {
        let all = rules::ALL.iter();
        all.map(|rule| (rule.id, OfRule::new())).collect()
    });
    let found = ALL.iter().find(|(id, _)| *id == rule.id);
    let (_, of_rule) = found.expect("a rule of the list");
    of_rule.get_or_init(|| {
        let examples = examples(rule.doc).into_iter();
        examples
            .map(|example| {
                let folder = tempfile::tempdir().expect("a folder for the example");
                write_files(folder.path(), &example);
                let output = run(folder.path(), &as_json(&example));
                (example, output)
            })
            .collect()
    })
}

pub fn as_json(example: &Example) -> Vec<String> {
    let format = ["--format", "json"].map(str::to_owned);
    example.arguments.iter().cloned().chain(format).collect()
}

pub fn body(example: &Example) -> String {
    body_with(example, &example.expected)
}

pub fn body_with(example: &Example, output: &str) -> String {
    format!("```console\n$ {}\n{output}```\n", example.command)
}

pub fn write_files(folder: &Path, example: &Example) {
    let (before, now): (Vec<&File>, Vec<&File>) =
        example.files.iter().partition(|file| file.is_before);
    if !before.is_empty() {
        for file in &before {
            write_file(folder, file);
        }
        super::git::commit_all(folder);
        for file in &before {
            fs::remove_file(folder.join(&file.path)).expect("the file can be removed");
        }
    }
    let is_committed = now.iter().any(|file| file.is_committed);
    for file in now {
        write_file(folder, file);
    }
    if is_committed {
        super::git::commit_all(folder);
    }
}

fn write_file(folder: &Path, file: &File) {
    let path = folder.join(&file.path);
    fs::create_dir_all(path.parent().expect("a folder")).expect("the folder can be made");
    match file.language.as_str() {
        "link" => {
            #[cfg(unix)]
            std::os::unix::fs::symlink(file.text.trim_end(), &path).expect("the link can be made");
        }
        "escaped" => fs::write(&path, unescaped(&file.text)).expect("the file can be written"),
        _ => fs::write(&path, &file.text).expect("the file can be written"),
    }
}

fn unescaped(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text.replace('\n', "");
    while let Some(at) = rest.find('\\') {
        bytes.extend_from_slice(&rest.as_bytes()[..at]);
        let escape = rest[at + 1..].to_owned();
        let used = match escape.bytes().next().expect("an escape") {
            b'n' => {
                bytes.push(b'\n');
                1
            }
            b'r' => {
                bytes.push(b'\r');
                1
            }
            b't' => {
                bytes.push(b'\t');
                1
            }
            b'0' => {
                bytes.push(0);
                1
            }
            b'x' => {
                bytes.push(u8::from_str_radix(&escape[1..3], 16).expect("two digits"));
                3
            }
            b'u' => {
                let end = escape.find('}').expect("a closing brace");
                let code = u32::from_str_radix(&escape[2..end], 16).expect("a number");
                let mut buffer = [0; 4];
                bytes.extend_from_slice(
                    char::from_u32(code)
                        .expect("a character")
                        .encode_utf8(&mut buffer)
                        .as_bytes(),
                );
                end + 1
            }
            other => panic!("unknown escape {}", char::from(other)),
        };
        rest = escape[used..].to_owned();
    }
    bytes.extend_from_slice(rest.as_bytes());
    bytes
}
