//! Events of the YAML crate to a tree.

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::ops::ControlFlow;

use granit_parser::{ErrorKind, Event, Marker, Parser, ScalarStyle, ScanError, StructureStyle};

use super::{
    Data, Document, Entry, Flaw, FlawKind, Form, MAX_DEPTH, MAX_FLAWS, MAX_NODES, Node, NodeId,
    Yaml, message, scalar,
};
use crate::source::Span;

/// From this many entries on the keys of a mapping are hashed; comparing fewer is faster.
const HASHED_FROM: usize = 16;

/// Reads a text. Of a file that is not all UTF-8 the caller gives the valid part.
pub fn load(text: &str) -> Yaml<'_> {
    let options = granit_parser::options! {
        emit_anchor_events: true,
        emit_comments: false,
        emit_unresolved_aliases: true,
        flow_nesting_limit: MAX_DEPTH,
        block_nesting_limit: MAX_DEPTH,
    };
    let mut loader = Loader::new(text);
    let mut parser = Parser::new_from_str_with_options(text, options);
    while let Some(event) = parser.next_event() {
        let next = match event {
            Ok((event, span)) => loader.event(event, span),
            Err(error) => loader.syntax_error(&error),
        };
        if next.is_break() {
            break;
        }
    }
    loader.finish()
}

struct Loader<'t> {
    text: &'t str,
    tree: Yaml<'t>,
    /// The collections that are open, outermost first.
    open: Vec<Open>,
    /// The entries and items of the open collections; they move to the tree as one range when
    /// their collection ends.
    entries: Vec<Entry>,
    items: Vec<NodeId>,
    /// Where the last node ended, or its first child may start. Every node starts at or after it.
    cursor: usize,
    hasher: RandomState,
}

struct Open {
    id: NodeId,
    flow: bool,
    of: Children,
}

enum Children {
    /// Where its items start in [`Loader::items`].
    Items(usize),
    Entries {
        /// Where its entries start in [`Loader::entries`].
        start: usize,
        /// The key whose value comes next.
        key: Option<NodeId>,
        /// The first key for each hash of a key, from [`HASHED_FROM`] entries on. Keys with
        /// equal hashes are compared, so a collision can hide a duplicate but never invent one.
        seen: Option<HashMap<u64, NodeId>>,
    },
}

impl<'t> Loader<'t> {
    fn new(text: &'t str) -> Self {
        let tree = Yaml {
            documents: Vec::new(),
            flaws: Vec::new(),
            flaws_left_out: 0,
            read_to: 0,
            nodes: Vec::new(),
            entries: Vec::new(),
            items: Vec::new(),
        };
        Self {
            text,
            tree,
            open: Vec::new(),
            entries: Vec::new(),
            items: Vec::new(),
            cursor: 0,
            hasher: RandomState::new(),
        }
    }

