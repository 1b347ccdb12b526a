use std::borrow::Cow;

use granit_parser::StructureStyle;

use super::load::{Children, Loader};
use super::locate;
use crate::Span;

impl<'t> Loader<'t> {
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

    /// The parser adds a line break to a block scalar at the end of a text.
    pub(super) fn without_final_break(&self, mut value: Cow<'t, str>, end: usize) -> Cow<'t, str> {
        let cut = end == self.text.len() && !self.text.ends_with(['\n', '\r']);
        if cut && value.ends_with('\n') {
            value.to_mut().pop();
        }
        value
    }

    pub(super) fn missing_span(&self, mark: usize) -> Span {
        let after = |indicator| locate::find(self.text, self.cursor, self.text.len(), indicator);
        let at = match self.open.last().map(|open| (&open.of, open.flow)) {
            Some((Children::Items(_), false)) => after(b"-").map(|dash| dash + 1),
            Some((Children::Entries { key: Some(_), .. }, flow)) => {
                // A key in braces or after `?` may have no colon.
                let colon = after(b":").filter(|colon| flow || !self.starts_scalar(*colon));
                Some(colon.map_or(self.cursor, |colon| colon + 1))
            }
            _ => None,
        };
        Span::at(at.unwrap_or(mark.max(self.cursor)))
    }

    /// True if the colon belongs to a plain scalar, as in `:,` outside brackets.
    fn starts_scalar(&self, colon: usize) -> bool {
        let next = self.text.as_bytes().get(colon + 1);
        next.is_some_and(|next| b",[]{}".contains(next))
    }

    /// If a block sequence aligns with its parent mapping, the event's position is after the first
    /// dash.
    pub(super) fn sequence_start(&self, style: StructureStyle, start: usize) -> usize {
        let parent = self.open.last().map(|open| &open.of);
        let in_mapping = matches!(parent, Some(Children::Entries { .. }));
        if style == StructureStyle::Flow || !in_mapping {
            return start;
        }
        locate::find(self.text, self.cursor, self.text.len(), b"-").unwrap_or(start)
    }
}
