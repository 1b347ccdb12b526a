//! A value of a file, together with the file.

use std::fmt;

use crate::text::diagnostic::{Anchor, Place, Subject};
use crate::text::node_path::path_to;
use crate::text::source::{Source, Span};
use gwconform_yaml::{Kind, NodeId, Unread, Yaml, YamlIssue, YamlIssueKind};

/// One file of resources, read.
#[derive(Debug)]
pub struct File<'a> {
    /// Its text.
    pub source: &'a Source,
    /// Its nodes.
    pub yaml: Yaml<'a>,
}

impl<'a> File<'a> {
    /// Reads the part of a text that is UTF-8.
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

    /// True when some of it could not be read.
    pub fn is_cut(&self) -> bool {
        !self.yaml.unread.is_empty()
    }

    /// True when aliases that are not followed stand for some of it.
    pub fn has_aliases(&self) -> bool {
        let is_alias = |issue: &YamlIssue| {
            matches!(issue.kind, YamlIssueKind::Alias | YamlIssueKind::MergeKey)
        };
        self.yaml.issues.iter().any(is_alias)
    }
}

/// A value and its place.
#[derive(Clone, Copy)]
pub struct Node<'a> {
    file: &'a File<'a>,
    id: NodeId,
}

/// A scalar as text.
#[derive(Clone, Copy, Debug)]
pub struct Text<'a> {
    /// The text.
    pub value: &'a str,
    /// Its node.
    pub node: Node<'a>,
}

impl Text<'_> {
    /// Its place, with its value in the subject.
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
    /// A node of a file.
    pub fn new(file: &'a File<'a>, id: NodeId) -> Self {
        Self { file, id }
    }

    fn with(self, id: NodeId) -> Self {
        Self { id, ..self }
    }

    /// The value under a name, unless it is null; of equal names the last one.
    pub fn get(self, name: &str) -> Option<Self> {
        self.written(name).filter(|value| !value.is_null())
    }

    /// The value under a name, which may be null.
    pub fn written(self, name: &str) -> Option<Self> {
        let entry = self.file.yaml.get(self.id, name)?;
        Some(self.with(entry.value))
    }

    /// The value under names that follow each other.
    pub fn at(self, path: &[&str]) -> Option<Self> {
        path.iter().try_fold(self, |node, name| node.get(name))
    }

    /// The scalar as text.
    pub fn text(self) -> Option<Text<'a>> {
        let value = self.file.yaml.text(self.id)?;
        (!self.is_null()).then_some(Text { value, node: self })
    }

    /// The text under a name.
    pub fn text_at(self, name: &str) -> Option<Text<'a>> {
        self.get(name)?.text()
    }

    /// The text under a name, empty where there is none.
    pub fn str_at(self, name: &str) -> &'a str {
        self.text_at(name).map_or("", |text| text.value)
    }

    /// The whole number under a name.
    pub fn number_at(self, name: &str) -> Option<(i64, Self)> {
        let node = self.get(name)?;
        match self.file.yaml.kind(node.id) {
            Kind::Int(number) => Some((number, node)),
            _ => None,
        }
    }

    /// The items of a list; none of anything else.
    pub fn items(self) -> impl Iterator<Item = Self> {
        let items = self.file.yaml.items(self.id).iter();
        items.map(move |&id| self.with(id))
    }

    /// The items of the list under a name.
    pub fn items_at(self, name: &str) -> impl Iterator<Item = Self> {
        self.get(name).into_iter().flat_map(Self::items)
    }

    /// The entries of a mapping: key and value; none of anything else. Keys that are not texts are
    /// left out.
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

    /// True for a mapping.
    pub fn is_map(self) -> bool {
        matches!(self.file.yaml.kind(self.id), Kind::Map(_))
    }

    /// True for a list.
    pub fn is_list(self) -> bool {
        matches!(self.file.yaml.kind(self.id), Kind::Seq(_))
    }

    /// True for null, written or not.
    pub fn is_null(self) -> bool {
        matches!(self.file.yaml.kind(self.id), Kind::Null)
    }

    /// True for a mapping or a list without anything in it.
    pub fn is_empty(self) -> bool {
        match self.file.yaml.kind(self.id) {
            Kind::Map(entries) => entries.is_empty(),
            Kind::Seq(items) => items.is_empty(),
            _ => false,
        }
    }

    /// True where reading stopped before the end of the value was seen.
    pub fn is_cut(self) -> bool {
        self.file.yaml.is_cut(self.id)
    }

    /// Its place in the text.
    pub fn span(self) -> Span {
        self.file.yaml.span(self.id)
    }

    /// The text as it is written.
    pub fn source_text(self) -> &'a str {
        let text = self.file.source.text().get(self.span().range());
        text.unwrap_or_default()
    }

    /// The place of a scalar; of its key where it is empty.
    pub fn place(self) -> Anchor {
        let span = self.file.yaml.span(self.id);
        if span.is_empty() {
            return self.head();
        }
        Anchor::new(Place::span(self.file.source, span), self.subject())
    }

    /// Where to point at for a mapping or list as a whole: at its key, or at its first key.
    pub fn head(self) -> Anchor {
        let yaml = &self.file.yaml;
        let head = Place::span(self.file.source, yaml.span(yaml.head(self.id)));
        Anchor::new(head, self.subject())
    }

    /// The names on the way to it, from its object on: `Gateway/infra/edge/spec/listeners/web`.
    pub fn subject(self) -> Subject {
        Subject::new(path_to(&self.file.yaml, self.id))
    }
}
