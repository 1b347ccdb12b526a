//! Reads manifests and cluster dumps as `kubectl` does.
//!
//! 1. Each document is read separately, so that no document can hide another. Consecutive JSON
//!    objects without `---`, as printed by several `kubectl -o json` calls, are separate documents.
//! 2. Aliases and merge keys are resolved, up to [`MAX_NODES`] additional nodes.
//! 3. Quoted scalars that continue on a line without deeper indentation, which libyaml accepts, are
//!    joined, and the document is read again.
//! 4. A Helm template is reported as a template.
//! 5. After any other error, reading continues with the next document.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::ops::ControlFlow;

use granit_parser::Event;
use serde::de::IgnoredAny;

use super::issue_texts::IssueText;
use super::load::{Children, Loader, Manifests, Start};
use super::template::tag;
use super::{Data, Entry, MAX_NODES, Node, NodeId, Unread, Yaml, YamlIssueKind, quotes};
use crate::Span;
use crate::span::narrow;

/// Large values that no rule reads.
const LEFT_OUT: &[&str] = &["managedFields", "openAPIV3Schema"];

struct Mark {
    nodes: usize,
    entries: usize,
    items: usize,
    ranges: usize,
    texts: usize,
    documents: usize,
    issues: usize,
    left_out: BTreeMap<YamlIssueKind, usize>,
    kept: BTreeMap<YamlIssueKind, usize>,
    cursor: usize,
}

/// Parses manifests or a cluster dump. `max_nodes` limits the sum of nodes and documents.
/// [`Yaml::unread`] lists the parts that were not parsed.
pub fn load_manifests(text: &str, max_nodes: usize) -> Yaml<'_> {
    let yaml = read_documents(text, max_nodes, true);
    debug_assert_eq!(
        yaml,
        read_documents(text, max_nodes, false),
        "read by lines and by the parser: {text}"
    );
    yaml
}

fn read_documents(text: &str, max_nodes: usize, by_lines: bool) -> Yaml<'_> {
    let mut loader = Loader::new(text, max_nodes, max_nodes);
    loader.manifests = Some(Manifests::default());
    let parts = documents(text);
    for part in parts.into_iter().flat_map(|part| objects(text, part)) {
        if loader.document(part, by_lines).is_break() {
            let stopped = loader.tree.read_to;
            loader.close_all();
            loader.tree.unread.push(Unread {
                document: part.start,
                span: Span::new(stopped, text.len()),
            });
            return loader.finish();
        }
    }
    loader.tree.read_to = text.len();
    loader.finish()
}

/// A line that starts with `---` ends a document, even in a quoted scalar. Directives belong to the
/// next document.
fn documents(text: &str) -> Vec<Span> {
    let is_marker =
        |rest: &[u8]| rest.starts_with(b"---") && rest.get(3).is_none_or(u8::is_ascii_whitespace);
    let bytes = text.as_bytes();
    let lines = memchr::memmem::find_iter(bytes, b"\n---").map(|at| at + 1);
    let mut parts: Vec<Span> = Vec::new();
    let mut start = 0;
    for marker in lines.filter(|&at| is_marker(&bytes[at..])) {
        let end = start + start_of_directives(&text[start..marker]);
        if end > start {
            parts.push(Span::new(start, end));
            start = end;
        }
    }
    parts.push(Span::new(start, text.len()));
    parts
}

/// Invalid JSON after the last object is a separate document, so that its error is reported.
fn objects(text: &str, document: Span) -> Vec<Span> {
    let (start, end) = (document.start as usize, document.end as usize);
    let whole = &text[start..end];
    let content = without_marker(whole.trim_start_matches('\u{feff}'));
    if !content.trim_start().starts_with('{') {
        return vec![document];
    }
    let skipped = whole.len() - content.len();
    let mut values = serde_json::Deserializer::from_str(content).into_iter::<IgnoredAny>();
    let mut parts = Vec::new();
    let mut from = start;
    while let Some(Ok(_)) = values.next() {
        let to = start + skipped + values.byte_offset();
        if !text[..to].ends_with('}') {
            break;
        }
        parts.push(Span::new(from, to));
        from = to + (text[to..end].len() - text[to..end].trim_start().len());
    }
    let Some(last) = parts.last_mut() else {
        return vec![document];
    };
    if from == end {
        *last = Span::new(last.start as usize, end);
    } else if !text[from..end].starts_with('{') {
        return vec![document];
    } else {
        parts.push(Span::new(from, end));
    }
    parts
}

fn without_marker(document: &str) -> &str {
    let first = document.split_inclusive('\n').next().unwrap_or_default();
    match first.trim_end() {
        "---" => &document[first.len()..],
        _ => document,
    }
}

