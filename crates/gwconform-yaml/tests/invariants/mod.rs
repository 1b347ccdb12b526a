//! Checks invariants of trees. Also used for fuzzing.

#![allow(clippy::expect_used, clippy::panic)]

use std::collections::BTreeMap;

use gwconform_yaml::{Entry, Kind, MAX_FLAWS, NodeId, Span, Yaml, YamlIssueKind, load};

/// Panics if a tree violates an invariant, or if parsing the same text twice differs.
#[allow(dead_code, reason = "the fuzz target does it for some texts only")]
pub fn check(text: &str) {
    look_at(text);
    is_stable(text);
}

/// Panics if parsing the same text twice gives different trees.
pub fn is_stable(text: &str) {
    let [one, other] = [(); 2].map(|()| format!("{:?}", load(text)));
    assert_eq!(one, other, "two runs differ");
}

/// Panics if a tree violates an invariant. Parses the text only once.
pub fn look_at(text: &str) {
    let yaml = load(text);
    assert!(text.is_char_boundary(yaml.read_to));
    assert!(!yaml.documents.is_empty());
    let mut kept = BTreeMap::new();
    for issue in &yaml.issues {
        *kept.entry(issue.kind).or_insert(0) += 1;
    }
    assert!(kept.values().all(|&kept| kept <= MAX_FLAWS + 1), "{kept:?}");
    let stopped = yaml.issues.iter().any(|issue| issue.kind.stops_reading());
    assert_eq!(!stopped, yaml.read_to == text.len() && !stopped);

    let mut before = Span::default();
    for issue in &yaml.issues {
        inside(text, issue.span);
        assert!(before <= issue.span, "issues out of order");
        before = issue.span;
        let message = issue.message.to_string();
        assert!(!message.is_empty() && message.len() < 400);
        assert_eq!(
            issue.other.is_some(),
            issue.kind == YamlIssueKind::DuplicateKey
        );
        if let Some(other) = issue.other {
            inside(text, other);
            assert!(other.end <= issue.span.start);
        }
    }

    let mut end = 0;
    for document in &yaml.documents {
        inside(text, document.span);
        assert!(end <= document.span.start, "documents overlap");
        end = document.span.end;
        if let Some(root) = document.root {
            assert!(yaml.key_of(root).is_none());
            node(&yaml, text, root, document.span);
            yaml.to_json(root);
        }
    }
}

fn inside(text: &str, span: Span) {
    let whole = span.start <= span.end && text.get(span.range()).is_some();
    assert!(whole, "{span:?} is not a place in the text");
}

fn node(yaml: &Yaml<'_>, text: &str, id: NodeId, parent: Span) {
    let span = yaml.span(id);
    inside(text, span);
    assert!(
        parent.start <= span.start && span.end <= parent.end,
        "{span:?} is outside of its parent {parent:?}"
    );
    let slice = &text[span.range()];
    match yaml.kind(id) {
        Kind::Seq(items) => {
            assert!(slice.starts_with(['-', '[']), "{slice:?}");
            ordered(yaml, items.iter().copied());
            for &item in items {
                assert_eq!(yaml.key_of(item), None);
                node(yaml, text, item, span);
            }
        }
        Kind::Map(entries) => {
            ordered(
                yaml,
                entries.iter().flat_map(|entry| [entry.key, entry.value]),
            );
            for &Entry { key, value } in entries {
                assert_eq!((yaml.key_of(key), yaml.key_of(value)), (None, Some(key)));
                assert_eq!(yaml.head(value), key);
                node(yaml, text, key, span);
                node(yaml, text, value, span);
            }
            if let Some(last) = entries.last()
                && let Some(name) = yaml.key_name(last.key)
            {
                assert_eq!(yaml.get(id, name), Some(*last));
                assert_eq!(yaml.at_pointer(id, [name]), Some(last.value));
            }
        }
        Kind::Alias => assert!(slice.starts_with('*'), "{slice:?}"),
        _ => scalar(yaml, id, slice),
    }
}

fn scalar(yaml: &Yaml<'_>, id: NodeId, slice: &str) {
    let content = yaml.text(id).expect("a scalar has a text");
    if yaml.is_plain(id) {
        let one_line = !slice.contains(['\n', '\r']);
        assert!(
            !one_line || slice == content,
            "{slice:?} is not {content:?}"
        );
        return;
    }
    match slice.as_bytes() {
        [quote @ (b'"' | b'\''), .., last] => assert_eq!(quote, last),
        [b'|' | b'>', ..] => assert!(!slice.ends_with(['\n', '\r', ' ', '\t'])),
        _ => panic!("{slice:?} is not a scalar"),
    }
}

fn ordered(yaml: &Yaml<'_>, nodes: impl Iterator<Item = NodeId>) {
    let mut end = 0;
    for id in nodes {
        let span = yaml.span(id);
        assert!(end <= span.start, "{span:?} starts before {end}");
        end = span.end;
    }
}
