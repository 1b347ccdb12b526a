//! Converts safe fixes of changed lines to review comments.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::ops::Range;

use super::error::RunError;
use super::fix::Fixer;
use super::since::History;
use super::{ReviewedChange, Workspace};
use gwconform_base::files::FileKind;
use gwconform_base::files::name_of;
use gwconform_base::text::change::{Change, changed_lines};
use gwconform_base::text::diagnostic::{Diagnostic, Place};
use gwconform_base::text::source::{MAX_FILE_BYTES, is_invisible};
use gwconform_report::review::Suggestion;
use gwconform_report::rules::check::{Applicability, Selection};
use gwconform_report::tree::is_readme;

/// Users can apply other fixes with `--fix`.
const MAX_SUGGESTIONS: usize = 30;
/// In bytes. GitHub rejects comments of more than 65,536 characters.
const MAX_BYTES: usize = 10_000;

impl Workspace {
    /// Safe fixes for changed README lines.
    pub fn suggestions(
        &self,
        selection: &Selection,
        history: &dyn History,
        change: &ReviewedChange,
    ) -> Result<Vec<Suggestion>, RunError> {
        let revision = self.revision(history)?;
        let settings = self.settings(selection)?;
        let engine = self.engine(&settings);
        let fixer = Fixer {
            engine,
            level: Applicability::Safe,
        };
        let plan = fixer.plan(&self.targets, &change.report.findings)?;
        let earlier = revision.earlier(&self.base)?.base;
        // GitHub shows only the changed lines of renamed files, so other lines cannot have
        // comments.
        let moved: Vec<Vec<u8>> = (history.changed().iter())
            .filter(|changed| !changed.is_there && is_readme(&name_of(&changed.path)))
            .filter_map(|changed| earlier.files().read(&changed.path, MAX_FILE_BYTES).ok())
            .collect();
        let moved: Vec<_> = moved
            .iter()
            .map(|text| String::from_utf8_lossy(text))
            .collect();
        let moved: BTreeSet<&str> = moved.iter().flat_map(|text| text.lines()).collect();
        let mut suggestions = Vec::new();
        for change_of_file in plan.fixes.changes.changes() {
            let Change::Edit {
                path,
                before,
                after,
            } = change_of_file
            else {
                continue;
            };
            let absolute = self.base.shown_from().join(path);
            let Some(below) = history.below(&absolute) else {
                continue;
            };
            let was_there = matches!(earlier.files().kind_of(&absolute), Ok(FileKind::File));
            let former = if was_there {
                match earlier.files().read(&absolute, MAX_FILE_BYTES) {
                    Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
                    Err(_) => continue,
                }
            } else {
                String::new()
            };
            let findings = change.report.findings.iter();
            let of_file: Vec<&Diagnostic> = findings
                .filter(|finding| *finding.place.path == **path && finding.fix.is_some())
                .collect();
            let brought = changed_lines(&former, before);
            let lines: Vec<&str> = before.lines().collect();
            let has_moved = |line: usize| {
                let text = lines.get(line).filter(|_| !was_there);
                text.is_some_and(|text| moved.contains(text))
            };
            let is_brought = |line: usize| {
                let at = brought.partition_point(|[_, range]| range.end <= line);
                let is_new = brought
                    .get(at)
                    .is_some_and(|[_, range]| range.contains(&line));
                is_new && !has_moved(line)
            };
            // GitHub rejects the whole review if a path does not exist.
            let names: Option<Vec<&str>> = below.iter().map(OsStr::to_str).collect();
            let Some(below) = names.map(|names| names.join("/")) else {
                continue;
            };
            suggestions.extend(of_text(&below, &is_brought, before, after, &of_file));
        }
        suggestions.truncate(MAX_SUGGESTIONS);
        Ok(suggestions)
    }
}

fn of_text(
    path: &str,
    is_brought: &dyn Fn(usize) -> bool,
    before: &str,
    after: &str,
    findings: &[&Diagnostic],
) -> Vec<Suggestion> {
    let lines: Vec<&str> = before.split_inclusive('\n').collect();
    let new_lines: Vec<&str> = after.split_inclusive('\n').collect();
    let mut suggestions = Vec::new();
    let changes = changed_lines(before, after).into_iter();
    for [mut old, mut new] in changes.flat_map(|change| parts(change, is_brought)) {
        if old.is_empty() {
            let (Some(old_start), Some(new_start)) =
                (old.start.checked_sub(1), new.start.checked_sub(1))
            else {
                continue;
            };
            (old.start, new.start) = (old_start, new_start);
        }
        let (Some(replaced), Some(text)) = (lines.get(old.clone()), new_lines.get(new)) else {
            continue;
        };
        let bytes = text.iter().map(|line| line.len()).sum::<usize>();
        // Suggestions cannot change line endings.
        let is_same = lines_of(replaced) == lines_of(text);
        if bytes > MAX_BYTES || is_same || !are_readable(text) || !old.clone().all(is_brought) {
            continue;
        }
        let is_about = |place: &Place| {
            let region = place.region.as_ref();
            region.is_some_and(|region| old.contains(&(region.start.line as usize - 1)))
        };
        let messages = findings.iter().flat_map(|finding| {
            let merged = finding.labels.iter().filter(|label| label.is_finding);
            let merged = merged.map(|label| (&label.place, &label.message));
            std::iter::once((&finding.place, &finding.message)).chain(merged)
        });
        let messages = messages.filter(|(place, _)| is_about(place));
        suggestions.push(Suggestion {
            path: path.to_owned(),
            first_line: old.start + 1,
            last_line: old.end,
            lines: lines_of(text),
            messages: messages.map(|(_, message)| message.clone()).collect(),
        });
    }
    suggestions
}

fn parts(
    [old, new]: [Range<usize>; 2],
    is_brought: &dyn Fn(usize) -> bool,
) -> Vec<[Range<usize>; 2]> {
    if old.len() != new.len() {
        return vec![[old, new]];
    }
    let offset = |line: usize| line - old.start + new.start;
    let lines: Vec<usize> = old.clone().filter(|line| is_brought(*line)).collect();
    let runs = lines.chunk_by(|a, b| a + 1 == *b);
    let ends = runs.filter_map(|run| Some((*run.first()?, *run.last()? + 1)));
    ends.map(|(start, end)| [start..end, offset(start)..offset(end)])
        .collect()
}

fn lines_of(text: &[&str]) -> Vec<String> {
    text.iter().map(|line| without_end(line)).collect()
}

fn are_readable(text: &[&str]) -> bool {
    let mut characters = text
        .iter()
        .flat_map(|line| line.trim_end_matches(['\r', '\n']).chars());
    !characters.any(|c| c != '\t' && is_invisible(c))
}

fn without_end(line: &str) -> String {
    let line = line.strip_suffix('\n').unwrap_or(line);
    line.strip_suffix('\r').unwrap_or(line).to_owned()
}
