use std::collections::BTreeMap;
use std::path::PathBuf;

use super::{AddError, PlannedReport, SubmissionTarget, reason};
use crate::report::facts::ReportFacts;
use crate::report::formats::is_prerelease_of;
use crate::rules::readme::ListedRow;
use crate::text::source::Span;
use crate::tree::readme::{Readme, Target, manner};

pub(super) struct Candidate {
    pub path: PathBuf,
    /// File name as written in the README link.
    pub name: String,
    pub bytes: Vec<u8>,
}

/// Finds the release candidate to replace: the only matching report whose version is a prerelease
/// of the new version.
pub(super) fn candidate(
    filing: &PlannedReport,
    ground: &SubmissionTarget<'_>,
) -> Result<Candidate, AddError> {
    let refuse = |text: String| Err(reason(&filing.shown, text));
    let new = &filing.facts;
    let same = |report: &ReportFacts| {
        [
            (report.organization(), new.organization()),
            (report.project(), new.project()),
            (report.channel(), new.channel()),
            (report.mode(), new.mode()),
        ]
        .iter()
        .all(|(one, other)| one == other)
    };
    let version = new.version().unwrap_or_default();
    let is_candidate = |report: &&ReportFacts| {
        let older = report.version().unwrap_or_default();
        report.submission == filing.folder
            && same(report)
            && is_prerelease_of(older, version)
            && filing.folder.join(&report.file_name) != filing.path()
    };
    let found: Vec<&ReportFacts> = ground.reports.iter().filter(is_candidate).collect();
    let folder = ground.tree.display(&filing.folder);
    let [candidate] = found.as_slice() else {
        let names: Vec<&str> = found.iter().map(|one| one.file_name.as_str()).collect();
        return refuse(match names.is_empty() {
            true => format!(
                "{folder} has no release candidate of {version} with the same channel and mode; add the report without --replace"
            ),
            false => format!(
                "{folder} has several release candidates of {version} with the same channel and mode: {}; remove all but one of them with its row, then add the report again",
                names.join(", ")
            ),
        });
    };
    if candidate.run() == new.run() {
        return refuse(format!(
            "it is the same run as {}: the dates are identical; run the suite again with {version}",
            candidate.path
        ));
    }
    let path = filing.folder.join(&candidate.file_name);
    let is_in_folder = ground.tree.display(&path) == candidate.path;
    match (ground.read)(&path).filter(|_| is_in_folder) {
        Some(bytes) => Ok(Candidate {
            path,
            name: candidate.file_name.clone(),
            bytes,
        }),
        None => refuse(format!(
            "{} is not a file of {folder} itself or cannot be read; remove it with its row, then add the report without --replace",
            candidate.path
        )),
    }
}

pub(super) fn in_readme(
    text: &str,
    readme: &Readme,
    row: &ListedRow<'_>,
    cells: [(Option<usize>, String); 2],
    (from, to): (&str, &str),
) -> String {
    let written = cells
        .into_iter()
        .filter_map(|(column, new)| Some((row.cell(column)?.span, new)));
    let mut edits: BTreeMap<Span, String> = written.collect();
    for link in &readme.links {
        let leads_there = matches!(
            link.classify(),
            Target::Relative { path, up: 0 } if path.trim_start_matches("./") == from
        );
        let is_in = |span: &Span| span.start <= link.span.start && link.span.end <= span.end;
        let target = &text[link.target_span.range()];
        if !leads_there || edits.keys().any(is_in) {
            continue;
        }
        if let Some(at) = target.rfind(from) {
            let start = link.target_span.start as usize + at;
            edits.insert(Span::new(start, start + from.len()), to.to_owned());
        }
    }
    let mut text = text.to_owned();
    for (span, new) in edits.iter().rev() {
        let (span, new) = manner::replacing(&text, readme, *span, new);
        text.replace_range(span.range(), &new);
    }
    text
}