    fn event(&mut self, event: Event<'t>, span: granit_parser::Span) -> ControlFlow<()> {
        let start = offset(span.start).unwrap_or(self.cursor);
        let end = offset(span.end).unwrap_or(start);
        match event {
            Event::DocumentStart(explicit, _) => self.start_document(explicit, start, end)?,
            Event::DocumentEnd => {
                self.settle_document();
                self.cursor = self.cursor.max(end);
                if let [Document { root: None, span }] = self.tree.documents[..] {
                    self.flaw(FlawKind::EmptyDocument, span, "this document is empty");
                }
            }
            Event::StreamEnd => self.tree.read_to = self.text.len(),
            Event::Scalar(value, style, _, tag) => {
                self.tag_flaw(&span);
                let form = match style {
                    ScalarStyle::Plain => match &tag {
                        Some(tag) if is_text(tag) => Form::PlainText,
                        _ => Form::Plain,
                    },
                    _ => Form::Text,
                };
                let empty = style == ScalarStyle::Plain && start == end;
                let value = if empty { Cow::Borrowed("") } else { value };
                let span = match style {
                    _ if empty => self.missing_span(start),
                    ScalarStyle::Literal | ScalarStyle::Folded => self.block_span(start, end),
                    _ => Span::new(start.max(self.cursor), end),
                };
                if empty && tag.is_none() && self.open.is_empty() {
                    // The document is empty; it has no node.
                    return ControlFlow::Continue(());
                }
                if form == Form::Plain
                    && let Some(message) = scalar::ambiguity(&value)
                {
                    self.flaw(FlawKind::AmbiguousScalar, span, message);
                }
                let id = self.add(span, Data::Scalar(value, form))?;
                self.cursor = span.end as usize;
                self.place(id);
            }
            Event::SequenceStart(style, _, _) => {
                self.tag_flaw(&span);
                let of = Children::Items(self.items.len());
                let start = self.sequence_start(style, start);
                self.open(start, end, style, of)?;
            }
            Event::MappingStart(style, _, _) => {
                self.tag_flaw(&span);
                let of = Children::Entries {
                    start: self.entries.len(),
                    key: None,
                    seen: None,
                };
                self.open(start, end, style, of)?;
            }
            Event::SequenceEnd | Event::MappingEnd => self.close((end > start).then_some(end)),
            Event::Alias(_) | Event::UnresolvedAlias(_) => {
                let span = Span::new(start.max(self.cursor), end);
                let name = self.shown(span);
                let message = format!("`{name}` is an alias; aliases are not followed");
                self.flaw(FlawKind::Alias, span, message);
                let id = self.add(span, Data::Alias)?;
                self.cursor = span.end as usize;
                self.place(id);
            }
            Event::Anchor(..) => {
                let span = Span::new(start, end);
                let message = format!("`{}` is an anchor", self.shown(span));
                self.flaw(FlawKind::Anchor, span, message);
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn start_document(&mut self, explicit: bool, start: usize, end: usize) -> ControlFlow<()> {
        self.room(start)?;
        if explicit {
            self.directive_flaws(start);
        }
        let span = if explicit {
            Span::new(start, end)
        } else {
            Span::at(start.max(self.cursor))
        };
        if self.tree.documents.len() == 1 {
            let message = "a second document starts here";
            self.flaw(FlawKind::SeveralDocuments, span, message);
        }
        self.tree.documents.push(Document { root: None, span });
        self.cursor = self.cursor.max(span.end as usize);
        ControlFlow::Continue(())
    }

    /// Gives the last document the span of what it turned out to be.
    fn settle_document(&mut self) {
        let Some(document) = self.tree.documents.last_mut() else {
            return;
        };
        let Some(root) = document.root else {
            return;
        };
        let root = self.tree.nodes[root.index()].span;
        if document.span.is_empty() {
            document.span = root;
        }
        document.span.end = document.span.end.max(root.end);
    }

    /// Names the directives between the last document and the `---` at `start`.
    fn directive_flaws(&mut self, start: usize) {
        let before = self.text.get(self.cursor..start).unwrap_or_default();
        let mut at = self.cursor;
        for line in before.split_inclusive('\n') {
            let directive = line.trim_start_matches('\u{feff}').trim_end();
            if directive.starts_with('%') {
                let from = at + line.len() - line.trim_start_matches('\u{feff}').len();
                let span = Span::new(from, from + directive.len());
                let message = format!("`{}` is a directive", self.shown(span));
                self.flaw(FlawKind::Directive, span, message);
            }
            at += line.len();
        }
    }

    fn tag_flaw(&mut self, span: &granit_parser::Span) {
        let Some(start) = span.tag_start().and_then(offset) else {
            return;
        };
        let end = span.tag_span().and_then(|tag| offset(tag.end));
        let span = Span::new(start, end.unwrap_or(start));
        let message = format!("`{}` is a tag", self.shown(span));
        self.flaw(FlawKind::Tag, span, message);
    }

    /// The place of a null that is not written: right after the colon or dash it belongs to.
    fn missing_span(&self, mark: usize) -> Span {
        let indicator = match self.open.last() {
            Some(Open {
                of: Children::Items(_),
                flow: false,
                ..
            }) => self.find(b"-", self.text.len()),
            Some(Open {
                of: Children::Entries { key: Some(_), .. },
                ..
            }) => match self.find(b":", self.text.len()) {
                None => return Span::at(self.cursor),
                found => found,
            },
            _ => None,
        };
        Span::at(indicator.map_or(mark.max(self.cursor), |at| at + 1))
    }

    /// The place of a literal or folded scalar, from its `|` or `>` to the end of its last line
    /// that is not blank. The event's span has the content alone and the line breaks after it.
    fn block_span(&self, start: usize, end: usize) -> Span {
        let header = self.find(b"|>", start).unwrap_or(start.max(self.cursor));
        let content = self.text.get(start..end).unwrap_or_default();
        let content = content.trim_end_matches([' ', '\t', '\r', '\n']);
        if !content.is_empty() {
            return Span::new(header, start + content.len());
        }
        let indicators = self.text.get(header..start).unwrap_or_default();
        let len = indicators.find(|c: char| c.is_ascii_whitespace());
        Span::new(header, header + len.unwrap_or(indicators.len()))
    }

    /// Where a sequence starts. The event of a block sequence that is indented like its key
    /// points behind its first dash.
    fn sequence_start(&self, style: StructureStyle, start: usize) -> usize {
        let value_of_key = matches!(
            self.open.last(),
            Some(Open {
                of: Children::Entries { key: Some(_), .. },
                ..
            })
        );
        if style == StructureStyle::Flow || !value_of_key {
            return start;
        }
        self.find(b"-", self.text.len()).unwrap_or(start)
    }

    /// The first of the `wanted` indicators after the cursor and before `limit`, when nothing but
    /// blanks, comments, tags, anchors and other indicators stand before it.
    fn find(&self, wanted: &[u8], limit: usize) -> Option<usize> {
        let bytes = self.text.as_bytes();
        let mut at = self.cursor;
        while at < limit.min(bytes.len()) {
            let byte = bytes[at];
            if wanted.contains(&byte) {
                return Some(at);
            }
            let skip = match byte {
                b'#' => line_end(&bytes[at..]),
                b'&' | b'!' if wanted != b":" => word_end(&bytes[at..]),
                b' ' | b'\t' | b'\r' | b'\n' => 1,
                // The colon of a key comes before its value's dash, tag and anchor.
                b':' | b'-' | b'?' if wanted != b":" => 1,
                _ => return None,
            };
            at += skip;
        }
        None
    }

    fn open(
        &mut self,
        start: usize,
        end: usize,
        style: StructureStyle,
        of: Children,
    ) -> ControlFlow<()> {
        let start = start.max(self.cursor);
        if self.open.len() == MAX_DEPTH {
            return self.too_deep(start);
        }
        let flow = style == StructureStyle::Flow;
        let inside = if flow { end.max(start) } else { start };
        let data = match of {
            Children::Items(_) => Data::Seq(0, 0),
            Children::Entries { .. } => Data::Map(0, 0),
        };
        let id = self.add(Span::new(start, inside), data)?;
        self.cursor = inside;
        self.open.push(Open { id, flow, of });
        ControlFlow::Continue(())
    }

    /// Ends the innermost collection: at its bracket, or where its last child ended.
    fn close(&mut self, bracket: Option<usize>) {
        let Some(open) = self.open.pop() else {
            return;
        };
        if open.flow {
            self.cursor = bracket.unwrap_or(0).max(self.cursor);
        }
        let data = match open.of {
            Children::Items(start) => {
                let from = self.tree.items.len();
                self.tree.items.extend(self.items.drain(start..));
                Data::Seq(narrow(from), narrow(self.tree.items.len()))
            }
            Children::Entries { start, .. } => {
                let from = self.tree.entries.len();
                self.tree.entries.extend(self.entries.drain(start..));
                Data::Map(narrow(from), narrow(self.tree.entries.len()))
            }
        };
        let node = &mut self.tree.nodes[open.id.index()];
        node.data = data;
        node.span.end = node.span.end.max(narrow(self.cursor));
        self.place(open.id);
    }

    /// Puts a node where it belongs in the innermost open collection.
    fn place(&mut self, id: NodeId) {
        let Some(open) = self.open.last_mut() else {
            if let Some(document) = self.tree.documents.last_mut() {
                document.root = Some(id);
            }
            return;
        };
        match &mut open.of {
            Children::Items(_) => self.items.push(id),
            Children::Entries { key, .. } => match key.take() {
                Some(key) => {
                    self.tree.nodes[id.index()].key = Some(key);
                    self.entries.push(Entry { key, value: id });
                }
                None => {
                    *key = Some(id);
                    self.check_key(id);
                }
            },
        }
    }

    fn check_key(&mut self, key: NodeId) {
        let span = self.tree.span(key);
        let Some(name) = self.tree.key_name(key) else {
            let message = "a key must be a text; this one is empty, an alias or a collection";
            self.flaw(FlawKind::ComplexKey, span, message);
            return;
        };
        if name == "<<" && self.tree.is_plain(key) {
            let message = "`<<` merges another mapping into this one; it is not followed";
            self.flaw(FlawKind::MergeKey, span, message);
        }
        if let Some(first) = self.first_equal_key(key) {
            let first = self.tree.span(first);
            let message = format!("the key `{}` is here a second time", self.shown(span));
            self.flaw_beside(FlawKind::DuplicateKey, span, message, Some(first));
        }
    }

    /// The first key of the innermost mapping with the same name, and notes the name.
    fn first_equal_key(&mut self, key: NodeId) -> Option<NodeId> {
        let Some(Children::Entries { start, seen, .. }) = self.open.last_mut().map(|o| &mut o.of)
        else {
            return None;
        };
        let tree = &self.tree;
        let name = tree.key_name(key)?;
        let entries = &self.entries[*start..];
        if entries.len() < HASHED_FROM {
            let mut keys = entries.iter().map(|entry| entry.key);
            return keys.find(|&other| tree.key_name(other) == Some(name));
        }
        let hasher = &self.hasher;
        let seen = seen.get_or_insert_with(|| {
            let mut seen = HashMap::new();
            for entry in entries {
                if let Some(name) = tree.key_name(entry.key) {
                    seen.entry(hasher.hash_one(name)).or_insert(entry.key);
                }
            }
            seen
        });
        let first = *seen.entry(hasher.hash_one(name)).or_insert(key);
        (first != key && tree.key_name(first) == Some(name)).then_some(first)
    }

    fn add(&mut self, span: Span, data: Data<'t>) -> ControlFlow<(), NodeId> {
        self.room(span.start as usize)?;
        ControlFlow::Continue(self.push(span, data))
    }

    fn push(&mut self, span: Span, data: Data<'t>) -> NodeId {
        let id = NodeId(narrow(self.tree.nodes.len()));
        self.tree.nodes.push(Node {
            span,
            key: None,
            data,
        });
        id
    }

    fn room(&mut self, at: usize) -> ControlFlow<()> {
        if self.tree.nodes.len() + self.tree.documents.len() < MAX_NODES {
            return ControlFlow::Continue(());
        }
        let message = format!("more than {MAX_NODES} values; nothing after this place was read");
        self.stop(FlawKind::TooManyNodes, Span::at(at), message)
    }

    fn too_deep(&mut self, at: usize) -> ControlFlow<()> {
        let message =
            format!("nested more than {MAX_DEPTH} deep; nothing after this place was read");
        self.stop(FlawKind::TooDeep, Span::at(at), message)
    }

    fn syntax_error(&mut self, error: &ScanError) -> ControlFlow<()> {
        let at = offset(*error.marker()).unwrap_or(self.cursor);
        if *error.kind() == ErrorKind::RecursionLimitExceeded {
            return self.too_deep(at);
        }
        let (message, span) = message::explain(error.kind(), self.text, at);
        self.stop(FlawKind::Syntax, span, message)
    }

    /// Names a flaw after which nothing is read; there is always room for it.
    fn stop(&mut self, kind: FlawKind, span: Span, message: String) -> ControlFlow<()> {
        self.tree.flaws.push(Flaw {
            kind,
            span,
            message,
            other: None,
        });
        self.tree.read_to = self.cursor;
        ControlFlow::Break(())
    }

    fn flaw(&mut self, kind: FlawKind, span: Span, message: impl Into<String>) {
        self.flaw_beside(kind, span, message, None);
    }

    fn flaw_beside(
        &mut self,
        kind: FlawKind,
        span: Span,
        message: impl Into<String>,
        other: Option<Span>,
    ) {
        if self.tree.flaws.len() >= MAX_FLAWS {
            self.tree.flaws_left_out += 1;
            return;
        }
        let message = message.into();
        self.tree.flaws.push(Flaw {
            kind,
            span,
            message,
            other,
        });
    }

    /// The text of a span as a message quotes it.
    fn shown(&self, span: Span) -> String {
        message::shorten(self.text.get(span.range()).unwrap_or_default())
    }

    /// Closes what is open, so that what was read before an error is a tree.
    fn finish(mut self) -> Yaml<'t> {
        while let Some(open) = self.open.last() {
            if let Children::Entries { key: Some(_), .. } = open.of {
                let span = self.missing_span(self.cursor);
                self.cursor = span.end as usize;
                let value = self.push(span, Data::Scalar(Cow::Borrowed(""), Form::Plain));
                self.place(value);
            }
            self.close(None);
        }
        self.settle_document();
        if self.tree.documents.is_empty() {
            let span = Span::at(0);
            self.tree.documents.push(Document { root: None, span });
            if !self.tree.flaws.iter().any(|flaw| flaw.kind.stops_reading()) {
                let message = "there is nothing here but blanks and comments";
                self.flaw(FlawKind::EmptyDocument, span, message);
            }
        }
        self.tree.flaws.sort_by_key(|flaw| flaw.span);
        self.tree
    }
}

/// True for the tags that make a text of any plain scalar.
fn is_text(tag: &granit_parser::Tag) -> bool {
    tag.core_suffix() == Some("str") || tag.parts() == ("!", "") || tag.parts() == ("", "!")
}

fn offset(marker: Marker) -> Option<usize> {
    marker.byte_offset()
}

/// Offsets and counts fit: texts are bounded by [`crate::source::MAX_FILE_BYTES`].
fn narrow(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}

fn line_end(bytes: &[u8]) -> usize {
    let end = bytes.iter().position(|byte| *byte == b'\n');
    end.unwrap_or(bytes.len())
}

fn word_end(bytes: &[u8]) -> usize {
    let end = bytes.iter().position(u8::is_ascii_whitespace);
    end.unwrap_or(bytes.len())
}
