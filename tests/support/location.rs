//! The location law: the text at a printed place is the text that the finding is about. This
//! knows the output and the files, and nothing of the program.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::run;

/// Runs a command again as JSON, slices the files at each place by itself, and holds the slices
/// against the carets of the human output.
pub fn check(folder: &Path, arguments: &[String], human: &str) {
    let arguments: Vec<String> = arguments
        .iter()
        .cloned()
        .chain(["--format".into(), "json".into()])
        .collect();
    let json: Value = serde_json::from_str(&run(folder, &arguments).stdout).expect("JSON");
    for finding in json["findings"].as_array().expect("findings") {
        for place in std::iter::once(finding).chain(finding["labels"].as_array().expect("labels")) {
            let Some(slice) = slice(folder, place) else {
                for key in ["line", "column", "end_line", "end_column"] {
                    assert!(place[key].is_null(), "{place:#}");
                }
                continue;
            };
            let at = format!(
                "{}:{}:{}",
                string(place, "path"),
                place["line"],
                place["column"]
            );
            let carets = carets(human, &at);
            let shown = shown(&slice);
            // What is wider than a screen is cut, and left out when it is far wider.
            let is_cut = shown.len() > 100 && human.contains(&format!("--> {at}\n"));
            let is_marked = |text: &String| *text == slice || *text == shown;
            assert!(
                is_cut || carets.iter().any(is_marked),
                "{at} is {slice:?} in JSON and {carets:?} under the carets of\n{human}"
            );
        }
    }
}

/// What a screen shows of a slice: tabs as spaces, and a mark for characters that turn the
/// direction of text or have no width.
fn shown(slice: &str) -> String {
    let mut shown = String::new();
    for c in slice.chars() {
        match c {
            '\t' => shown.push_str("    "),
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}' => {
                shown.push('\u{fffd}');
            }
            other => shown.push(other),
        }
    }
    shown
}

/// The text at a place; `None` when the place is a path.
pub fn slice(folder: &Path, place: &Value) -> Option<String> {
    let start = (
        place["line"].as_u64()?,
        place["column"].as_u64().expect("a column"),
    );
    let end = (
        place["end_line"].as_u64().expect("an end"),
        place["end_column"].as_u64().expect("an end"),
    );
    let path = folder.join(string(place, "path"));
    let bytes = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let mut at = (1, 1);
    let mut slice = String::new();
    let mut is_reached = (start == at, end == at);
    for c in text.chars() {
        if at >= start && at < end {
            slice.push(c);
        }
        at = if c == '\n' {
            (at.0 + 1, 1)
        } else {
            (at.0, at.1 + 1)
        };
        is_reached = (is_reached.0 || at == start, is_reached.1 || at == end);
    }
    assert_eq!(
        is_reached,
        (true, true),
        "{place:#} is not a place of {}",
        path.display()
    );
    Some(slice)
}

/// The texts that are underlined in the human output below an arrow to a place. An empty slice
/// shows as one caret, so that the text under it says nothing: it counts as empty too.
fn carets(human: &str, at: &str) -> Vec<String> {
    let mut found = Vec::new();
    let lines: Vec<&str> = human.lines().collect();
    for (number, line) in lines.iter().enumerate() {
        let is_arrow = ["--> ", "::: "]
            .iter()
            .any(|arrow| line.trim_start() == format!("{arrow}{at}"));
        if !is_arrow {
            continue;
        }
        let below = &lines[number + 1..];
        let Some(source_at) = below.iter().position(|line| is_source(line)) else {
            continue;
        };
        let source: Vec<char> = below[source_at].chars().collect();
        for under in below[source_at + 1..]
            .iter()
            .take_while(|line| !is_source(line) && !line.is_empty())
        {
            let marked: Vec<usize> = under
                .chars()
                .enumerate()
                .filter(|(_, c)| "^-".contains(*c))
                .map(|(at, _)| at)
                .collect();
            let Some((&first, _)) = marked.split_first() else {
                continue;
            };
            let run = marked
                .iter()
                .enumerate()
                .take_while(|(nth, at)| first + nth == **at)
                .count();
            let underlined: String = source.iter().skip(first).take(run).collect();
            if run == 1 {
                found.push(String::new());
            }
            found.push(
                underlined
                    .replace('␍', "\r")
                    .replace('␀', "\0")
                    .replace('␛', "\u{1b}"),
            );
        }
    }
    found
}

/// `12 | text`: a line of source.
fn is_source(line: &str) -> bool {
    let number = line.split(" | ").next().unwrap_or_default().trim();
    !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
}

fn string<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().expect(key)
}
