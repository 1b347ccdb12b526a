use std::ops::Range;

use pulldown_cmark::{CowStr, LinkType, RefDefs};

use super::{LinkKind, row_text};
use gwconform_base::text::source::Span;

pub(super) fn link_kind(link_type: LinkType, target: &CowStr<'_>) -> (LinkKind, String) {
    match link_type {
        LinkType::Email => (LinkKind::Autolink, format!("mailto:{target}")),
        LinkType::Autolink => (LinkKind::Autolink, target.to_string()),
        LinkType::Inline | LinkType::WikiLink { .. } => (LinkKind::Inline, target.to_string()),
        _ => (LinkKind::Reference, target.to_string()),
    }
}

pub(super) fn definition(
    link_type: LinkType,
    label: &str,
    definitions: &RefDefs<'_>,
    offset: usize,
) -> Option<Range<usize>> {
    match link_type {
        LinkType::Reference | LinkType::Collapsed | LinkType::Shortcut => {
            let range = &definitions.get(label)?.span;
            Some(range.start + offset..range.end + offset)
        }
        _ => None,
    }
}

/// The whole link if the target cannot be located.
pub(super) fn target_span(
    text: &str,
    target: &str,
    link: &Range<usize>,
    extent: &Option<Range<usize>>,
    definition: Option<Range<usize>>,
) -> Span {
    let written = match definition {
        Some(range) => {
            let within = &text[range.clone()];
            let mut colons = within.match_indices("]:");
            let colon = colons.find(|(at, _)| !within[..*at].ends_with('\\'));
            colon.map(|(at, _)| destination(text, range.start + at + 2..range.end))
        }
        None if text[link.clone()].starts_with('<') => Some(link.start + 1..link.end - 1),
        None => {
            let from = extent.as_ref().map_or(link.start, |extent| extent.end);
            let paren = text[from..link.end].find("](");
            paren.map(|at| destination(text, from + at + 2..link.end - 1))
        }
    };
    let exact = written.filter(|range| {
        let raw = &text[range.clone()];
        // The parsed target has escapes and entities resolved.
        raw == target || target.strip_prefix("mailto:") == Some(raw) || raw.contains(['\\', '&'])
    });
    let target_range = exact.unwrap_or_else(|| link.clone());
    Span::new(target_range.start, target_range.end)
}

fn destination(text: &str, range: Range<usize>) -> Range<usize> {
    let rest = &text[range.clone()];
    let start = range.end - rest.trim_start_matches(row_text::is_blank).len();
    let rest = &text[start..range.end];
    if let Some(inner) = rest.strip_prefix('<') {
        let mut ends = inner.match_indices('>');
        let end = ends.find(|(at, _)| !inner[..*at].ends_with('\\'));
        let length = end.map_or(inner.len(), |(at, _)| at);
        return start + 1..start + 1 + length;
    }
    let end = rest.find(row_text::is_blank).unwrap_or(rest.len());
    start..start + end
}
