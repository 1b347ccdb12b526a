use super::{Edit, Fix};
use crate::text::source::{Digest, Span};

/// Replacement for a span of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replacement<'t> {
    /// Replaced bytes; empty for an insertion.
    pub span: Span,
    /// New text; empty for a deletion.
    pub text: &'t str,
}

/// Applies fixes to a README. `None` if a fix was computed for a different text.
pub fn replaced(text: &str, path: &str, fixes: &[&Fix]) -> Option<String> {
    let digest = Digest::new(text.as_bytes());
    let mut parts = Vec::new();
    for edit in fixes.iter().flat_map(|fix| &fix.edits) {
        if let Edit::Replace {
            path: of_path,
            span,
            of,
            text,
            ..
        } = edit
            && of_path == path
        {
            if *of != digest {
                return None;
            }
            parts.push(Replacement { span: *span, text });
        }
    }
    parts.sort_by_key(|part| part.span);
    parts.dedup();
    let mut changed = String::with_capacity(text.len());
    let mut from = 0;
    for part in parts {
        changed.push_str(text.get(from..part.span.start as usize)?);
        changed.push_str(part.text);
        from = part.span.end as usize;
    }
    changed.push_str(text.get(from..)?);
    Some(changed)
}
