//! Safe fixes of the lines that a change brings, for comments at these lines.

use std::ops::Range;
use std::path::Path;

use super::error::RunError;
use super::fix::Fixer;
use super::since::{History, Revision};
use super::{ReviewedChange, Workspace};
use crate::change::{Change, changed_lines};
use crate::check::{Applicability, Selection};
use crate::diagnostic::Diagnostic;
use crate::files::Kind;
use crate::review::Suggestion;
use crate::source::MAX_FILE_BYTES;

/// Most suggestions, and most lines that one replaces: more are a job for `--fix`.
const MAX_SUGGESTIONS: usize = 30;
const MAX_LINES: usize = 30;

impl Workspace {
    /// The safe fixes of README lines that a reviewed change adds or edits.
    ///
    /// # Errors
    /// See [`Workspace::review`].
    pub fn suggestions(
        &self,
        selection: &Selection,
        history: &dyn History,
        change: &ReviewedChange,
    ) -> Result<Vec<Suggestion>, RunError> {
        let root = self.whole_tree()?;
        let revision = Revision { history, root };
        let settings = self.settings(selection)?;
        let engine = self.engine(&settings);
        let fixer = Fixer {
            engine,
            level: Applicability::Safe,
        };
        let plan = fixer.plan(&self.targets, &change.report.findings)?;
        let earlier = revision.earlier(&self.base)?.base;
        let mut suggestions = Vec::new();
        for change_of_file in plan.changes.changes() {
            let Change::Edit {
                path,
                before,
                after,
            } = change_of_file
            else {
                continue;
            };
            let absolute = self.base.absolute(Path::new(path));
            let Some(below) = history.below(&absolute) else {
                continue;
            };
            let was_there = matches!(earlier.files().kind_of(&absolute), Ok(Kind::File));
            let former = match was_there {
                true => match earlier.files().read(&absolute, MAX_FILE_BYTES) {
                    Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
                    Err(_) => continue,
                },
                false => String::new(),
            };
            let findings = change.report.findings.iter();
            let of_file: Vec<&Diagnostic> = findings
                .filter(|finding| finding.place.path == *path && finding.fix.is_some())
                .collect();
            let brought = changed_lines(&former, before);
            let below = below.to_string_lossy().replace('\\', "/");
            suggestions.extend(of_text(&below, &brought, before, after, &of_file));
        }
        suggestions.truncate(MAX_SUGGESTIONS);
        Ok(suggestions)
    }
}

/// The suggestions for a text that becomes another; `brought` are the lines that differ from the
/// former one.
fn of_text(
    path: &str,
    brought: &[[Range<usize>; 2]],
    before: &str,
    after: &str,
    findings: &[&Diagnostic],
) -> Vec<Suggestion> {
    let lines: Vec<&str> = before.split_inclusive('\n').collect();
    let new_lines: Vec<&str> = after.split_inclusive('\n').collect();
    let mut suggestions = Vec::new();
    for [mut old, mut new] in changed_lines(before, after) {
        if old.is_empty() {
            // What is put in comes with the line above it.
            let (Some(old_start), Some(new_start)) =
                (old.start.checked_sub(1), new.start.checked_sub(1))
            else {
                continue;
            };
            (old.start, new.start) = (old_start, new_start);
        }
        let is_brought = |line: usize| brought.iter().any(|[_, range]| range.contains(&line));
        let (Some(replaced), Some(text)) = (lines.get(old.clone()), new_lines.get(new)) else {
            continue;
        };
        let is_short = replaced.len().max(text.len()) <= MAX_LINES;
        if !is_short || !old.clone().all(is_brought) {
            continue;
        }
        let is_about = |finding: &&&Diagnostic| {
            let region = finding.place.region.as_ref();
            region.is_some_and(|region| old.contains(&(region.start.line as usize - 1)))
        };
        let messages = findings.iter().filter(is_about);
        suggestions.push(Suggestion {
            path: path.to_owned(),
            first_line: old.start + 1,
            last_line: old.end,
            lines: text.iter().map(|line| without_end(line)).collect(),
            messages: messages.map(|finding| finding.message.clone()).collect(),
        });
    }
    suggestions
}

fn without_end(line: &str) -> String {
    let line = line.strip_suffix('\n').unwrap_or(line);
    line.strip_suffix('\r').unwrap_or(line).to_owned()
}
