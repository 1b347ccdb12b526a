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
//! [`load()`] never fails. It returns a tree of the readable part and a list of [`YamlIssue`]s.
//! Anchors, tags, merge keys, directives and additional documents are parsed as far as is safe, and
//! are reported as issues. Aliases are never expanded, so small inputs cannot create large trees.
//! [`load_manifests()`] accepts additional syntax in manifests and `kubectl` output.

mod control;
mod issues;
mod keys;
mod libyaml;
mod suite_yaml;
mod load;
mod locate;
mod manifests;
mod syntax_error;
mod place;
mod quotes;
mod template;
mod issue_texts;
mod scalar;
mod span;
mod message_text;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

pub use libyaml::libyaml_reads;
pub use load::load;
pub use manifests::load_manifests;
pub use message_text::{Field, Template, Text};
pub use span::Span;

/// Maximum nesting depth of collections.
pub const MAX_DEPTH: usize = 64;

/// Maximum total number of nodes plus documents in a text, and of nodes that aliases add to
/// manifests.
pub const MAX_NODES: usize = 200_000;

/// Maximum number of documents in a text.
pub const MAX_DOCUMENTS: usize = 100;

/// Maximum number of issues per kind. [`Yaml::issues_left_out`] counts the others.
pub const MAX_FLAWS: usize = 100;

/// ID of a node in a [`Yaml`] tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);

impl NodeId {
    /// Index of the node. Nodes are sorted by start position.
    pub fn number(self) -> u32 {
        self.0
    }

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// Tree of the nodes in a text, with their positions.
#[derive(Debug, Clone, PartialEq)]
pub struct Yaml<'t> {
    /// Documents in source order; at least one.
    pub documents: Vec<Document>,
    /// Issues in source order.
    pub issues: Vec<YamlIssue>,
    /// Number of issues above [`MAX_FLAWS`], by kind.
    pub issues_left_out: BTreeMap<YamlIssueKind, usize>,
    /// Byte offset at which parsing stopped, or the text's length.
    pub read_to: usize,
    /// Unparsed parts of manifests, in source order.
    pub unread: Vec<Unread>,
    text: &'t str,
    nodes: Vec<Node>,
    entries: Vec<Entry>,
    items: Vec<NodeId>,
    /// Ranges of collections in `entries` or `items`.
    ranges: Vec<(u32, u32)>,
    /// Keys of values whose key is not the node before.
    complex_keys: BTreeMap<NodeId, NodeId>,
    /// Texts of scalars that differ from the source.
    texts: Vec<Box<str>>,
}

/// Part of a manifest file that was not parsed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unread {
    /// Byte offset of the document that contains the part.
    pub document: u32,
    /// Byte range of the part.
    pub span: Span,
}

/// YAML document in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Document {
    /// Root node; `None` for an empty document.
    pub root: Option<NodeId>,
    /// Span from the `---`, or from the root, to the end of the root.
    pub span: Span,
}

/// Key and value of a mapping.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// Key, which may be a collection (see [`YamlIssueKind::ComplexKey`]).
    pub key: NodeId,
    /// Empty null if the text is truncated after the key.
    pub value: NodeId,
}

