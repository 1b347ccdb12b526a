//! YAML as a tree with byte positions.
//!
//! ```
//! use gwconform_yaml::{Kind, YamlIssueKind, load};
//!
//! let text = "kind: Gateway\nports: [80, 80\n";
//! let yaml = load(text);
//!
//! // What could be read is there, with its place.
//! let root = yaml.documents[0].root.expect("a document");
//! let kind = yaml.get(root, "kind").expect("a key").value;
//! assert_eq!(yaml.kind(kind), Kind::Str("Gateway"));
//! assert_eq!(&text[yaml.span(kind).range()], "Gateway");
//!
//! // And so is what is wrong.
//! let issue = &yaml.issues[0];
//! assert_eq!(issue.kind, YamlIssueKind::Syntax);
//! assert_eq!(issue.message.to_string(), "[ is not closed".replace('[', "`[`"));
//! assert_eq!(&text[issue.span.range()], "[");
//! ```
//!
//! [`load()`] never fails: it returns the tree of what could be read and a list of [`YamlIssue`]s.
//! Anchors, tags, merge keys, directives, and further documents are read as far as that is safe, and
//! each is an issue; aliases are never expanded, so no small input makes a large tree.
//! [`load_manifests()`] reads what people and charts write for `kubectl`, which takes more.

mod control;
mod issues;
mod keys;
mod lines;
mod load;
mod locate;
mod manifests;
mod message;
mod place;
mod quotes;
mod template;
mod texts;
mod scalar;
mod span;
mod text;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::BTreeMap;

pub use load::load;
pub use manifests::{MAX_EXPANDED, load_manifests};
pub use span::Span;
pub use text::{Field, Template, Text};

/// How deep collections may nest.
pub const MAX_DEPTH: usize = 64;

/// How many nodes and documents one text may hold.
pub const MAX_NODES: usize = 200_000;

/// How many documents one text may hold.
pub const MAX_DOCUMENTS: usize = 100;

/// How many issues of a kind are kept; those after it are counted in [`Yaml::issues_left_out`].
pub const MAX_FLAWS: usize = 100;

/// A node of one [`Yaml`]. It means nothing to another one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);

impl NodeId {
    /// Its number: nodes are numbered in the order in which they start.
    pub fn number(self) -> u32 {
        self.0
    }

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// The content of a text, as nodes with their places in it.
#[derive(Debug, Clone, PartialEq)]
pub struct Yaml<'t> {
    /// The documents in source order; at least one, which may be empty.
    pub documents: Vec<Document>,
    /// What is wrong with the text or unusual in it, in source order.
    pub issues: Vec<YamlIssue>,
    /// How many issues of each kind were found beyond [`MAX_FLAWS`].
    pub issues_left_out: BTreeMap<YamlIssueKind, usize>,
    /// The byte offset up to which the text was understood; its length when all of it was.
    pub read_to: usize,
    /// What was not read of manifests, in the order of the text.
    pub unread: Vec<Unread>,
    nodes: Vec<Node<'t>>,
    /// The entries of all mappings, those of one mapping in a row.
    entries: Vec<Entry>,
    /// The items of all sequences, those of one sequence in a row.
    items: Vec<NodeId>,
}

/// A part of manifests that was not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unread {
    /// Where the document begins that breaks off.
    pub document: u32,
    /// From where reading stopped to where it went on.
    pub span: Span,
}

/// One document of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Document {
    /// The node that is the document; `None` when it is empty.
    pub root: Option<NodeId>,
    /// From its `---`, or its root where there is none, to the end of its root.
    pub span: Span,
}

/// A key and its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// The key; not always a scalar (see [`YamlIssueKind::ComplexKey`]).
    pub key: NodeId,
    /// The value; an empty null where the text ends, or stops being readable, after the key.
    pub value: NodeId,
}

