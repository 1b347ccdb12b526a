use std::fmt;

use gwconform_base::text::diagnostic::{Anchor, Place, Subject};
use gwconform_base::text::node_path::path_to;
use gwconform_base::text::source::{Source, Span};
use gwconform_yaml::{Kind, NodeId, Unread, Yaml, YamlIssue, YamlIssueKind};

/// Parsed resource file.
#[derive(Debug)]
pub struct File<'a> {
    /// Text and display path of the file.
    pub source: &'a Source,
    /// Parsed documents and nodes.
    pub yaml: Yaml<'a>,
}

impl<'a> File<'a> {
    /// Parses the valid UTF-8 prefix of a file.
    pub fn read(source: &'a Source) -> Self {
        let text = &source.text()[..source.valid_len()];
        let mut yaml = gwconform_yaml::load_manifests(text, super::MAX_NODES);
        if text.len() < source.text().len() {
            yaml.unread.push(Unread {
                document: 0,
                span: Span::new(text.len(), source.text().len()),
            });
        }
        Self { source, yaml }
    }

    /// Whether part of the file was not parsed.
    pub fn is_cut(&self) -> bool {
        !self.yaml.unread.is_empty()
    }

    /// Whether the file contains unresolved aliases or merge keys.
    pub(crate) fn has_aliases(&self) -> bool {
        let is_alias = |issue: &YamlIssue| {
            matches!(issue.kind, YamlIssueKind::Alias | YamlIssueKind::MergeKey)
        };
        self.yaml.issues.iter().any(is_alias)
    }
}

/// YAML value with its file.
#[derive(Clone, Copy)]
pub struct Node<'a> {
    file: &'a File<'a>,
    id: NodeId,
}

/// Scalar value with its position.
#[derive(Clone, Copy, Debug)]
pub struct Text<'a> {
    /// Text without quotes and escapes.
    pub value: &'a str,
    /// Node of the scalar.
    pub node: Node<'a>,
}

impl Text<'_> {
    /// Position of the scalar. The value is part of the subject.
    pub fn place(&self) -> Anchor {
        self.node.place().with_value(self.value)
    }
}

impl fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let span = self.file.yaml.span(self.id);
        write!(f, "{}:{span:?}", self.file.source.path())
    }
}

impl<'a> Node<'a> {
    /// Wraps a parsed YAML node. `id` must belong to `file`.
    pub fn new(file: &'a File<'a>, id: NodeId) -> Self {
        Self { file, id }
    }

    fn with(self, id: NodeId) -> Self {
        Self { id, ..self }
    }

    /// Value at a key; `None` if missing or null. The last of equal keys wins.
    pub fn get(self, name: &str) -> Option<Self> {
        self.written(name).filter(|value| !value.is_null())
    }

    /// Like [`Self::get`], but returns explicit nulls too.
    pub fn written(self, name: &str) -> Option<Self> {
        let entry = self.file.yaml.get(self.id, name)?;
        Some(self.with(entry.value))
    }

    /// Value at a path; `None` if missing or null.
    pub fn at(self, path: &[&str]) -> Option<Self> {
        path.iter().try_fold(self, |node, name| node.get(name))
    }

    /// Text of a scalar; `None` for null and collections.
    pub fn text(self) -> Option<Text<'a>> {
        let value = self.file.yaml.text(self.id)?;
        (!self.is_null()).then_some(Text { value, node: self })
    }

    /// Text of the scalar at a key.
    pub fn text_at(self, name: &str) -> Option<Text<'a>> {
        self.get(name)?.text()
    }

    /// Like [`Self::text_at`]; empty if missing.
    pub(crate) fn str_at(self, name: &str) -> &'a str {
        self.text_at(name).map_or("", |text| text.value)
    }

    /// Integer at a key, and its node.
    pub(crate) fn number_at(self, name: &str) -> Option<(i64, Self)> {
        let node = self.get(name)?;
        match self.file.yaml.kind(node.id) {
            Kind::Int(number) => Some((number, node)),
            _ => None,
        }
    }

    /// Items of a list; none for other values.
    pub fn items(self) -> impl Iterator<Item = Self> {
        let items = self.file.yaml.items(self.id).iter();
        items.map(move |&id| self.with(id))
    }

    /// Items at a key; none if missing.
    pub(crate) fn items_at(self, name: &str) -> impl Iterator<Item = Self> {
        self.get(name).into_iter().flat_map(Self::items)
    }

    /// Mapping entries with text keys; none for other values.
    pub fn entries(self) -> impl Iterator<Item = (Text<'a>, Self)> {
        let yaml = &self.file.yaml;
        yaml.entries(self.id).iter().filter_map(move |entry| {
            let key = Text {
                value: yaml.key_name(entry.key)?,
                node: self.with(entry.key),
            };
            Some((key, self.with(entry.value)))
        })
    }

    /// Whether the value is a mapping.
    pub(crate) fn is_map(self) -> bool {
        matches!(self.file.yaml.kind(self.id), Kind::Map(_))
    }

    /// Whether the value is a list.
    pub fn is_list(self) -> bool {
        matches!(self.file.yaml.kind(self.id), Kind::Seq(_))
    }

    /// Whether the value is null.
    pub fn is_null(self) -> bool {
        matches!(self.file.yaml.kind(self.id), Kind::Null)
    }

    /// Whether the value is an empty mapping or list.
    pub fn is_empty(self) -> bool {
        match self.file.yaml.kind(self.id) {
            Kind::Map(entries) => entries.is_empty(),
            Kind::Seq(items) => items.is_empty(),
            _ => false,
        }
    }

    /// Whether parsing stopped inside the value.
    pub fn is_cut(self) -> bool {
        self.file.yaml.is_cut(self.id)
    }

    /// Byte range of the value in the file.
    pub fn span(self) -> Span {
        self.file.yaml.span(self.id)
    }

    /// Source text of the value.
    pub(crate) fn source_text(self) -> &'a str {
        let text = self.file.source.text().get(self.span().range());
        text.unwrap_or_default()
    }

    /// Position of the value or, if empty, of its key.
    pub fn place(self) -> Anchor {
        let span = self.file.yaml.span(self.id);
        if span.is_empty() {
            return self.head();
        }
        Anchor::new(Place::span(self.file.source, span), self.subject())
    }

    /// Position of the value's key, or else of its first key.
    pub fn head(self) -> Anchor {
        let yaml = &self.file.yaml;
        let head = Place::span(self.file.source, yaml.span(yaml.head(self.id)));
        Anchor::new(head, self.subject())
    }

    /// Path in the object, such as `Gateway/infra/edge/spec/listeners/web`.
    pub fn subject(self) -> Subject {
        Subject::new(path_to(&self.file.yaml, self.id))
    }
}
