use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::hash::RandomState;
use std::ops::ControlFlow;

use granit_parser::{Event, Marker, Parser, ScalarStyle, StructureStyle, Tag};

use super::issue_texts::IssueText;
use super::{
    Data, Document, Entry, Form, MAX_DEPTH, MAX_DOCUMENTS, MAX_NODES, Node, NodeId, Yaml,
    YamlIssueKind, locate, scalar,
};
use crate::Span;
use crate::span::narrow;

/// Parses a text. If a file has invalid UTF-8, pass only the valid prefix.
pub fn load(text: &str) -> Yaml<'_> {
    let mut loader = Loader::new(text, MAX_NODES, MAX_DOCUMENTS);
    if !loader.read_lines(0, text.len()) {
        return parse(text);
    }
    loader.tree.read_to = text.len();
    let yaml = loader.finish();
    debug_assert_eq!(yaml, parse(text), "read by lines and by the parser: {text}");
    yaml
}

pub(super) fn parse(text: &str) -> Yaml<'_> {
    let mut loader = Loader::new(text, MAX_NODES, MAX_DOCUMENTS);
    let _stopped = loader.read(text, 0, |event| event);
    loader.control_characters();
    loader.tabs();
    loader.read_again();
    loader.finish()
}

pub(super) struct Loader<'t> {
    pub(super) text: &'t str,
    pub(super) tree: Yaml<'t>,
    pub(super) open: Vec<Open>,
    /// Entries and items of open collections. When a collection ends, its range moves to the tree.
    pub(super) entries: Vec<Entry>,
    pub(super) items: Vec<NodeId>,
    /// End of the last node. Later nodes start at this offset or after it.
    pub(super) cursor: usize,
    pub(super) hasher: RandomState,
    pub(super) max_nodes: usize,
    pub(super) max_documents: usize,
    pub(super) kept: BTreeMap<YamlIssueKind, usize>,
    base: usize,
    /// `None` for reports.
    pub(super) manifests: Option<Manifests>,
}

pub(super) struct Open {
    pub(super) id: NodeId,
    pub(super) flow: bool,
    pub(super) of: Children,
    pub(super) start: Option<Start>,
}

pub(super) enum Children {
    /// Items of a sequence, from this index in [`Loader::items`].
    Items(usize),
    Entries {
        start: usize,
        key: Option<NodeId>,
        /// First key for each key hash; used for mappings with at least `keys::HASHED_FROM`
        /// entries. Keys with equal hashes are compared, so a collision can hide a duplicate but
        /// cannot report a wrong one.
        seen: Option<HashMap<u64, NodeId>>,
    },
}

/// State for manifests.
#[derive(Default)]
pub(super) struct Manifests {
    pub(super) anchors: HashMap<usize, (NodeId, usize)>,
    /// Nodes that aliases added to the documents.
    pub(super) expanded: usize,
    pub(super) has_too_many: bool,
    pub(super) issues: usize,
    pub(super) is_quote_outdented: bool,
    /// Only one template is reported, because templates usually have many documents.
    pub(super) has_template: bool,
}

/// Lengths at the start of a collection in manifests.
pub(super) struct Start {
    pub(super) anchor: usize,
    pub(super) expanded: usize,
    pub(super) issues: usize,
    pub(super) entries: usize,
    pub(super) items: usize,
    pub(super) ranges: usize,
    pub(super) texts: usize,
    pub(super) has_merge: bool,
}

/// In bytes.
const LARGE: usize = 1024 * 1024;

impl<'t> Loader<'t> {
    pub(super) fn new(text: &'t str, max_nodes: usize, max_documents: usize) -> Self {
        // Reports have one or two nodes per line of about 30 bytes, and dumps have more. Copying
        // their nodes to a larger vector would take twice the memory, and unused capacity takes
        // none.
        let nodes = match text.len() {
            length if length < LARGE => length / 30,
            length => length / 10,
        };
        let tree = Yaml {
            text,
            texts: Vec::new(),
            documents: Vec::new(),
            issues: Vec::new(),
            issues_left_out: BTreeMap::new(),
            read_to: 0,
            nodes: Vec::with_capacity(nodes),
            entries: Vec::with_capacity(nodes / 2),
            items: Vec::with_capacity(nodes / 2),
            ranges: Vec::new(),
            complex_keys: BTreeMap::new(),
            unread: Vec::new(),
        };
        Self {
            text,
            tree,
            open: Vec::new(),
            entries: Vec::new(),
            items: Vec::new(),
            cursor: 0,
            hasher: RandomState::new(),
            max_nodes,
            max_documents,
            kept: BTreeMap::new(),
            base: 0,
            manifests: None,
        }
    }

