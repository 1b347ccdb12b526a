//! What is to change in a list of implementations, for people and programs.

use std::io::{self, Write};

use schemars::JsonSchema;
use serde::Serialize;

use crate::report::schema;
use crate::review::lists::{Problem, ProblemKind};
use crate::text::escape::{markdown_code, markdown_comment, markdown_fenced};
use crate::text::message::Message;
use crate::text::wrap::wrap;
use crate::text::{counted, visible};

/// What `gwconform certify --check LIST --format json` prints.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "What is to change in a list", transform = schema::with_id("list-check"))]
pub struct ListCheck {
    /// Version of this format.
    #[schemars(extend("const" = 1))]
    version: u32,
    /// The list: a page, or a folder of details.yaml.
    list: String,
    /// By path and line.
    problems: Vec<OneProblem>,
}

/// Something to change.
#[derive(Debug, Serialize, JsonSchema)]
struct OneProblem {
    /// The file.
    path: String,
    /// The line, from 1; of something that is missing, the heading below which it belongs.
    line: Option<u32>,
    /// What it is.
    kind: ProblemKind,
    /// What is wrong and what was expected.
    message: String,
    /// The text to write: for a badge instead of its line and of the lines that define its addresses,
    /// else lines of their own.
    write: Option<String>,
}

impl ListCheck {
    /// The problems of a list.
    pub fn of(list: &str, problems: &[Problem]) -> Self {
        let problems = problems.iter().map(|problem| OneProblem {
            path: problem.path.clone(),
            line: problem.line,
            kind: problem.kind,
            message: problem.message.clone(),
            write: problem.write.clone(),
        });
        Self {
            version: 1,
            list: list.to_owned(),
            problems: problems.collect(),
        }
    }
}

/// Writes each problem with its place and what to write, then how many there are. Prose has lines of
/// `width` columns at most; what is to be copied is not broken.
///
/// # Errors
/// When `out` cannot be written to.
pub fn write_human(check: &ListCheck, width: usize, out: &mut dyn Write) -> io::Result<()> {
    for problem in &check.problems {
        let line = problem
            .line
            .map_or_else(String::new, |line| format!(":{line}"));
        let text = format!("{}{line}: {}", problem.path, problem.message);
        for line in wrap(&visible(&text), width) {
            writeln!(out, "{line}")?;
        }
        for (at, line) in problem
            .write
            .iter()
            .flat_map(|text| text.lines())
            .enumerate()
        {
            let label = if at == 0 { "write:" } else { "" };
            writeln!(out, "  {label:6} {}", visible(line))?;
        }
        writeln!(out)?;
    }
    let list = visible(&check.list);
    match check.problems.len() {
        0 => writeln!(out, "{list} agrees with the verdicts"),
        count => writeln!(out, "{} to make in {list}", counted(count, "change")),
    }
}

/// Longest output in Markdown, in characters: what a comment on GitHub takes, with some room.
const MAX_CHARACTERS: usize = 60_000;

/// Writes the same as Markdown of GitHub's kind, for a comment. Where it would be too long, the rest is
/// counted.
///
/// # Errors
/// When `out` cannot be written to.
pub fn write_markdown(check: &ListCheck, out: &mut dyn Write) -> io::Result<()> {
    let list = markdown_code(&check.list);
    let count = check.problems.len();
    if count == 0 {
        return writeln!(out, "{list} agrees with the verdicts.");
    }
    writeln!(out, "{} to make in {list}:\n", counted(count, "change"))?;
    let mut room = MAX_CHARACTERS;
    for (at, problem) in check.problems.iter().enumerate() {
        let item = item(check, problem);
        let length = item.chars().count();
        if length > room {
            let left = counted(count - at, "more change");
            return writeln!(out, "\n{left}; `--format json` lists all.");
        }
        room -= length;
        write!(out, "{item}")?;
    }
    Ok(())
}

fn item(check: &ListCheck, problem: &OneProblem) -> String {
    let line = problem.line.map(|line| format!("line {line}"));
    let file = (problem.path != check.list).then(|| markdown_code(&problem.path));
    let place: Vec<String> = file.into_iter().chain(line).collect();
    let message = markdown_comment(&Message::of_text(&problem.message));
    let mut item = match place.is_empty() {
        true => format!("- {message}\n"),
        false => format!("- {}: {message}\n", place.join(", ")),
    };
    if let Some(text) = &problem.write {
        for line in markdown_fenced(text).lines() {
            item.push_str(&format!("  {line}\n"));
        }
    }
    item
}
