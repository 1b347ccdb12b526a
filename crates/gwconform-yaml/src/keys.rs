use std::collections::HashMap;
use std::hash::BuildHasher;

use super::issue_texts::IssueText;
use super::load::{Children, Loader};
use super::{NodeId, YamlIssueKind};

/// For fewer keys, comparison is faster than hashing.
pub(super) const HASHED_FROM: usize = 16;

impl Loader<'_> {
    pub(super) fn check_key(&mut self, key: NodeId) {
        let span = self.tree.span(key);
        let Some(name) = self.tree.key_name(key) else {
            self.issue(YamlIssueKind::ComplexKey, span, IssueText::ComplexKey);
            return;
        };
        if name == "<<" && self.tree.is_plain(key) {
            if let Some(open) = self.open.last_mut().and_then(|open| open.start.as_mut()) {
                // Merge keys are resolved at the end of the mapping.
                open.has_merge = true;
                return;
            }
            self.issue(YamlIssueKind::MergeKey, span, IssueText::MergeKey);
        }
        if let Some(first_key) = self.first_equal_key(key) {
            let first = self.tree.span(first_key);
            let text = IssueText::DuplicateKey {
                key: self.quoted(span),
            };
            self.issue_with_other(YamlIssueKind::DuplicateKey, span, text, Some(first));
        }
    }

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
            let equal =
                |&other: &NodeId| tree.text(other) == Some(name) && tree.key_name(other).is_some();
            return keys.find(equal);
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
}