/// Offset of the next document's directives, or the length of `text`.
fn start_of_directives(text: &str) -> usize {
    let mut has_directive = false;
    let mut end = text.len();
    while end > 0 {
        let before = text[..end].trim_end_matches(['\n', '\r']).len();
        let start = text[..before].rfind(['\n', '\r']).map_or(0, |at| at + 1);
        // An indented `...` or `%` belongs to a multiline scalar.
        let line = text[start..before]
            .trim_start_matches('\u{feff}')
            .trim_end();
        match line {
            "..." if has_directive => return end,
            _ if line.starts_with('%') => has_directive = true,
            _ if line.is_empty() || line.trim_start().starts_with('#') => {}
            _ => return text.len(),
        }
        end = start;
    }
    if has_directive && end == 0 {
        0
    } else {
        text.len()
    }
}

impl Manifests {
    pub(super) fn start_document(&mut self) {
        self.anchors.clear();
        self.has_too_many = false;
    }
}

impl<'t> Loader<'t> {
    fn document(&mut self, part: Span, by_lines: bool) -> ControlFlow<()> {
        let mark = self.mark();
        let text = &self.text[part.range()];
        let base = part.start as usize;
        self.cursor = base;
        if by_lines {
            if self.read_lines(base, part.end as usize) {
                return ControlFlow::Continue(());
            }
            self.back_to(&mark, base);
        }
        let mut next = self.read(text, base, |event| event);
        // Join all at once, because the parser stops at the first.
        let one_line = self.take_outdented().then(|| quotes::on_one_line(text));
        if let Some(one_line) = one_line.flatten().filter(|_| next.is_break()) {
            self.back_to(&mark, base);
            next = self.read(&one_line, base, |event| owned(event));
        }
        if next.is_continue() {
            return next;
        }
        let stopped = self.tree.read_to.max(base);
        let kind = self.tree.issues.last().map(|issue| issue.kind);
        if matches!(kind, Some(YamlIssueKind::TooManyNodes)) {
            return ControlFlow::Break(());
        }
        if kind == Some(YamlIssueKind::Syntax)
            && let Some(at) = tag(text, stopped - base)
        {
            self.tree.issues.pop();
            let _stopped = self.template(base + at);
        }
        self.close_all();
        self.tree.unread.push(Unread {
            document: part.start,
            span: Span::new(stopped, part.end as usize),
        });
        self.cursor = part.end as usize;
        ControlFlow::Continue(())
    }

    fn take_outdented(&mut self) -> bool {
        let manifests = self.manifests.as_mut();
        manifests.is_some_and(|manifests| std::mem::take(&mut manifests.is_quote_outdented))
    }

    fn mark(&self) -> Mark {
        Mark {
            nodes: self.tree.nodes.len(),
            entries: self.tree.entries.len(),
            items: self.tree.items.len(),
            ranges: self.tree.ranges.len(),
            texts: self.tree.texts.len(),
            documents: self.tree.documents.len(),
            issues: self.tree.issues.len(),
            left_out: self.tree.issues_left_out.clone(),
            kept: self.kept.clone(),
            cursor: self.cursor,
        }
    }

    fn back_to(&mut self, mark: &Mark, base: usize) {
        self.open.clear();
        self.entries.clear();
        self.items.clear();
        self.tree.nodes.truncate(mark.nodes);
        self.tree.entries.truncate(mark.entries);
        self.tree.items.truncate(mark.items);
        self.tree.ranges.truncate(mark.ranges);
        let _left_out = self
            .tree
            .complex_keys
            .split_off(&NodeId(narrow(mark.nodes)));
        self.tree.texts.truncate(mark.texts);
        self.tree.documents.truncate(mark.documents);
        self.tree.issues.truncate(mark.issues);
        self.tree.issues_left_out.clone_from(&mark.left_out);
        self.kept.clone_from(&mark.kept);
        self.cursor = mark.cursor.max(base);
    }

    pub(super) fn start_of_open(&self) -> Option<Start> {
        let manifests = self.manifests.as_ref()?;
        Some(Start {
            anchor: 0,
            expanded: manifests.expanded,
            issues: manifests.issues,
            entries: self.tree.entries.len(),
            items: self.tree.items.len(),
            ranges: self.tree.ranges.len(),
            texts: self.tree.texts.len(),
            has_merge: false,
        })
    }

    pub(super) fn anchor_open(&mut self, anchor: usize) {
        if let Some(start) = self.open.last_mut().and_then(|open| open.start.as_mut()) {
            start.anchor = anchor;
        }
    }

    pub(super) fn anchor_scalar(&mut self, anchor: usize) {
        let last = self.tree.nodes.len().checked_sub(1).map(narrow).map(NodeId);
        if let Some((manifests, last)) = self.manifests.as_mut().zip(last)
            && anchor != 0
        {
            manifests.anchors.insert(anchor, (last, 1));
        }
    }

