//! Parses all output formats, independently of the program.

use std::fs;
use std::path::Path;
use std::process::Command;

use gwconform::print::Format;
use regex::Regex;
use serde_json::Value;

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Printed {
    pub path: String,
    pub start: Option<(u64, Option<u64>)>,
    pub end: Option<(u64, Option<u64>)>,
    pub severity: String,
    pub rule: String,
    pub message: String,
}

impl Printed {
    /// True if the text at the place starts the message, in backticks. False if the message has no
    /// such text, or the format prints no column.
    pub fn holds_in(&self, folder: &Path, format: Format) -> bool {
        let quoted = self
            .message
            .strip_prefix('`')
            .and_then(|rest| rest.split_once('`'));
        let (Some((quoted, _)), Some((line, Some(column)))) = (quoted, self.start) else {
            return false;
        };
        // Outside of JSON, invisible characters are escaped.
        let quoted = &quoted.replace("\\r", "\r");
        let bytes = fs::read(folder.join(&self.path)).expect("the file that is named");
        let text = String::from_utf8(bytes).expect("UTF-8");
        let offset = |line: u64, column: u64| {
            let start: usize = text
                .split_inclusive('\n')
                .take(line as usize - 1)
                .map(str::len)
                .sum();
            let rest = &text[start..];
            let mut characters = rest.char_indices().map(|(at, _)| at).chain([rest.len()]);
            start
                + characters
                    .nth(column as usize - 1)
                    .expect("a column of the line")
        };
        let start = offset(line, column);
        assert!(
            text[start..].starts_with(quoted.as_str()),
            "{format:?}: {self:?} at {:?}",
            &text[start..]
        );
        if let Some((line, Some(column))) = self.end {
            let marked = &text[start..offset(line, column)];
            let first = marked.lines().next().unwrap_or_default();
            assert_eq!(
                first.trim_end_matches('\r'),
                quoted.trim_end_matches('\r'),
                "{format:?}: {self:?}"
            );
        }
        true
    }

    pub fn as_far_as(
        &self,
        format: Format,
    ) -> (String, Option<(u64, Option<u64>)>, String, String) {
        let lines = self.end.map(|(line, _)| line);
        let is_over_lines = self.start.map(|(line, _)| line) != lines;
        // Workflow commands have no columns for places that span several lines.
        let start = match self.start {
            Some((line, _)) if format == Format::Github && is_over_lines => Some((line, None)),
            // A finding about a whole file is at its start.
            None if format == Format::Concise => Some((1, Some(1))),
            start => start,
        };
        (
            self.path.clone(),
            start,
            self.severity.clone(),
            self.rule.clone(),
        )
    }
}

pub fn places(format: Format, output: &str) -> Vec<Printed> {
    match format {
        Format::Human => human(output),
        Format::Concise => output.lines().filter_map(concise).collect(),
        Format::Json => json(output),
        Format::Sarif => sarif(output),
        Format::Github => output.lines().filter_map(github).collect(),
        Format::Junit => junit(output),
        Format::Markdown => markdown(output),
        Format::Suggestions => panic!("prints no findings"),
    }
}

/// Parses `severity[rule]: message` with continuation lines, then an arrow with the location.
/// `support::location` reads the carets.
fn human(output: &str) -> Vec<Printed> {
    let mut lines = output.lines();
    let mut found = Vec::new();
    while let Some(line) = lines.next() {
        let parts = ["error", "warning", "info"]
            .into_iter()
            .find_map(|severity| {
                let (rule, message) = line
                    .strip_prefix(severity)?
                    .strip_prefix('[')?
                    .split_once("]: ")?;
                Some((severity, rule, message))
            });
        let Some((severity, rule, message)) = parts else {
            continue;
        };
        let mut message = message.to_owned();
        let place = loop {
            let line = lines.next().expect("a line with the place").trim_start();
            match line.strip_prefix("--> ") {
                Some(place) => break place,
                None => message = format!("{message} {line}"),
            }
        };
        let (path, start) = path_and_start(place);
        found.push(Printed {
            path,
            start,
            end: None,
            severity: severity.to_owned(),
            rule: rule.to_owned(),
            message,
        });
    }
    found
}

/// Parses a line as reviewdog and Vim do by `%f:%l:%c: %t%*[^:]: %m`, and the rule before the message.
fn concise(line: &str) -> Option<Printed> {
    let line_of_finding =
        Regex::new(r"^(.+?):(\d+):(\d+): (error|warning|info): ([a-z/-]+): (.*)$");
    let found = line_of_finding.unwrap().captures(line)?;
    Some(Printed {
        path: found[1].to_owned(),
        start: Some((found[2].parse().unwrap(), found[3].parse().ok())),
        end: None,
        severity: found[4].to_owned(),
        rule: found[5].to_owned(),
        message: found[6].to_owned(),
    })
}

fn path_and_start(place: &str) -> (String, Option<(u64, Option<u64>)>) {
    let numbers = || {
        let (rest, column) = place.rsplit_once(':')?;
        let (path, line) = rest.rsplit_once(':')?;
        Some((path, line.parse().ok()?, column.parse().ok()?))
    };
    match numbers() {
        Some((path, line, column)) => (path.to_owned(), Some((line, Some(column)))),
        None => (place.to_owned(), None),
    }
}

fn string(value: &Value) -> String {
    value.as_str().expect("a string").to_owned()
}