/// A node, typed by the core schema of YAML 1.2.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind<'a> {
    /// `null`, `~` or nothing.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A whole number beyond 64 bits, as it is written.
    BigInt(&'a str),
    /// A number with a fraction or an exponent, an infinity, or not-a-number.
    Float(f64),
    /// A text.
    Str(&'a str),
    /// A sequence.
    Seq(&'a [NodeId]),
    /// A mapping.
    Map(&'a [Entry]),
    /// An alias, `*name`, that is not followed.
    Alias,
}

/// Something wrong with a text, or unusual in it, below the level of its content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct YamlIssue {
    /// What is wrong.
    pub kind: YamlIssueKind,
    /// Where; empty where something is missing.
    pub span: Span,
    /// What is wrong; one without fields holds nothing of the text.
    pub message: Text,
    /// Another place that belongs to it, such as the first of two equal keys.
    pub other: Option<Span>,
}

/// The kinds of [`YamlIssue`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum YamlIssueKind {
    /// Not YAML; nothing after it was read.
    Syntax,
    /// A key that its mapping already has.
    DuplicateKey,
    /// `&name`
    Anchor,
    /// `*name`
    Alias,
    /// `!name`, `!!name` or `!<uri>`
    Tag,
    /// The key `<<`.
    MergeKey,
    /// A key that is null, an alias or a collection: JSON has no equivalent.
    ComplexKey,
    /// `%YAML`, `%TAG` or another directive.
    Directive,
    /// A second document.
    SeveralDocuments,
    /// A first document in which there is nothing but comments.
    EmptyDocument,
    /// Nested deeper than [`MAX_DEPTH`]; nothing after it was read.
    TooDeep,
    /// More nodes than [`MAX_NODES`], or documents than [`MAX_DOCUMENTS`]; nothing after it was read.
    TooManyNodes,
    /// A template of Helm, before it is rendered; nothing of its document after it was read.
    Template,
    /// A plain scalar that Go's reader and YAML 1.2 readers give different values.
    AmbiguousScalar,
    /// A character that some readers take for a line break, or that no text has.
    ControlCharacter,
}

/// The texts of issues, but for those of [`YamlIssueKind::Syntax`].
pub const ISSUE_TEXTS: &[Template] = texts::IssueText::TEMPLATES;

/// The texts of [`YamlIssueKind::Syntax`].
pub const SYNTAX_TEXTS: &[Template] = texts::SyntaxText::TEMPLATES;

impl YamlIssueKind {
    /// True when reading stopped at the issue, so that missing parts may be after it.
    pub fn stops_reading(self) -> bool {
        matches!(
            self,
            Self::Syntax | Self::Template | Self::TooDeep | Self::TooManyNodes
        )
    }

    /// True for what makes the content of the whole file uncertain, wherever it is.
    pub fn concerns_file(self) -> bool {
        matches!(self, Self::SeveralDocuments | Self::ControlCharacter)
    }
}

#[derive(Debug, Clone, PartialEq)]
struct Node<'t> {
    span: Span,
    /// The key of the node.
    key: Option<NodeId>,
    data: Data<'t>,
}

