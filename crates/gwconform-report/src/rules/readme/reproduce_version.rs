use std::collections::{BTreeMap, BTreeSet};

use super::version::{Spelling, release_numbers};
use crate::report::facts::ReportFacts;
use crate::rules::{Findings, ReadmeContext, rule};
use gwconform_base::text::source::Span;

rule! {
    "reproduce_version.md", ReadmeContext(check), Text<'a>;
    Other { found: &'a str } => "the steps check out {found}, which is not the version of any report of this submission",
    CheckOut { version: &'a str } => "check out {version}",
}

/// Commands whose next word is a branch or a tag.
const BEFORE: [[&str; 2]; 3] = [["git", "checkout"], ["git", "switch"], ["", "--branch"]];

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    let sections = cx.readme.reproduce_sections();
    // A section about an earlier release can be next to one about this release.
    let bodies = sections.iter().map(|at| cx.readme.sections[*at].body);
    let named: Vec<Span> = bodies.flat_map(|body| checked_out(cx, body)).collect();
    if named.is_empty() {
        return;
    }
    let reports = cx.reports.unwrap_or_default();
    let versions = reports.iter().filter_map(|report| report.version());
    let Some(version) = versions
        .clone()
        .find(|version| release_numbers(version).is_some())
    else {
        return;
    };
    let rows = cx.listing.rows.iter();
    let cells = rows.filter_map(|row| row.text(row.columns.version));
    let releases = reports.iter().filter_map(ReportFacts::release_text);
    let releases: Vec<String> = releases.collect();
    let mut right: BTreeSet<&str> = versions.chain(cells).collect();
    right.extend(releases.iter().map(String::as_str));
    let right: Vec<Spelling> = right.into_iter().map(Spelling::new).collect();
    let is_right = |text: &str| {
        let found = Spelling::new(text);
        right
            .iter()
            .any(|one| found.is_same(one) || found.is_near(one))
    };
    let mut texts = named.iter().map(|span| cx.source.slice(*span));
    if texts.any(is_right) {
        return;
    }
    for span in named {
        let found = cx.source.slice(span);
        out.at(
            cx.about(span, format!("checkout {found}")),
            Text::Other { found },
        )
        .help(Text::CheckOut { version });
    }
}

/// Versions that a command for the implementation's repository checks out. The version of a variable
/// is at its assignment.
fn checked_out(cx: &ReadmeContext<'_>, body: Span) -> Vec<Span> {
    let text = cx.source.slice(body);
    let mut found = Vec::new();
    if !BEFORE.iter().any(|[_, word]| text.contains(word)) {
        return found;
    }
    let mut variables: BTreeMap<&str, &str> = BTreeMap::new();
    let mut before = ["", ""];
    for word in text.split_whitespace() {
        let version = |part: &str| {
            let name = bare(part);
            let start = body.start as usize + (name.as_ptr() as usize - text.as_ptr() as usize);
            (release_numbers(name) >= Some(3)).then(|| Span::new(start, start + name.len()))
        };
        if let Some((name, value)) = assigned(before, word) {
            variables.insert(name, value);
        }
        let is_next = BEFORE.iter().any(|[first, second]| {
            before[1] == *second && (first.is_empty() || before[0] == *first)
        });
        if is_next {
            // An assignment is removed, so that it is reported once.
            let tag = variable(word).map_or(Some(word), |name| variables.remove(name));
            found.extend(tag.and_then(version));
        }
        before = [before[1], word.trim_start_matches(['`', '$', '('])];
    }
    found
}

fn bare(word: &str) -> &str {
    let name = word.trim_matches(|c: char| "`'\"();,.".contains(c));
    name.strip_prefix("tags/").unwrap_or(name)
}

/// Name and value of an assignment in a shell (`NAME=value`) or a makefile (`NAME ?= value`). The
/// value is the end of the word.
fn assigned<'t>(before: [&'t str; 2], word: &'t str) -> Option<(&'t str, &'t str)> {
    let (left, value, previous) = match word.split_once('=') {
        Some((left, value)) => (left, value, before[1]),
        None => (before[1].strip_suffix('=')?, word, before[0]),
    };
    let name = match left.trim_end_matches([':', '?']) {
        "" => previous,
        name => name.trim_start_matches(['`', '(']),
    };
    (is_variable(name) && !value.is_empty()).then_some((name, value))
}

/// Variable that is a whole tag, such as `$VERSION` or `v${VERSION}`.
fn variable(word: &str) -> Option<&str> {
    let tag = bare(word);
    let name = tag.strip_prefix('v').unwrap_or(tag).strip_prefix('$')?;
    let name = name.trim_matches(['$', '{', '}', '(']);
    is_variable(name).then_some(name)
}

fn is_variable(name: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    !name.is_empty() && name.chars().all(is_part) && !name.starts_with(|c: char| c.is_ascii_digit())
}