/// Type and value of a node, according to the YAML 1.2 core schema.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind<'a> {
    /// `null`, `~` or a missing value.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// Integer of up to 64 bits.
    Int(i64),
    /// Larger integer, as written.
    BigInt(&'a str),
    /// Floating-point number, infinity or NaN.
    Float(f64),
    /// String without quotes and escapes.
    Str(&'a str),
    /// Items of a sequence.
    Seq(&'a [NodeId]),
    /// Entries of a mapping, including duplicates.
    Map(&'a [Entry]),
    /// Alias that is not resolved, such as `*name`.
    Alias,
}

/// Problem in a YAML text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct YamlIssue {
    /// Kind of problem.
    pub kind: YamlIssueKind,
    /// Position; empty if text is missing there.
    pub span: Span,
    /// Message, whose fields may contain text from the input.
    pub message: Text,
    /// Related position, such as the first of two equal keys.
    pub other: Option<Span>,
}

/// Kind of problem in a YAML text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum YamlIssueKind {
    /// The text is not valid YAML. Parsing stopped.
    Syntax,
    /// A key occurs twice in a mapping.
    DuplicateKey,
    /// Anchor, such as `&name`.
    Anchor,
    /// Alias, such as `*name`.
    Alias,
    /// Tag, such as `!name`, `!!name` or `!<uri>`.
    Tag,
    /// Merge key `<<`.
    MergeKey,
    /// The key is null, an alias or a collection.
    ComplexKey,
    /// Directive, such as `%YAML` or `%TAG`.
    Directive,
    /// The text has a second document.
    SeveralDocuments,
    /// The first document contains only comments.
    EmptyDocument,
    /// The nesting exceeds [`MAX_DEPTH`]. Parsing stopped.
    TooDeep,
    /// The text exceeds [`MAX_NODES`] or [`MAX_DOCUMENTS`]. Parsing stopped.
    TooManyNodes,
    /// Helm template, which was skipped.
    Template,
    /// Go template without names of Helm, which was skipped.
    GoTemplate,
    /// Go and YAML 1.2 assign different types to the scalar.
    AmbiguousScalar,
    /// Control character, or a line break that only YAML 1.1 defines.
    ControlCharacter,
    /// Tab outside of quotes and comments.
    Tab,
    /// libyaml rejects the text or reads other content.
    OtherReading,
}

/// Message templates of all kinds except [`YamlIssueKind::Syntax`].
pub const ISSUE_TEXTS: &[Template] = issue_texts::IssueText::TEMPLATES;

/// Message templates of [`YamlIssueKind::Syntax`].
pub const SYNTAX_TEXTS: &[Template] = issue_texts::SyntaxText::TEMPLATES;

impl YamlIssueKind {
    /// Whether parsing stopped at the issue.
    pub fn stops_reading(self) -> bool {
        matches!(
            self,
            Self::Syntax | Self::Template | Self::GoTemplate | Self::TooDeep | Self::TooManyNodes
        )
    }

    /// Whether the issue makes the whole file uncertain, because libraries may read other content.
    pub fn concerns_file(self) -> bool {
        !self.stops_reading() && !matches!(self, Self::EmptyDocument | Self::AmbiguousScalar)
    }
}

/// Dumps have millions of nodes, so nodes are small.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Node {
    span: Span,
    /// Index that belongs to `data`, or [`Node::NONE`].
    at: u32,
    data: Data,
    /// The node before it is its key.
    follows_key: bool,
}

impl Node {
    const NONE: u32 = u32::MAX;
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Data {
    /// Scalar whose text is the source, without quotes.
    Source(Form),
    /// Scalar with its index in [`Yaml::texts`].
    Other(Form),
    /// Collection with its index in [`Yaml::ranges`], once it is closed.
    Seq,
    Map,
    /// Alias with its target, which is never another alias.
    Alias,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Plain,
    /// Plain scalar with the tag `!!str` or `!`, and therefore a string.
    PlainText,
    Text,
}

impl Yaml<'_> {
    /// Byte range in the source. Scalars include quotes or their `|` or `>`, but not tags and
    /// anchors. The range of an implicit null is empty, after its colon or dash.
    pub fn span(&self, id: NodeId) -> Span {
        self.nodes[id.index()].span
    }

    fn target(&self, id: NodeId) -> &Node {
        let node = &self.nodes[id.index()];
        match node.data {
            Data::Alias => self.nodes.get(node.at as usize).unwrap_or(node),
            _ => node,
        }
    }

    fn data(&self, id: NodeId) -> Data {
        self.target(id).data
    }

    fn scalar(&self, id: NodeId) -> Option<(&str, Form)> {
        let node = self.target(id);
        match node.data {
            Data::Source(form) => Some((source_of(self.text, node.span, form)?, form)),
            Data::Other(form) => Some((self.texts.get(node.at as usize)?, form)),
            _ => None,
        }
    }

