//! Adapts the README of an earlier submission to new reports.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::other_readmes::{OtherReadme, others};
use super::{PlannedReport, SubmissionTarget};
use gwconform_base::text::source::{Source, Span, display_path};
use gwconform_report::certify::version_key;
use gwconform_report::report::facts::ReportFacts;
use gwconform_report::rules::Listing;
use gwconform_report::rules::readme::ListedRow;
use gwconform_report::rules::readme::version::release_number;
use gwconform_report::tree::Submission;
use gwconform_report::tree::readme::{self, Readme, Target, formatting};

/// README of an earlier submission, with the versions of the new reports.
pub(super) struct Previous {
    /// Printed path of the original.
    pub shown: String,
    /// Text with the rows of the earlier reports.
    pub text: String,
}

/// Adapts the newest README of the implementation. `None` if it has no single table of contents.
pub(super) fn readme(
    folder: &Path,
    planned: &[PlannedReport],
    target: &SubmissionTarget<'_>,
) -> Option<Previous> {
    let newest = planned
        .iter()
        .max_by_key(|report| version_key(report.facts.version().unwrap_or_default()))?;
    let other = others(&newest.facts, folder, target).next()?;
    let readme = readme::parse(&other.text);
    let listing = Listing::new(&readme, &[], &other.shown, other.submission, None);
    let table = readme.tables.get(listing.contents.table?)?;
    let is_usable = !table.nested && listing.more_tables.is_empty() && readme.truncated.is_empty();
    if !is_usable {
        return None;
    }
    let is_in_table = |span: &Span| table.span.start <= span.start && span.start < table.span.end;
    let names = file_names(&other, planned, target);
    let mut edits = links(&readme, &other, &names, target)?;
    edits.retain(|span, _| !is_in_table(span));
    let tags = checkouts(&other, newest, target).into_iter();
    for (span, new) in tags.chain(found(&other.text, &versions(&other, newest, target))) {
        let before = edits.range(..=span).next_back();
        let overlaps = before.is_some_and(|(one, _)| one.end > span.start);
        if !is_in_table(&span) && !overlaps {
            edits.insert(span, new);
        }
    }
    // A row without a link can be kept only with a to-do, so the new report gets its own row.
    for row in &listing.rows {
        let version = row.cell(row.columns.version);
        if version.is_none_or(|cell| cell.links.is_empty()) {
            edits.insert(line(&other.text, row.row.span), String::new());
        }
    }
    let mut text = other.text.clone();
    for (span, new) in edits.iter().rev() {
        text.replace_range(span.range(), new);
    }
    Some(Previous {
        shown: other.shown,
        text,
    })
}

/// Removes the rows of the earlier reports.
pub(super) fn without_other_rows(
    text: &str,
    path: &str,
    submission: &Submission,
    reports: &[ReportFacts],
) -> String {
    let readme = readme::parse(text);
    let source = Source::new(path, text.as_bytes().to_vec());
    let listing = Listing::new(&readme, &[], source.path(), submission, Some(reports));
    let is_other = |row: &&ListedRow<'_>| row.file.is_none();
    let mut kept = text.to_owned();
    for row in listing.rows.iter().filter(is_other).rev() {
        kept.replace_range(line(text, row.row.span).range(), "");
    }
    kept
}

/// The lines of a span, with the last line break.
fn line(text: &str, span: Span) -> Span {
    let (start, end) = (span.start as usize, span.end as usize);
    let start = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let end = text[end..].find('\n').map_or(text.len(), |at| end + at + 1);
    Span::new(start, end)
}

/// Adds a paragraph below the table of contents.
pub(super) fn with_note(text: &str, note: &str) -> String {
    let readme = readme::parse(text);
    let contents = readme.find_table_of_contents();
    let table = contents.table.and_then(|table| readme.tables.get(table));
    let end = table.map_or(text.len(), |table| table.span.end as usize);
    let (before, after) = text.split_at(end);
    let newline = formatting::newline(before);
    format!("{before}{newline}{newline}{note}{after}")
}

/// Versions of the earlier reports without `v`, with their replacements, longest first.
fn versions(
    other: &OtherReadme<'_>,
    newest: &PlannedReport,
    target: &SubmissionTarget<'_>,
) -> Vec<(String, String)> {
    let number = |text: Option<&str>| text.and_then(release_number).map(str::to_owned);
    let numbers = |facts: &ReportFacts| {
        (
            number(facts.release_text().as_deref()),
            number(facts.version()),
        )
    };
    let (release, version) = numbers(&newest.facts);
    let mut versions = BTreeMap::new();
    for report in earlier(other, target) {
        let (old_release, old) = numbers(report);
        if old == old_release {
            // The text cannot tell which of the two a number means.
            continue;
        }
        let pairs = [(old_release, &release), (old, &version)];
        for (old, new) in pairs
            .into_iter()
            .filter_map(|(old, new)| Some((old?, new.clone()?)))
        {
            versions.insert(old, new);
        }
    }
    let mut versions: Vec<(String, String)> = versions.into_iter().collect();
    versions.sort_by_key(|(old, _)| std::cmp::Reverse(old.len()));
    versions
}

