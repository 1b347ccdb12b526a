use super::version::{Spelling, release_numbers};
use crate::rules::{Findings, ReadmeContext};
use crate::text::source::Span;

rule! {
    "reproduce_version.md", Readme(check), Text<'a>;
    Other { found: &'a str } => "the steps check out {found}, which is not the version of any report of this submission",
    CheckOut { version: &'a str } => "check out {version}",
}

/// Commands whose next word is a branch or a tag.
const BEFORE: [[&str; 2]; 3] = [["git", "checkout"], ["git", "switch"], ["", "--branch"]];

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    let reports = cx.reports.unwrap_or_default();
    let versions = reports.iter().filter_map(|report| report.version());
    let Some(version) = versions.clone().find(|version| release_numbers(version).is_some()) else {
        return;
    };
    let rows = cx.listing.rows.iter();
    let cells = rows.filter_map(|row| row.text(row.columns.version));
    let releases: Vec<String> = reports
        .iter()
        .filter_map(|report| Some(report.release.version.as_ref()?.to_string()))
        .collect();
    let right = versions.chain(cells).chain(releases.iter().map(String::as_str));
    let right: Vec<Spelling> = right.map(Spelling::new).collect();
    let is_right = |text: &str| {
        let found = Spelling::new(text);
        right.iter().any(|one| found.is_same(one) || found.is_near(one))
    };
    let sections = cx.readme.reproduce_sections();
    // A section about an earlier release can be next to one about this release.
    let bodies = sections.iter().map(|at| cx.readme.sections[*at].body);
    let named: Vec<Span> = bodies.flat_map(|body| checked_out(cx, body)).collect();
    let text = |span: &Span| cx.source.slice(*span);
    if named.iter().any(|span| is_right(text(span))) {
        return;
    }
    for span in named {
        let found = cx.source.slice(span);
        out.at(cx.about(span, format!("checkout {found}")), Text::Other { found })
            .help(Text::CheckOut { version });
    }
}

/// Versions that a command for the implementation's repository checks out.
fn checked_out(cx: &ReadmeContext<'_>, body: Span) -> Vec<Span> {
    let text = cx.source.slice(body);
    let mut found = Vec::new();
    let (mut before, mut at) = (["", ""], 0);
    for word in text.split(char::is_whitespace) {
        let start = at;
        at += word.len() + text[start + word.len()..].chars().next().map_or(0, char::len_utf8);
        if word.is_empty() {
            continue;
        }
        let is_next = BEFORE.iter().any(|[first, second]| {
            before[1] == *second && (first.is_empty() || before[0] == *first)
        });
        let name = word.trim_matches(|c: char| "`'\"();,.".contains(c));
        let name = name.strip_prefix("tags/").unwrap_or(name);
        if is_next && release_numbers(name) >= Some(3) {
            let start = body.start as usize + start + word.find(name).unwrap_or_default();
            found.push(Span::new(start, start + name.len()));
        }
        before = [before[1], word.trim_start_matches(['`', '$', '('])];
    }
    found
}