    /// Type and value of a node.
    pub fn kind(&self, id: NodeId) -> Kind<'_> {
        match self.data(id) {
            Data::Source(_) | Data::Other(_) => match self.scalar(id) {
                Some((text, Form::Plain)) => scalar::core_schema(text),
                Some((text, _)) => Kind::Str(text),
                None => Kind::Null,
            },
            Data::Seq => Kind::Seq(self.items(id)),
            Data::Map => Kind::Map(self.entries(id)),
            Data::Alias => Kind::Alias,
        }
    }

    /// First node that starts at or after an offset.
    pub fn node_from(&self, at: u32) -> Option<NodeId> {
        let before = self.nodes.partition_point(|node| node.span.start < at);
        let id = u32::try_from(before)
            .ok()
            .filter(|_| before < self.nodes.len());
        id.map(NodeId)
    }

    /// Last node that starts at or before an offset.
    pub fn node_until(&self, at: u32) -> Option<NodeId> {
        let after = self.nodes.partition_point(|node| node.span.start <= at);
        let last = after.checked_sub(1).and_then(|at| u32::try_from(at).ok());
        last.map(NodeId)
    }

    /// Content of a scalar. Plain scalars keep their notation, such as `1.20`.
    pub fn text(&self, id: NodeId) -> Option<&str> {
        self.scalar(id).map(|(text, _)| text)
    }

    /// Whether the node is a plain scalar.
    pub fn is_plain(&self, id: NodeId) -> bool {
        match self.data(id) {
            Data::Source(form) | Data::Other(form) => form != Form::Text,
            _ => false,
        }
    }

    /// Entries of a mapping, including duplicates; empty for other nodes.
    pub fn entries(&self, id: NodeId) -> &[Entry] {
        let node = self.target(id);
        match node.data {
            Data::Map => &self.entries[self.range(node)],
            _ => &[],
        }
    }

    /// Items of a sequence; empty for other nodes.
    pub fn items(&self, id: NodeId) -> &[NodeId] {
        let node = self.target(id);
        match node.data {
            Data::Seq => &self.items[self.range(node)],
            _ => &[],
        }
    }

    fn range(&self, node: &Node) -> std::ops::Range<usize> {
        let range = self.ranges.get(node.at as usize);
        range.map_or(0..0, |&(start, end)| start as usize..end as usize)
    }

    /// Key of a value in a mapping.
    pub fn key_of(&self, id: NodeId) -> Option<NodeId> {
        if self.nodes[id.index()].follows_key {
            return id.0.checked_sub(1).map(NodeId);
        }
        self.complex_keys.get(&id).copied()
    }

    /// Whether the node is a key.
    pub fn is_key(&self, id: NodeId) -> bool {
        let next = self.nodes.get(id.index() + 1);
        next.is_some_and(|next| next.follows_key)
    }

    /// The node's key, its first key, or the node.
    pub fn head(&self, id: NodeId) -> NodeId {
        let first_key = || self.entries(id).first().map(|entry| entry.key);
        self.key_of(id).or_else(first_key).unwrap_or(id)
    }

    /// Whether no node starts after the end of this node.
    pub fn is_last(&self, id: NodeId) -> bool {
        let last = self.nodes.last();
        last.is_none_or(|last| last.span.start <= self.span(id).end)
    }

    /// Whether parsing stopped before the end of the node.
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

    /// Text of a key; `None` for null, aliases and collections.
    pub fn key_name(&self, key: NodeId) -> Option<&str> {
        match self.kind(key) {
            Kind::Null => None,
            _ => self.text(key),
        }
    }

    /// Entry of a mapping by key. The last of equal keys wins.
    pub fn get(&self, id: NodeId, name: &str) -> Option<Entry> {
        let entries = self.entries(id).iter().rev();
        entries
            .copied()
            .find(|entry| self.key_name(entry.key) == Some(name))
    }

    /// Node at a JSON pointer, given as unescaped tokens.
    pub fn at_pointer<'a>(
        &self,
        root: NodeId,
        tokens: impl IntoIterator<Item = &'a str>,
    ) -> Option<NodeId> {
        tokens
            .into_iter()
            .try_fold(root, |node, token| match self.data(node) {
                Data::Map => self.get(node, token).map(|entry| entry.value),
                Data::Seq => self.items(node).get(token.parse::<usize>().ok()?).copied(),
                _ => None,
            })
    }

    /// Converts a node to JSON. Aliases, infinities and NaN become null. Keys without a
    /// [`Yaml::key_name`] are omitted. The last of equal keys wins.
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

/// Text of a scalar in the source.
fn source_of(text: &str, span: Span, form: Form) -> Option<&str> {
    let quotes = usize::from(form == Form::Text);
    let range = span.range();
    text.get(range.start + quotes..range.end.checked_sub(quotes)?)
}
