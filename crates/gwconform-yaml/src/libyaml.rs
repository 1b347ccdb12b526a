//! Reads text with libyaml, on which the YAML parsers of Kubernetes tools are based.

use std::cell::Cell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::issue_texts::IssueText;
use super::load::Loader;
use super::{Kind, NodeId, Yaml, YamlIssueKind};
use crate::Span;

/// Parsing time is quadratic in the number of brackets.
const MAX_BRACKETS: usize = 200;

/// Whether libyaml accepts the text. Texts with more than 200 brackets are never accepted.
pub fn libyaml_reads(text: &str) -> bool {
    is_bounded(text) && serde_yaml::from_str::<IgnoredAny>(after_mark(text)).is_ok()
}

/// libyaml skips a byte order mark only in bytes, as Go passes them.
fn after_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

fn is_bounded(text: &str) -> bool {
    text.bytes().filter(|byte| b"[{".contains(byte)).count() <= MAX_BRACKETS
}

impl Loader<'_> {
    /// Reports a text that libyaml rejects or reads differently. A text over the limit, or with an
    /// issue that makes it uncertain anyway, is not compared.
    pub(super) fn read_again(&mut self) {
        let mut issues = self.tree.issues.iter();
        let is_uncertain = issues.any(|one| one.kind.stops_reading() || one.kind.concerns_file());
        let root = self
            .tree
            .documents
            .first()
            .and_then(|document| document.root);
        let Some(root) = root.filter(|_| !is_uncertain && is_bounded(self.text)) else {
            return;
        };
        let last = Cell::new(root);
        let same = Same {
            yaml: &self.tree,
            id: root,
            last: &last,
        };
        let text = after_mark(self.text);
        let Err(error) = same.deserialize(serde_yaml::Deserializer::from_str(text)) else {
            return;
        };
        let (span, message) = if libyaml_reads(text) {
            (self.tree.span(last.get()), IssueText::OtherValue)
        } else {
            let at = error.location().map_or(0, |location| location.index());
            let at = text.char_indices().nth(at).map_or(text.len(), |(at, _)| at);
            let at = self.text.len() - text.len() + at;
            (Span::at(at), IssueText::Rejected)
        };
        self.issue(YamlIssueKind::OtherReading, span, message);
    }
}

/// Fails unless libyaml reads the content of a node.
struct Same<'s, 't> {
    yaml: &'s Yaml<'t>,
    id: NodeId,
    last: &'s Cell<NodeId>,
}

impl Same<'_, '_> {
    fn at(&self, id: NodeId) -> Self {
        Self { id, ..*self }
    }
}

impl<'de> DeserializeSeed<'de> for Same<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, of: D) -> Result<(), D::Error> {
        self.last.set(self.id);
        match self.yaml.kind(self.id) {
            Kind::Seq(_) => of.deserialize_seq(self),
            Kind::Map(_) => of.deserialize_map(self),
            _ => of.deserialize_str(self),
        }
    }
}

impl<'de> Visitor<'de> for Same<'_, '_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the same content")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        if self.yaml.text(self.id) == Some(text) {
            Ok(())
        } else {
            Err(E::custom("another text"))
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        for item in self.yaml.items(self.id) {
            let item = items.next_element_seed(self.at(*item))?;
            item.ok_or_else(|| A::Error::custom("fewer items"))?;
        }
        match items.next_element::<IgnoredAny>()? {
            None => Ok(()),
            Some(_) => Err(A::Error::custom("more items")),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        for entry in self.yaml.entries(self.id) {
            let key = entries.next_key_seed(self.at(entry.key))?;
            key.ok_or_else(|| A::Error::custom("fewer entries"))?;
            entries.next_value_seed(self.at(entry.value))?;
        }
        match entries.next_key::<IgnoredAny>()? {
            None => Ok(()),
            Some(_) => Err(A::Error::custom("more entries")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::libyaml_reads;

    #[test]
    fn reads_what_go_reads_up_to_a_depth() {
        assert!(libyaml_reads("a: \"b\nc\"\n"));
        assert!(!libyaml_reads("a: [\n"));
        assert!(!libyaml_reads(&format!(
            "{}{}",
            "[".repeat(300),
            "]".repeat(300)
        )));
    }
}
