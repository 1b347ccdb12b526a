//! Layout of a finding: wrapped text, and locations with source lines and marks.

use std::borrow::Cow;

use gwconform_base::text::diagnostic::{Diagnostic, Excerpt, Label, Place, Region};
use gwconform_base::text::message::Message;
use gwconform_base::text::source::{Position, Span, is_plain};
use gwconform_base::text::wrap::wrap;
use gwconform_base::text::{visible, visible_source};

/// A finding prepared for display. Invisible characters are already escaped.
pub(super) struct Drawing<'f> {
    pub(super) finding: &'f Diagnostic,
    pub(super) title: String,
    pub(super) places: Vec<Drawn<'f>>,
    pub(super) help: Option<String>,
}

pub(super) struct Drawn<'f> {
    pub(super) path: String,
    pub(super) position: Option<Position>,
    /// Source lines in order; empty if the source text was not kept.
    pub(super) lines: Vec<Line<'f>>,
}

pub(super) struct Line<'f> {
    pub(super) number: u32,
    pub(super) text: Cow<'f, str>,
    pub(super) marks: Vec<Mark>,
}

pub(super) struct Mark {
    pub(super) span: Span,
    /// Label text; `None` for the location of the finding itself.
    pub(super) label: Option<String>,
}

impl<'f> Drawing<'f> {
    pub(super) fn new(finding: &'f Diagnostic, width: usize) -> Self {
        let before = finding.severity.as_str().len() + finding.rule.len() + "[]: ".len();
        let (together, apart) = split_labels(finding);
        let mut place = Drawn::new(&finding.place, None);
        for label in together {
            place.add(label);
        }
        let apart = apart
            .into_iter()
            .map(|label| Drawn::new(&label.place, Some(&label.message)));
        Self {
            finding,
            title: in_lines(&finding.message.to_string(), before, width),
            places: std::iter::once(place).chain(apart).collect(),
            // The help text starts after the column of line numbers and `= help: `.
            help: finding
                .help
                .as_ref()
                .map(|help| in_lines(&help.to_string(), " 9999 = help: ".len(), width)),
        }
    }
}

impl<'f> Drawn<'f> {
    fn new(place: &'f Place, label: Option<&Message>) -> Self {
        let region = place.region.as_ref();
        let line = region.and_then(|region| Line::try_new(region, label));
        Self {
            path: visible(&place.path),
            position: region.map(|region| region.start),
            lines: line.into_iter().collect(),
        }
    }

    fn add(&mut self, label: &'f Label) {
        let region = label.place.region.as_ref();
        let Some(line) = region.and_then(|region| Line::try_new(region, Some(&label.message)))
        else {
            return;
        };
        match self
            .lines
            .binary_search_by_key(&line.number, |line| line.number)
        {
            Ok(at) => self.lines[at].marks.extend(line.marks),
            Err(at) => self.lines.insert(at, line),
        }
    }
}

impl<'f> Line<'f> {
    fn try_new(region: &'f Region, label: Option<&Message>) -> Option<Self> {
        let Excerpt { text, span } = region.excerpt.as_ref()?;
        let shown = visible_source(text);
        let mark = Mark {
            span: non_empty(moved(*span, text, &shown), &shown),
            label: label.map(|label| visible(&label.to_string())),
        };
        Some(Self {
            number: region.start.line,
            text: shown,
            marks: vec![mark],
        })
    }
}

/// Extends an empty span by one character. Otherwise, annotate-snippets would reserve no column for
/// the line number.
fn non_empty(span: Span, shown: &str) -> Span {
    let (start, end) = (span.start as usize, span.end as usize);
    match shown.get(start..).and_then(|rest| rest.chars().next()) {
        Some(next) if start == end && next != '\n' => Span::new(start, start + next.len_utf8()),
        _ => span,
    }
}

/// Converts a span to the displayed text, in which one visible character replaces each invisible
/// character.
fn moved(span: Span, text: &str, shown: &str) -> Span {
    if is_plain(text) {
        return span;
    }
    let moved = |offset: u32| {
        let characters = text[..offset as usize].chars().count();
        let at = shown.char_indices().nth(characters);
        at.map_or(shown.len(), |(at, _)| at)
    };
    Span::new(moved(span.start), moved(span.end))
}

/// Wraps text that starts after `before` columns, without breaking code.
fn in_lines(text: &str, before: usize, width: usize) -> String {
    let lines = wrap(&visible(text), width.saturating_sub(before));
    let lines: Vec<&str> = lines.iter().map(|line| line.trim_start()).collect();
    lines.join("\n")
}

/// Maximum lines between two locations in one snippet.
const MAX_GAP: u32 = 500;

/// Separates labels in the snippet of the finding from others. Lines between labels are drawn as
/// `...`, but annotate-snippets would draw a single missing line as an empty line.
fn split_labels(finding: &Diagnostic) -> (Vec<&Label>, Vec<&Label>) {
    let line = |place: &Place| {
        let region = place.region.as_ref()?;
        let is_one_line = !region.excerpt.as_ref()?.text.contains('\n');
        is_one_line.then_some(region.start.line)
    };
    let mut drawn: Vec<u32> = line(&finding.place).into_iter().collect();
    finding.labels.iter().partition(|label| {
        let is_near = |line: u32| {
            let gap = |other: &u32| line.abs_diff(*other);
            drawn
                .iter()
                .all(|other| gap(other) != 2 && gap(other) <= MAX_GAP)
        };
        match line(&label.place) {
            Some(line)
                if !drawn.is_empty() && label.place.path == finding.place.path && is_near(line) =>
            {
                drawn.push(line);
                true
            }
            _ => false,
        }
    })
}