#[derive(Debug, Clone, PartialEq)]
enum Data<'t> {
    Scalar(Cow<'t, str>, Form),
    /// A range of [`Yaml::items`].
    Seq(u32, u32),
    /// A range of [`Yaml::entries`].
    Map(u32, u32),
    /// With what it stands for, where it is followed; never another alias.
    Alias(Option<NodeId>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Plain,
    /// Plain, and made a text by the tag `!!str` or `!`.
    PlainText,
    /// Quoted, literal or folded.
    Text,
}

impl<'t> Yaml<'t> {
    /// The place of a node. A scalar's is its source with its quotes, or with the `|` or `>` of
    /// its header; tags and anchors are outside. A collection ends with its last child or its
    /// bracket. An implicit null is empty and right after its colon or dash.
    pub fn span(&self, id: NodeId) -> Span {
        self.nodes[id.index()].span
    }

    /// A node; of an alias that is followed, what it stands for.
    fn data(&self, id: NodeId) -> &Data<'t> {
        match &self.nodes[id.index()].data {
            Data::Alias(Some(target)) => &self.nodes[target.index()].data,
            data => data,
        }
    }

    /// The type and value of a node.
    pub fn kind(&self, id: NodeId) -> Kind<'_> {
        match self.data(id) {
            Data::Scalar(text, Form::Plain) => scalar::core_schema(text),
            Data::Scalar(text, _) => Kind::Str(text),
            Data::Seq(..) => Kind::Seq(self.items(id)),
            Data::Map(..) => Kind::Map(self.entries(id)),
            Data::Alias(_) => Kind::Alias,
        }
    }

    /// The first node that starts at an offset or after it.
    pub fn node_from(&self, at: u32) -> Option<NodeId> {
        let before = self.nodes.partition_point(|node| node.span.start < at);
        let id = u32::try_from(before)
            .ok()
            .filter(|_| before < self.nodes.len());
        id.map(NodeId)
    }

    /// The last node that starts at an offset or before it.
    pub fn node_until(&self, at: u32) -> Option<NodeId> {
        let after = self.nodes.partition_point(|node| node.span.start <= at);
        let last = after.checked_sub(1).and_then(|at| u32::try_from(at).ok());
        last.map(NodeId)
    }

    /// The content of a scalar whatever its type: of a plain one the source (`1.20` stays `1.20`,
    /// folded when it has several lines), of others what they stand for. `None` for the rest.
    pub fn text(&self, id: NodeId) -> Option<&str> {
        match self.data(id) {
            Data::Scalar(text, _) => Some(text),
            _ => None,
        }
    }

    /// True for a scalar without quotes that is not a block scalar.
    pub fn is_plain(&self, id: NodeId) -> bool {
        let data = self.data(id);
        matches!(data, Data::Scalar(_, Form::Plain | Form::PlainText))
    }

    /// The entries of a mapping in source order, with duplicates; none for other nodes.
    pub fn entries(&self, id: NodeId) -> &[Entry] {
        match *self.data(id) {
            Data::Map(start, end) => &self.entries[start as usize..end as usize],
            _ => &[],
        }
    }

    /// The items of a sequence; none for other nodes.
    pub fn items(&self, id: NodeId) -> &[NodeId] {
        match *self.data(id) {
            Data::Seq(start, end) => &self.items[start as usize..end as usize],
            _ => &[],
        }
    }

    /// The key of a value. `None` for roots, list items and keys.
    pub fn key_of(&self, id: NodeId) -> Option<NodeId> {
        self.nodes[id.index()].key
    }

    /// True for a key of a mapping.
    pub fn is_key(&self, id: NodeId) -> bool {
        let next = self.nodes.get(id.index() + 1);
        next.is_some_and(|value| value.key == Some(id))
    }

    /// The node to point at in a finding about a whole node: its key, else the first
    /// key inside it (of a list item or a root), else the node itself.
    pub fn head(&self, id: NodeId) -> NodeId {
        let first_key = || self.entries(id).first().map(|entry| entry.key);
        self.key_of(id).or_else(first_key).unwrap_or(id)
    }

    /// True when no node starts after this one ends: where reading stopped, what follows it is not
    /// known.
    pub fn is_last(&self, id: NodeId) -> bool {
        // Nodes are in the order in which they start.
        let last = self.nodes.last();
        last.is_none_or(|last| last.span.start <= self.span(id).end)
    }

    /// True where reading stopped before the end of the node was seen: no node starts after it ends
    /// and before what was not read.
    pub fn is_cut(&self, id: NodeId) -> bool {
        // Nodes are in the order in which they start.
        let span = self.span(id);
        let after = self
            .nodes
            .partition_point(|node| node.span.start <= span.end);
        let next = self
            .nodes
            .get(after)
            .map_or(u32::MAX, |node| node.span.start);
        let parts = &self.unread;
        let unread = parts.partition_point(|unread| unread.span.start < span.start);
        parts
            .get(unread)
            .is_some_and(|unread| unread.document <= span.start && unread.span.start <= next)
    }

    /// The name a key has in JSON: its text as it is written. `None` for null, aliases and
    /// collections.
    pub fn key_name(&self, key: NodeId) -> Option<&str> {
        match self.kind(key) {
            Kind::Null => None,
            _ => self.text(key),
        }
    }

    /// The entry of a mapping under a name. Of equal keys the last one, as most readers do;
    /// [`Yaml::at_pointer`] and [`Yaml::to_json`] agree with it.
    pub fn get(&self, id: NodeId, name: &str) -> Option<Entry> {
        let entries = self.entries(id).iter().rev();
        entries
            .copied()
            .find(|entry| self.key_name(entry.key) == Some(name))
    }

    /// The node that a JSON pointer names, seen from `root`. The tokens are unescaped (`/`, not
    /// `~1`).
    pub fn at_pointer<'a>(
        &self,
        root: NodeId,
        tokens: impl IntoIterator<Item = &'a str>,
    ) -> Option<NodeId> {
        tokens
            .into_iter()
            .try_fold(root, |node, token| match self.data(node) {
                Data::Map(..) => self.get(node, token).map(|entry| entry.value),
                Data::Seq(..) => self.items(node).get(token.parse::<usize>().ok()?).copied(),
                _ => None,
            })
    }

    /// True when there is nothing in the text that JSON does not have.
    pub fn is_plain_json(&self) -> bool {
        self.issues.is_empty()
    }

    /// The node as JSON. Aliases become null, as do infinities and not-a-number; keys without a
    /// [`Yaml::key_name`] are left out; of equal keys the last one wins.
    pub fn to_json(&self, id: NodeId) -> serde_json::Value {
        use serde_json::Value;
        match self.kind(id) {
            Kind::Null | Kind::Alias => Value::Null,
            Kind::Bool(value) => Value::Bool(value),
            Kind::Int(value) => Value::from(value),
            Kind::BigInt(text) => match text.parse::<u64>() {
                Ok(value) => Value::from(value),
                Err(_) => text.parse::<f64>().map_or(Value::Null, Value::from),
            },
            Kind::Float(value) => Value::from(value),
            Kind::Str(text) => Value::from(text),
            Kind::Seq(items) => items.iter().map(|&item| self.to_json(item)).collect(),
            Kind::Map(entries) => {
                let named = entries.iter().filter_map(|entry| {
                    let name = self.key_name(entry.key)?;
                    Some((name.to_owned(), self.to_json(entry.value)))
                });
                Value::Object(named.collect())
            }
        }
    }
}