    /// `part` may be a replacement of equal length.
    pub(super) fn read<'p>(
        &mut self,
        part: &'p str,
        base: usize,
        keep: impl Fn(Event<'p>) -> Event<'t>,
    ) -> ControlFlow<()> {
        let options = granit_parser::options! {
            emit_anchor_events: true,
            emit_comments: false,
            emit_unresolved_aliases: true,
            flow_nesting_limit: MAX_DEPTH,
            block_nesting_limit: MAX_DEPTH,
        };
        self.base = base;
        let mut parser = Parser::new_from_str_with_options(part, options);
        while let Some(event) = parser.next_event() {
            match event {
                Ok((event, span)) => self.event(keep(event), span)?,
                Err(error) => self.syntax_error(&error)?,
            }
        }
        ControlFlow::Continue(())
    }

    /// If the parser reads a joined copy (`quotes::on_one_line`), the marker may be inside a
    /// character of the original.
    pub(super) fn offset(&self, marker: Marker) -> Option<usize> {
        let offset = self.base + marker.byte_offset()?;
        Some(self.text.ceil_char_boundary(offset))
    }

    fn event(&mut self, event: Event<'t>, span: granit_parser::Span) -> ControlFlow<()> {
        let start = self.offset(span.start).unwrap_or(self.cursor);
        let end = self.offset(span.end).unwrap_or(start);
        match event {
            Event::DocumentStart(explicit, _) => self.start_document(explicit, start, end)?,
            Event::DocumentEnd => self.end_document(end),
            Event::StreamEnd => self.tree.read_to = self.text.len(),
            Event::Scalar(value, style, anchor, tag) => {
                self.tag_issue(&span);
                self.scalar(value, style, tag.as_deref(), start, end)?;
                self.anchor_scalar(anchor);
            }
            Event::SequenceStart(style, anchor, _) => {
                self.tag_issue(&span);
                let of = self.children(true);
                let dash = self.sequence_start(style, start);
                self.open(dash, end, style, of)?;
                self.anchor_open(anchor);
            }
            Event::MappingStart(style, anchor, _) => {
                self.tag_issue(&span);
                if style == StructureStyle::Flow {
                    self.refuse_template(start)?;
                }
                let of = self.children(false);
                self.open(start, end, style, of)?;
                self.anchor_open(anchor);
            }
            Event::SequenceEnd | Event::MappingEnd => self.close((end > start).then_some(end)),
            Event::Alias(_) | Event::UnresolvedAlias(_) => {
                let span = Span::new(start.max(self.cursor), end);
                let target = match event {
                    Event::Alias(anchor) => self.follow(anchor, span),
                    _ => self.unfollowed(span),
                };
                self.room(span.start as usize)?;
                let target = target.map_or(Node::NONE, NodeId::number);
                let id = self.push(span, Data::Alias, target);
                self.cursor = span.end as usize;
                self.place(id);
            }
            Event::Anchor(..) => {
                let span = Span::new(start, end);
                let anchor = self.quoted(span);
                self.issue(YamlIssueKind::Anchor, span, IssueText::Anchor { anchor });
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    pub(super) fn children(&self, is_list: bool) -> Children {
        if is_list {
            Children::Items(self.items.len())
        } else {
            Children::Entries {
                start: self.entries.len(),
                key: None,
                seen: None,
            }
        }
    }

    pub(super) fn scalar(
        &mut self,
        value: Cow<'t, str>,
        style: ScalarStyle,
        tag: Option<&Tag>,
        start: usize,
        end: usize,
    ) -> ControlFlow<()> {
        let (value, span, form) = match style {
            ScalarStyle::Plain if start == end => {
                if tag.is_none() && self.open.is_empty() {
                    return ControlFlow::Continue(());
                }
                (Cow::Borrowed(""), self.missing_span(start), Form::Plain)
            }
            ScalarStyle::Literal | ScalarStyle::Folded => {
                let span = locate::block_scalar(self.text, self.cursor, start, end);
                (self.without_final_break(value, end), span, Form::Text)
            }
            ScalarStyle::Plain => (value, Span::new(start.max(self.cursor), end), Form::Plain),
            _ => (value, Span::new(start.max(self.cursor), end), Form::Text),
        };
        let form = match form {
            Form::Plain if tag.is_some_and(is_text) => Form::PlainText,
            form => form,
        };
        let plain = (form == Form::Plain).then_some(&value);
        if let Some(text) = plain.and_then(|plain| scalar::ambiguity(plain)) {
            self.issue(YamlIssueKind::AmbiguousScalar, span, text);
        }
        self.room(span.start as usize)?;
        let id = self.push_scalar(span, value, form);
        self.cursor = span.end as usize;
        self.place(id);
        ControlFlow::Continue(())
    }

    pub(super) fn start_document(
        &mut self,
        explicit: bool,
        start: usize,
        end: usize,
    ) -> ControlFlow<()> {
        if let Some(manifests) = &mut self.manifests {
            manifests.start_document();
        }
        self.room(start)?;
        self.room_for_document(start)?;
        if explicit {
            self.directive_issues(start);
        }
        // Corrected at the end of the document if `---` is missing.
        let span = if explicit {
            Span::new(start, end)
        } else {
            Span::at(self.cursor)
        };
        if self.tree.documents.len() == 1 {
            let text = IssueText::SecondDocument;
            self.issue(YamlIssueKind::SeveralDocuments, span, text);
        }
        self.tree.documents.push(Document { root: None, span });
        self.cursor = self.cursor.max(span.end as usize);
        ControlFlow::Continue(())
    }

    pub(super) fn end_document(&mut self, end: usize) {
        self.settle_document();
        self.cursor = self.cursor.max(end);
        if let [Document { root: None, span }] = self.tree.documents[..] {
            self.issue(YamlIssueKind::EmptyDocument, span, IssueText::EmptyDocument);
        }
    }

    pub(super) fn open(
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
        // Without readable items, include at least the first dash.
        let dash = !flow && self.text.as_bytes().get(start) == Some(&b'-');
        let data = match of {
            Children::Items(_) => Data::Seq,
            Children::Entries { .. } => Data::Map,
        };
        self.room(start)?;
        let span = Span::new(start, inside + usize::from(dash));
        let id = self.push(span, data, Node::NONE);
        self.cursor = inside;
        let start = self.start_of_open();
        self.open.push(Open {
            id,
            flow,
            of,
            start,
        });
        ControlFlow::Continue(())
    }

    pub(super) fn close(&mut self, bracket: Option<usize>) {
        self.merge();
        let Some(open) = self.open.pop() else {
            return;
        };
        if open.flow {
            self.cursor = bracket.unwrap_or(0).max(self.cursor);
        }
        let (from, to) = match open.of {
            Children::Items(start) => {
                let from = self.tree.items.len();
                self.tree.items.extend(self.items.drain(start..));
                (from, self.tree.items.len())
            }
            Children::Entries { start, .. } => {
                let from = self.tree.entries.len();
                self.tree.entries.extend(self.entries.drain(start..));
                (from, self.tree.entries.len())
            }
        };
        let node = &mut self.tree.nodes[open.id.index()];
        node.at = narrow(self.tree.ranges.len());
        self.tree.ranges.push((narrow(from), narrow(to)));
        node.span.end = node.span.end.max(narrow(self.cursor));
        self.cursor = node.span.end as usize;
        self.place(open.id);
        if let Some(start) = open.start {
            self.end_open(open.id, &start);
        }
    }

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
                    if key.index() + 1 == id.index() {
                        self.tree.nodes[id.index()].follows_key = true;
                    } else {
                        self.tree.complex_keys.insert(id, key);
                    }
                    self.entries.push(Entry { key, value: id });
                }
                None => {
                    *key = Some(id);
                    self.check_key(id);
                }
            },
        }
    }

    fn push(&mut self, span: Span, data: Data, at: u32) -> NodeId {
        let id = NodeId(narrow(self.tree.nodes.len()));
        self.tree.nodes.push(Node {
            span,
            at,
            data,
            follows_key: false,
        });
        id
    }

    fn push_scalar(&mut self, span: Span, value: Cow<'t, str>, form: Form) -> NodeId {
        let is_source = super::source_of(self.text, span, form) == Some(&*value);
        if is_source {
            return self.push(span, Data::Source(form), Node::NONE);
        }
        let at = narrow(self.tree.texts.len());
        self.tree.texts.push(value.into());
        self.push(span, Data::Other(form), at)
    }

    /// Keeps the part before an error.
    pub(super) fn close_all(&mut self) {
        while let Some(open) = self.open.last() {
            if let Children::Entries { key: Some(_), .. } = open.of {
                let span = self.missing_span(self.cursor);
                self.cursor = span.end as usize;
                let value = self.push_scalar(span, Cow::Borrowed(""), Form::Plain);
                self.place(value);
            }
            self.close(None);
        }
        self.settle_document();
    }

    pub(super) fn finish(mut self) -> Yaml<'t> {
        self.close_all();
        if self.tree.documents.is_empty() {
            let span = Span::at(0);
            self.tree.documents.push(Document { root: None, span });
            if !self
                .tree
                .issues
                .iter()
                .any(|issue| issue.kind.stops_reading())
            {
                self.issue(YamlIssueKind::EmptyDocument, span, IssueText::EmptyDocument);
            }
        }
        self.tree.issues.sort_by_key(|issue| issue.span);
        self.tree
    }
}

fn is_text(tag: &Tag) -> bool {
    tag.core_suffix() == Some("str") || tag.parts() == ("!", "") || tag.parts() == ("", "!")
}