/// Tags of the Gateway API repository, which are releases even if the report has the same version.
fn checkouts(
    other: &OtherReadme<'_>,
    newest: &PlannedReport,
    target: &SubmissionTarget<'_>,
) -> Vec<(Span, String)> {
    const BEFORE: &str = "--branch ";
    let Some(new) = newest.facts.release_text() else {
        return Vec::new();
    };
    let old: BTreeSet<String> = earlier(other, target)
        .filter_map(ReportFacts::release_text)
        .collect();
    let mut tags = Vec::new();
    for old in old {
        let command = format!("{BEFORE}{old} https://github.com/kubernetes-sigs/gateway-api");
        let starts = other.text.match_indices(&command);
        tags.extend(starts.map(|(at, _)| {
            let start = at + BEFORE.len();
            (Span::new(start, start + old.len()), new.clone())
        }));
    }
    tags
}

fn earlier<'g>(
    other: &OtherReadme<'_>,
    target: &'g SubmissionTarget<'_>,
) -> impl Iterator<Item = &'g ReportFacts> {
    const MAX_REPORTS: usize = 20;
    let folder = other.submission.path.clone();
    let reports = target.reports.iter();
    reports
        .filter(move |report| report.submission == folder)
        .take(MAX_REPORTS)
}

/// New names of the earlier reports with the same channel and mode.
fn file_names(
    other: &OtherReadme<'_>,
    planned: &[PlannedReport],
    target: &SubmissionTarget<'_>,
) -> BTreeMap<String, String> {
    let mut names = BTreeMap::new();
    for report in earlier(other, target) {
        let is_like = |planned: &&PlannedReport| {
            let facts = &planned.facts;
            (facts.channel(), facts.mode()) == (report.channel(), report.mode())
        };
        let mut like = planned.iter().filter(is_like);
        if let (Some(only), None) = (like.next(), like.next()) {
            names.insert(report.file_name.clone(), only.name.clone());
        }
    }
    names
}

/// Occurrences of versions that are not part of a longer name or version.
fn found(text: &str, versions: &[(String, String)]) -> Vec<(Span, String)> {
    let mut found = Vec::new();
    let mut end = 0;
    for (at, _) in text.match_indices(|c: char| c.is_ascii_digit()) {
        let before = &text[..at];
        let word = before.strip_suffix('v').unwrap_or(before);
        if at < end || word.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '.') {
            continue;
        }
        let here = versions
            .iter()
            .find(|(old, _)| text[at..].strip_prefix(old.as_str()).is_some_and(ends));
        if let Some((old, new)) = here {
            end = at + old.len();
            found.push((Span::new(at, end), new.clone()));
        }
    }
    found
}

/// True if a version ends before this text. `1.2.0-rc.1` is another version than `1.2.0`.
fn ends(rest: &str) -> bool {
    const STAGES: [&str; 6] = ["alpha", "beta", "dev", "pre", "rc", "snapshot"];
    let mut next = rest.chars();
    match next.next() {
        Some('.') => !next.next().is_some_and(|c| c.is_ascii_digit()),
        Some('-' | '+') => {
            let word = next.as_str();
            !STAGES.iter().any(|stage| word.starts_with(stage))
                && !word.starts_with(|c: char| c.is_ascii_digit())
        }
        Some(c) => !c.is_ascii_alphanumeric(),
        None => true,
    }
}

/// Targets of links to the reports, and to files that stay in the earlier folder. `None` if the
/// folder's path has characters with a special meaning in links.
fn links(
    readme: &Readme,
    other: &OtherReadme<'_>,
    names: &BTreeMap<String, String>,
    target: &SubmissionTarget<'_>,
) -> Option<BTreeMap<Span, String>> {
    let folder = display_path(&other.submission.path, &target.tree.root);
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-._/".contains(c);
    if !folder.chars().all(is_plain) {
        return None;
    }
    let mut edits = BTreeMap::new();
    for link in &readme.links {
        let Target::Relative { path, up } = link.classify() else {
            continue;
        };
        if up > 1 || link.target_span == link.span {
            continue;
        }
        let address = &other.text[link.target_span.range()];
        let address = address.strip_prefix("./").unwrap_or(address);
        match names.get(&path).filter(|_| up == 0) {
            Some(name) => edits.insert(link.target_span, format!("./{name}")),
            None if address.starts_with(['<', '/', '\\']) => None,
            None => edits.insert(link.target_span, format!("../../{folder}/{address}")),
        };
    }
    Some(edits)
}