    /// `None` if the target is incomplete or exceeds a limit.
    pub(super) fn follow(&mut self, anchor: usize, alias: Span) -> Option<NodeId> {
        let found = self.manifests.as_mut().and_then(|manifests| {
            let &(target, size) = manifests.anchors.get(&anchor)?;
            Some((manifests, target, size))
        });
        let Some((manifests, target, size)) = found else {
            return self.unfollowed(alias);
        };
        let expanded = manifests.expanded.saturating_add(size);
        if expanded <= MAX_NODES && !manifests.has_too_many {
            manifests.expanded = expanded;
            return Some(target);
        }
        if !std::mem::replace(&mut manifests.has_too_many, true) {
            self.issue(YamlIssueKind::Alias, alias, IssueText::TooManyAliases);
        }
        None
    }

    pub(super) fn unfollowed(&mut self, span: Span) -> Option<NodeId> {
        let alias = self.quoted(span);
        self.issue(YamlIssueKind::Alias, span, IssueText::Alias { alias });
        None
    }

    pub(super) fn end_open(&mut self, id: NodeId, start: &Start) {
        let nodes = self.tree.nodes.len() - id.index();
        let Some(manifests) = &mut self.manifests else {
            return;
        };
        if start.anchor != 0 {
            let size = nodes + manifests.expanded - start.expanded;
            manifests.anchors.insert(start.anchor, (id, size));
        }
        let name = self.tree.key_of(id).and_then(|key| self.tree.text(key));
        // Aliases may refer to anchors in the content.
        let is_plain = start.anchor == 0 && manifests.issues == start.issues;
        if is_plain && name.is_some_and(|name| LEFT_OUT.contains(&name)) {
            self.empty(id, start);
        }
    }

    fn empty(&mut self, id: NodeId, start: &Start) {
        self.tree.nodes.truncate(id.index() + 1);
        self.tree.entries.truncate(start.entries);
        self.tree.items.truncate(start.items);
        self.tree.ranges.truncate(start.ranges);
        self.tree.texts.truncate(start.texts);
        self.tree.nodes[id.index()].at = Node::NONE;
    }

    pub(super) fn merge(&mut self) {
        let Some(open) = self.open.last() else {
            return;
        };
        let (Children::Entries { start, .. }, Some(true)) =
            (&open.of, open.start.as_ref().map(|start| start.has_merge))
        else {
            return;
        };
        let own = self.entries.split_off(*start);
        let is_merge = |entry: &Entry| {
            self.tree.key_name(entry.key) == Some("<<") && self.tree.is_plain(entry.key)
        };
        let (merges, mut own): (Vec<_>, Vec<_>) = own.into_iter().partition(is_merge);
        let mut names: HashSet<String> = own
            .iter()
            .filter_map(|entry| self.tree.key_name(entry.key))
            .map(str::to_owned)
            .collect();
        let mut unmerged = Vec::new();
        for merge in merges {
            let sources = match self.tree.data(merge.value) {
                Data::Map => vec![merge.value],
                Data::Seq => self.tree.items(merge.value).to_vec(),
                _ => Vec::new(),
            };
            let is_mapping = |id: &NodeId| self.tree.data(*id) == Data::Map;
            if sources.is_empty() || !sources.iter().all(is_mapping) {
                unmerged.push(self.tree.span(merge.key));
                own.push(merge);
                continue;
            }
            for source in sources {
                for entry in self.tree.entries(source) {
                    let name = self.tree.key_name(entry.key).unwrap_or_default();
                    if names.insert(name.to_owned()) {
                        own.push(*entry);
                    }
                }
            }
        }
        // Node paths require entries in node order.
        own.sort_by_key(|entry| entry.key);
        self.entries.extend(own);
        for span in unmerged {
            self.issue(YamlIssueKind::MergeKey, span, IssueText::MergeKey);
        }
    }
}

fn owned(event: Event<'_>) -> Event<'static> {
    let own = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
    match event {
        Event::StreamStart => Event::StreamStart,
        Event::StreamEnd => Event::StreamEnd,
        Event::DocumentStart(explicit, version) => Event::DocumentStart(explicit, version),
        Event::DocumentEnd => Event::DocumentEnd,
        Event::Alias(anchor) => Event::Alias(anchor),
        Event::Anchor(anchor, name) => Event::Anchor(anchor, own(name)),
        Event::UnresolvedAlias(name) => Event::UnresolvedAlias(own(name)),
        Event::Scalar(text, style, anchor, tag) => {
            let tag = tag.map(|tag| Cow::Owned(tag.into_owned()));
            Event::Scalar(own(text), style, anchor, tag)
        }
        Event::SequenceStart(style, anchor, tag) => {
            Event::SequenceStart(style, anchor, tag.map(|tag| Cow::Owned(tag.into_owned())))
        }
        Event::SequenceEnd => Event::SequenceEnd,
        Event::MappingEnd => Event::MappingEnd,
        Event::MappingStart(style, anchor, tag) => {
            Event::MappingStart(style, anchor, tag.map(|tag| Cow::Owned(tag.into_owned())))
        }
        // The loader ignores these events.
        _ => Event::StreamStart,
    }
}
