//! Checks that the text at each printed place is the subject of its finding, using only the output
//! and the files.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::run;

/// Compares the text at each place in the JSON output with the carets of the human output.
pub fn check(folder: &Path, arguments: &[String], human: &str) {
    let arguments: Vec<String> = arguments
        .iter()
        .cloned()
        .chain(["--format".into(), "json".into()])
        .collect();
    hold(folder, &run(folder, &arguments).stdout, human);
}

pub fn hold(folder: &Path, json: &str, human: &str) {
    let json: Value = serde_json::from_str(json).expect("JSON");
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
            let is_label = place["rule"].is_null();
            assert!(
                is_label || human.contains(&format!("--> {at}\n")),
                "no arrow to {at} in\n{human}"
            );
            let line = place["line"].as_u64().expect("a line");
            let carets = carets(human, string(place, "path"), line);
            let shown = shown(&slice);
            // Long texts are cut, or omitted if they are very long.
            let is_cut = shown.len() > 60 && human.contains(&format!("--> {at}\n"));
            // For text that may be secret, only the place is printed.
            let is_hidden = human.contains(&format!("--> {at}\n = "));
            let is_marked = |text: &String| *text == slice || *text == shown;
            assert!(
                is_cut || is_hidden || carets.iter().any(is_marked),
                "{at} is {slice:?} in JSON and {carets:?} under the carets of\n{human}"
            );
        }
    }
}

/// Converts text to its terminal form: tabs become spaces, and direction or zero-width characters
/// become marks.
fn shown(slice: &str) -> String {
    let mut shown = String::new();
    for c in slice.chars() {
        match c {
            '\t' => shown.push_str("    "),
            '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}' => {
                shown.push('\u{fffd}');
            }
            '\u{7f}' => shown.push('\u{2421}'),
            '\u{80}'..='\u{9f}' => shown.push('\u{fffd}'),
            other => shown.push(other),
        }
    }
    shown
}

/// Text at a location. `None` if the location is only a path.
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

fn carets(human: &str, path: &str, line: u64) -> Vec<String> {
    let mut found = Vec::new();
    let (mut is_in_file, mut source) = (false, None::<Vec<char>>);
    for text in human.lines() {
        let arrow = ["--> ", "::: "]
            .iter()
            .find_map(|arrow| text.trim_start().strip_prefix(arrow));
        if let Some(place) = arrow {
            (is_in_file, source) = (place.starts_with(&format!("{path}:")), None);
        } else if text.is_empty() {
            (is_in_file, source) = (false, None);
        } else if let Some(number) = source_line(text) {
            source = (is_in_file && number == line).then(|| text.chars().collect());
        } else if let Some(source) = &source {
            found.extend(underlined(source, text));
        }
    }
    found
}

fn underlined(source: &[char], under: &str) -> Vec<String> {
    let under: Vec<char> = under.chars().collect();
    let mut found = Vec::new();
    let mut start = 0;
    while start < under.len() {
        let mark = under[start];
        let run = under[start..].iter().take_while(|c| **c == mark).count();
        if "^-".contains(mark) {
            let text: String = source.iter().skip(start).take(run).collect();
            if run == 1 {
                found.push(String::new());
            }
            found.push(undrawn(&text));
        }
        start += run;
    }
    found
}

fn undrawn(text: &str) -> String {
    text.replace('␍', "\r")
        .replace('␀', "\0")
        .replace('␛', "\u{1b}")
}
fn source_line(line: &str) -> Option<u64> {
    let (number, _) = line.split_once(" |")?;
    number.trim().parse().ok()
}

fn string<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().expect(key)
}