fn json(output: &str) -> Vec<Printed> {
    let json: Value = serde_json::from_str(output).expect("JSON");
    let findings = json["findings"].as_array().expect("findings").iter();
    let findings = findings.map(|one| Printed {
        path: string(&one["path"]),
        start: one["line"]
            .as_u64()
            .map(|line| (line, one["column"].as_u64())),
        end: one["end_line"]
            .as_u64()
            .map(|line| (line, one["end_column"].as_u64())),
        severity: string(&one["severity"]),
        rule: string(&one["rule"]),
        message: string(&one["message"]),
    });
    findings.collect()
}

fn sarif(output: &str) -> Vec<Printed> {
    let log: Value = serde_json::from_str(output).expect("JSON");
    let run = &log["runs"][0];
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    let results = run["results"].as_array().expect("results").iter();
    let results = results.map(|one| {
        let rule = string(&one["ruleId"]);
        let index = one["ruleIndex"].as_u64().expect("an index") as usize;
        assert_eq!(run["tool"]["driver"]["rules"][index]["id"], rule);
        let place = &one["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uriBaseId"], "%SRCROOT%");
        let region = &place["region"];
        let at = |line: &str, column: &str| {
            let line = region[line].as_u64()?;
            Some((line, region[column].as_u64()))
        };
        Printed {
            path: decoded(&string(&place["artifactLocation"]["uri"])),
            start: at("startLine", "startColumn"),
            end: at("endLine", "endColumn"),
            severity: string(&one["level"]).replace("note", "info"),
            rule,
            message: string(&one["message"]["text"]),
        }
    });
    results.collect()
}

fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        if *first == b'%' {
            let (hex, after) = after.split_at(2);
            let hex = std::str::from_utf8(hex).expect("two digits");
            bytes.push(u8::from_str_radix(hex, 16).expect("two digits"));
            rest = after;
        } else {
            bytes.push(*first);
            rest = after;
        }
    }
    String::from_utf8(bytes).expect("UTF-8")
}

fn github(line: &str) -> Option<Printed> {
    let (command, data) = line.strip_prefix("::")?.split_once("::")?;
    let (name, properties) = command.split_once(' ')?;
    let properties: std::collections::BTreeMap<&str, String> = properties
        .split(',')
        .map(|property| property.split_once('=').expect("a property"))
        .map(|(key, value)| (key, decoded(value)))
        .collect();
    let number = |key: &str| {
        properties
            .get(key)
            .map(|text| text.parse().expect("a number"))
    };
    Some(Printed {
        path: properties["file"].clone(),
        start: number("line").map(|line| (line, number("col"))),
        end: number("endLine").map(|line| (line, number("endColumn"))),
        severity: name.replace("notice", "info"),
        rule: properties["title"].clone(),
        message: decoded(data),
    })
}

fn junit(output: &str) -> Vec<Printed> {
    let xml = roxmltree::Document::parse(output).expect("XML");
    let nodes = xml.descendants().filter(|node| {
        let is_of_case = node
            .parent()
            .is_some_and(|parent| parent.has_tag_name("testcase"));
        is_of_case && (node.has_tag_name("failure") || node.has_tag_name("system-out"))
    });
    let texts = nodes.filter_map(|node| node.text());
    texts.flat_map(str::lines).filter_map(log_line).collect()
}

fn log_line(line: &str) -> Option<Printed> {
    if line.starts_with("    ") {
        return None;
    }
    let severities = ["error", "warning", "info"];
    let marks = severities.iter().filter_map(|severity| {
        let at = line.find(&format!(": {severity}["))?;
        Some((at, *severity))
    });
    let (at, severity) = marks.min()?;
    let (place, rest) = (&line[..at], &line[at + severity.len() + 3..]);
    let (rule, message) = rest.split_once("]: ").expect("a rule");
    let (path, start) = path_and_start(place);
    Some(Printed {
        path,
        start,
        end: None,
        severity: severity.to_owned(),
        rule: rule.to_owned(),
        message: message.to_owned(),
    })
}

fn markdown(output: &str) -> Vec<Printed> {
    let mut path = String::new();
    let mut found = Vec::new();
    for line in output.lines() {
        if let Some(heading) = line.strip_prefix("#### ") {
            let ticks = heading.chars().take_while(|&c| c == '`').count();
            let inner = &heading[ticks..heading.len() - ticks];
            let has_edges = inner.starts_with(' ') && inner.ends_with(' ');
            path = if has_edges {
                inner[1..inner.len() - 1].to_owned()
            } else {
                inner.to_owned()
            };
        }
        let Some((severity, rest)) = line
            .strip_prefix("- **")
            .and_then(|rest| rest.split_once("** `"))
        else {
            continue;
        };
        let (rule, rest) = rest.split_once('`').expect("a rule");
        let (place, message) = rest.split_once(": ").expect("a message");
        let numbers = place
            .strip_prefix(" line ")
            .and_then(|place| place.split_once(", column "));
        found.push(Printed {
            path: path.clone(),
            start: numbers.map(|(line, column)| {
                (
                    line.parse().expect("a line"),
                    Some(column.parse().expect("a column")),
                )
            }),
            end: None,
            severity: severity.to_owned(),
            rule: rule.to_owned(),
            message: message.to_owned(),
        });
    }
    found
}
