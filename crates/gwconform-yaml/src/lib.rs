//! YAML as a tree with byte positions.
//!
//! ```
//! use gwconform_yaml::{Kind, YamlIssueKind, load};
//!
//! let text = "kind: Gateway\nports: [80, 80\n";
//! let yaml = load(text);
//!
//! // The readable part has nodes with positions.
//! let root = yaml.documents[0].root.expect("a document");
//! let kind = yaml.get(root, "kind").expect("a key").value;
//! assert_eq!(yaml.kind(kind), Kind::Str("Gateway"));
//! assert_eq!(&text[yaml.span(kind).range()], "Gateway");
//!
//! // Problems are issues with positions.
//! let issue = &yaml.issues[0];
//! assert_eq!(issue.kind, YamlIssueKind::Syntax);
//! assert_eq!(issue.message.to_string(), "[ is not closed".replace('[', "`[`"));
//! assert_eq!(&text[issue.span.range()], "[");
//! ```
//!
//! [`load()`] never fails: it returns a tree of the readable part and a list of [`YamlIssue`]s.
//! Anchors, tags, merge keys, directives and additional documents are parsed as far as is safe, and
//! are reported as issues. Aliases are never expanded, so small inputs cannot create large trees.
//! [`load_manifests()`] accepts more, for manifests and `kubectl` output.

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

/// Maximum nesting depth of collections.
pub const MAX_DEPTH: usize = 64;

/// Maximum nodes and documents in one text.
pub const MAX_NODES: usize = 200_000;

/// Maximum documents in one text.
pub const MAX_DOCUMENTS: usize = 100;

/// Maximum issues per kind; [`Yaml::issues_left_out`] counts the others.
pub const MAX_FLAWS: usize = 100;

/// Node in one [`Yaml`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);

impl NodeId {
    /// Index by start position.
    pub fn number(self) -> u32 {
        self.0
    }

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// Nodes of a text with their positions.
#[derive(Debug, Clone, PartialEq)]
pub struct Yaml<'t> {
    /// Documents in source order, at least one.
    pub documents: Vec<Document>,
    /// Issues in source order.
    pub issues: Vec<YamlIssue>,
    /// Number of issues beyond [`MAX_FLAWS`], by kind.
    pub issues_left_out: BTreeMap<YamlIssueKind, usize>,
    /// Byte offset where parsing stopped, or the text length.
    pub read_to: usize,
    /// Unparsed parts of manifests, in source order.
    pub unread: Vec<Unread>,
    nodes: Vec<Node<'t>>,
    /// Each mapping has a contiguous range.
    entries: Vec<Entry>,
    /// Each sequence has a contiguous range.
    items: Vec<NodeId>,
}

/// Unparsed part of manifests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unread {
    /// Start of the document.
    pub document: u32,
    /// Range that the parser skipped.
    pub span: Span,
}

/// One document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Document {
    /// Root node; `None` for an empty document.
    pub root: Option<NodeId>,
    /// From the `---` or root to the end of the root.
    pub span: Span,
}

/// Key with its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// Key; may be a collection (see [`YamlIssueKind::ComplexKey`]).
    pub key: NodeId,
    /// Value; an empty null in truncated text.
    pub value: NodeId,
}

/// Content, typed by the YAML 1.2 core schema.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind<'a> {
    /// `null`, `~` or missing.
    Null,
    /// Boolean.
    Bool(bool),
    /// Integer.
    Int(i64),
    /// Integer beyond 64 bits, as written.
    BigInt(&'a str),
    /// Floating-point number, infinity or NaN.
    Float(f64),
    /// String.
    Str(&'a str),
    /// Sequence.
    Seq(&'a [NodeId]),
    /// Mapping.
    Map(&'a [Entry]),
    /// Unresolved alias, `*name`.
    Alias,
}

/// Problem with the YAML.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct YamlIssue {
    /// Kind.
    pub kind: YamlIssueKind,
    /// Position; empty if something is missing.
    pub span: Span,
    /// Message; contains input only in fields.
    pub message: Text,
    /// Related position, such as the first duplicate.
    pub other: Option<Span>,
}

/// Kinds of [`YamlIssue`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum YamlIssueKind {
    /// Invalid YAML; parsing stopped.
    Syntax,
    /// Duplicate key in a mapping.
    DuplicateKey,
    /// `&name`
    Anchor,
    /// `*name`
    Alias,
    /// `!name`, `!!name` or `!<uri>`
    Tag,
    /// Key `<<`.
    MergeKey,
    /// Null, alias or collection as a key.
    ComplexKey,
    /// Directive, such as `%YAML` or `%TAG`.
    Directive,
    /// Second document.
    SeveralDocuments,
    /// First document with only comments.
    EmptyDocument,
    /// Nesting beyond [`MAX_DEPTH`]; parsing stopped.
    TooDeep,
    /// [`MAX_NODES`] or [`MAX_DOCUMENTS`] exceeded; parsing stopped.
    TooManyNodes,
    /// Unrendered Helm template; its document was skipped.
    Template,
    /// Scalar that Go and YAML 1.2 type differently.
    AmbiguousScalar,
    /// Control character, or line break of some readers.
    ControlCharacter,
}

/// Messages except for [`YamlIssueKind::Syntax`].
pub const ISSUE_TEXTS: &[Template] = texts::IssueText::TEMPLATES;

/// Messages for [`YamlIssueKind::Syntax`].
pub const SYNTAX_TEXTS: &[Template] = texts::SyntaxText::TEMPLATES;

impl YamlIssueKind {
    /// Whether parsing stopped at the issue.
    pub fn stops_reading(self) -> bool {
        matches!(
            self,
            Self::Syntax | Self::Template | Self::TooDeep | Self::TooManyNodes
        )
    }

    /// Whether the whole file is uncertain.
    pub fn concerns_file(self) -> bool {
        matches!(self, Self::SeveralDocuments | Self::ControlCharacter)
    }
}

#[derive(Debug, Clone, PartialEq)]
struct Node<'t> {
    span: Span,
    key: Option<NodeId>,
    data: Data<'t>,
}

