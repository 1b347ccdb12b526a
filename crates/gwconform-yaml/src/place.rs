//! Where nodes are that the parser's events do not place.

use std::borrow::Cow;

use granit_parser::StructureStyle;

use super::load::{Children, Loader};
use super::locate;
use crate::Span;

impl<'t> Loader<'t> {
    /// Gives the last document the span of what it turned out to be.
    pub(super) fn settle_document(&mut self) {
        let Some(document) = self.tree.documents.last_mut() else {
            return;
        };
        let Some(root_id) = document.root else {
            return;
        };
        let root = self.tree.nodes[root_id.index()].span;
        if document.span.is_empty() {
            document.span = root;
        }
        document.span.end = document.span.end.max(root.end);
    }

    /// A block scalar that ends with the text, without a line break, has none in its content
    /// either; the event has one.
    pub(super) fn without_final_break(&self, mut value: Cow<'t, str>, end: usize) -> Cow<'t, str> {
        let cut = end == self.text.len() && !self.text.ends_with(['\n', '\r']);
        if cut && value.ends_with('\n') {
            value.to_mut().pop();
        }
        value
    }

    /// The place of a null that is not written; `mark` is where its event points.
    pub(super) fn missing_span(&self, mark: usize) -> Span {
        let after = |indicator| locate::find(self.text, self.cursor, self.text.len(), indicator);
        let at = match self.open.last().map(|open| (&open.of, open.flow)) {
            Some((Children::Items(_), false)) => after(b"-").map(|dash| dash + 1),
            Some((Children::Entries { key: Some(_), .. }, flow)) => {
                // A key in braces or behind a `?` may have no colon.
                let colon = after(b":").filter(|colon| flow || !self.starts_scalar(*colon));
                Some(colon.map_or(self.cursor, |colon| colon + 1))
            }
            _ => None,
        };
        Span::at(at.unwrap_or(mark.max(self.cursor)))
    }

    /// True for the colon of `:,` and its like, which outside of brackets is a text.
    fn starts_scalar(&self, colon: usize) -> bool {
        let next = self.text.as_bytes().get(colon + 1);
        next.is_some_and(|next| b",[]{}".contains(next))
    }

    /// Where a sequence starts. The event of a block sequence that is indented like the mapping it
    /// belongs to points behind its first dash.
    pub(super) fn sequence_start(&self, style: StructureStyle, start: usize) -> usize {
        let parent = self.open.last().map(|open| &open.of);
        let in_mapping = matches!(parent, Some(Children::Entries { .. }));
        if style == StructureStyle::Flow || !in_mapping {
            return start;
        }
        locate::find(self.text, self.cursor, self.text.len(), b"-").unwrap_or(start)
    }
}
