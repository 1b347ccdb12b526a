use std::cell::OnceCell;
use std::collections::BTreeMap;

use gwconform_base::text::diagnostic::{Diagnostic, Excerpt, MAX_EXCERPT_BYTES, Region};
use gwconform_base::text::source::{Source, Span};
use gwconform_base::text::visible_source;
use serde::Serialize;

use crate::request::NamedFile;

const AROUND: u32 = 2;

/// Source lines with invisible characters escaped as in terminal output.
#[derive(Serialize)]
pub struct Lines {
    before: Vec<String>,
    /// Line number of the first line in `text`.
    first: u32,
    text: String,
    /// Range in `text`, in UTF-16 code units as in JavaScript.
    start: usize,
    end: usize,
    after: Vec<String>,
}

pub struct Excerpts<'r> {
    files: BTreeMap<&'r str, File<'r>>,
}

struct File<'r> {
    bytes: &'r [u8],
    /// `None` if context lines are not shown.
    source: OnceCell<Option<Source>>,
}

impl<'r> Excerpts<'r> {
    pub fn new(files: &'r [NamedFile<'r>]) -> Self {
        let files = files.iter().map(|file| {
            let source = OnceCell::new();
            let bytes = file.bytes;
            (file.path.as_str(), File { bytes, source })
        });
        Self {
            files: files.collect(),
        }
    }

    /// Returns the lines of each finding. `None` for findings about a path, and for lines that are
    /// too long or could contain secrets.
    pub fn of_all(&self, findings: &[Diagnostic]) -> Vec<Option<Lines>> {
        findings.iter().map(|finding| self.of(finding)).collect()
    }

    fn of(&self, finding: &Diagnostic) -> Option<Lines> {
        let region = finding.place.region.as_ref()?;
        let excerpt = region.excerpt.as_ref()?;
        let units = |end: u32| {
            let before = excerpt.text.get(..end as usize)?;
            Some(visible_source(before).encode_utf16().count())
        };
        let source = self.source(&finding.place.path);
        let around = source.map(|source| around(source, region, excerpt));
        let (before, after) = around.unwrap_or_default();
        Some(Lines {
            before,
            first: region.start.line,
            text: visible_source(&excerpt.text).into_owned(),
            start: units(excerpt.span.start)?,
            end: units(excerpt.span.end)?,
            after,
        })
    }

    fn source(&self, path: &str) -> Option<&Source> {
        let (path, file) = self.files.get_key_value(path)?;
        let source = file.source.get_or_init(|| {
            let source = Source::new(*path, file.bytes.to_vec());
            is_public(&source).then_some(source)
        });
        source.as_ref()
    }
}

/// Only reports and Markdown are shown. Other files, such as an accidentally selected Secret, could
/// contain secrets.
fn is_public(source: &Source) -> bool {
    let mut kinds = source
        .text()
        .split(['\n', '\r'])
        .filter(|line| line.starts_with("kind:"));
    let is_report = kinds.next().map(str::trim_end) == Some("kind: ConformanceReport");
    source.path().to_ascii_lowercase().ends_with(".md") || is_report && kinds.next().is_none()
}

/// Returns the context lines, nearest first. Both lists are empty if the excerpt is not part of the
/// file itself, such as a report inside a log.
fn around(source: &Source, region: &Region, excerpt: &Excerpt) -> (Vec<String>, Vec<String>) {
    let first = region.start.line;
    let own = excerpt.text.matches('\n').count();
    let last = first.saturating_add(u32::try_from(own).unwrap_or(u32::MAX));
    let ends = (source.line(first), source.line(last));
    let (Some(Span { start, .. }), Some(Span { end, .. })) = ends else {
        return Default::default();
    };
    if source.slice(Span { start, end }) != excerpt.text {
        return Default::default();
    }
    let mut room = MAX_EXCERPT_BYTES.saturating_sub(excerpt.text.len());
    let mut take = |number: Option<u32>| {
        let line = source.line(number?)?;
        room = room.checked_sub(source.slice(line).len())?;
        source
            .is_showable(line)
            .then(|| visible_source(source.slice(line)).into_owned())
    };
    let above = (1..=AROUND).map_while(|by| take(first.checked_sub(by)));
    let mut before: Vec<String> = above.collect();
    before.reverse();
    let below = (1..=AROUND).map_while(|by| take(last.checked_add(by)));
    (before, below.collect())
}