#[derive(Debug, Clone, PartialEq)]
enum Data<'t> {
    Scalar(Cow<'t, str>, Form),
    /// Range in [`Yaml::items`].
    Seq(u32, u32),
    /// Range in [`Yaml::entries`].
    Map(u32, u32),
    /// Target, never another alias.
    Alias(Option<NodeId>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Plain,
    /// Made a string by the tag `!!str` or `!`.
    PlainText,
    /// Quoted, literal or folded.
    Text,
}

impl<'t> Yaml<'t> {
    /// Source range. Scalars include quotes or their `|` or `>`, but not tags and anchors. An
    /// implicit null is empty, after its colon or dash.
    pub fn span(&self, id: NodeId) -> Span {
        self.nodes[id.index()].span
    }

    /// Resolves aliases.
    fn data(&self, id: NodeId) -> &Data<'t> {
        match &self.nodes[id.index()].data {
            Data::Alias(Some(target)) => &self.nodes[target.index()].data,
            data => data,
        }
    }

    /// Type and value.
    pub fn kind(&self, id: NodeId) -> Kind<'_> {
        match self.data(id) {
            Data::Scalar(text, Form::Plain) => scalar::core_schema(text),
            Data::Scalar(text, _) => Kind::Str(text),
            Data::Seq(..) => Kind::Seq(self.items(id)),
            Data::Map(..) => Kind::Map(self.entries(id)),
            Data::Alias(_) => Kind::Alias,
        }
    }

    /// First node at or after an offset.
    pub fn node_from(&self, at: u32) -> Option<NodeId> {
        let before = self.nodes.partition_point(|node| node.span.start < at);
        let id = u32::try_from(before)
            .ok()
            .filter(|_| before < self.nodes.len());
        id.map(NodeId)
    }

    /// Last node at or before an offset.
    pub fn node_until(&self, at: u32) -> Option<NodeId> {
        let after = self.nodes.partition_point(|node| node.span.start <= at);
        let last = after.checked_sub(1).and_then(|at| u32::try_from(at).ok());
        last.map(NodeId)
    }

    /// Content of a scalar. Plain scalars keep their source: `1.20` stays `1.20`.
    pub fn text(&self, id: NodeId) -> Option<&str> {
        match self.data(id) {
            Data::Scalar(text, _) => Some(text),
            _ => None,
        }
    }

    /// Whether this is a plain scalar.
    pub fn is_plain(&self, id: NodeId) -> bool {
        let data = self.data(id);
        matches!(data, Data::Scalar(_, Form::Plain | Form::PlainText))
    }

    /// Entries of a mapping, with duplicates, if any.
    pub fn entries(&self, id: NodeId) -> &[Entry] {
        match *self.data(id) {
            Data::Map(start, end) => &self.entries[start as usize..end as usize],
            _ => &[],
        }
    }

    /// Items of a sequence, if any.
    pub fn items(&self, id: NodeId) -> &[NodeId] {
        match *self.data(id) {
            Data::Seq(start, end) => &self.items[start as usize..end as usize],
            _ => &[],
        }
    }

    /// Key of a mapping value.
    pub fn key_of(&self, id: NodeId) -> Option<NodeId> {
        self.nodes[id.index()].key
    }

    /// Whether this is a key.
    pub fn is_key(&self, id: NodeId) -> bool {
        let next = self.nodes.get(id.index() + 1);
        next.is_some_and(|value| value.key == Some(id))
    }

    /// Node to show in findings: its key, its first key, or itself.
    pub fn head(&self, id: NodeId) -> NodeId {
        let first_key = || self.entries(id).first().map(|entry| entry.key);
        self.key_of(id).or_else(first_key).unwrap_or(id)
    }

    /// Whether no node follows.
    pub fn is_last(&self, id: NodeId) -> bool {
        let last = self.nodes.last();
        last.is_none_or(|last| last.span.start <= self.span(id).end)
    }

    /// Whether the node is truncated.
    pub fn is_cut(&self, id: NodeId) -> bool {
        // Nodes are sorted by start position.
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

    /// JSON name of a key. `None` for null, aliases and collections.
    pub fn key_name(&self, key: NodeId) -> Option<&str> {
        match self.kind(key) {
            Kind::Null => None,
            _ => self.text(key),
        }
    }

    /// Entry with a name; the last equal key wins.
    pub fn get(&self, id: NodeId, name: &str) -> Option<Entry> {
        let entries = self.entries(id).iter().rev();
        entries
            .copied()
            .find(|entry| self.key_name(entry.key) == Some(name))
    }

    /// Node at the unescaped tokens of a JSON pointer.
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

    /// Whether JSON can represent the whole text.
    pub fn is_plain_json(&self) -> bool {
        self.issues.is_empty()
    }

    /// Converts a node to JSON. Aliases, infinities and NaN become null, and keys without a
    /// [`Yaml::key_name`] are omitted. The last equal key wins.
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
