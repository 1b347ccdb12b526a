//! The CRDs that manifests are compared with: those of a release and a channel.

use std::collections::BTreeMap;

use crate::cluster::{GROUP, Node, Object, Text, is_gateway_api};
pub use crate::release::served::{Absent, Crds, Object as Served, Write};

/// A field of an object that CRDs do not have.
#[derive(Debug, Clone)]
pub struct AbsentField<'a> {
    /// Its value.
    pub node: Node<'a>,
    /// `spec.rules[].retry`
    pub path: &'a str,
    /// Why they do not have it.
    pub why: Absent,
}

/// The fields of an object that are absent from CRDs, by what [`Crds::absent_fields`] tells of its
/// kind, in the order of the text. What is below one of them is not named.
pub fn absent_fields<'a>(
    absent: &BTreeMap<&'a str, Absent>,
    object: &Object<'a>,
) -> Vec<AbsentField<'a>> {
    let mut walk = Walk {
        absent,
        path: "spec".to_owned(),
        found: Vec::new(),
    };
    if !walk.absent.is_empty()
        && let Some(spec) = object.root.get("spec")
    {
        walk.below(spec);
    }
    walk.found
}

struct Walk<'w, 'a> {
    absent: &'w BTreeMap<&'a str, Absent>,
    path: String,
    found: Vec<AbsentField<'a>>,
}

impl<'a> Walk<'_, 'a> {
    /// How deep it goes is what YAML may nest.
    fn below(&mut self, node: Node<'a>) {
        let end = self.path.len();
        for (key, value) in node.entries() {
            self.path.push('.');
            self.path.push_str(key.value);
            match self.absent.get_key_value(self.path.as_str()) {
                Some(_) if value.is_null() => {}
                Some((path, why)) => self.found.push(AbsentField {
                    node: value,
                    path,
                    why: *why,
                }),
                None => self.below(value),
            }
            self.path.truncate(end);
        }
        self.path.push_str("[]");
        for item in node.items() {
            self.below(item);
        }
        self.path.truncate(end);
    }
}

/// A kind that an object refers to: `group` and `kind` beside each other.
#[derive(Debug, Clone, Copy)]
pub struct NamedKind<'a> {
    /// The group.
    pub group: &'a str,
    /// The kind.
    pub kind: Text<'a>,
}

/// The kinds that an object refers to, in the order of the text: wherever one of the API has a group
/// and a kind, and the targets of others, such as policies.
pub fn named_kinds<'a>(object: &Object<'a>) -> Vec<NamedKind<'a>> {
    let mut found = Vec::new();
    let Some(spec) = object.root.get("spec") else {
        return found;
    };
    if is_gateway_api(object.group) {
        add_named_kinds(spec, None, &mut found);
    } else {
        for target in object.targets() {
            add_named_kinds(target, None, &mut found);
        }
    }
    found
}

/// The fields whose items are of the API where they name no group.
const OF_THE_API: [&str; 2] = ["parentRefs", "kinds"];

/// How deep it goes is what YAML may nest.
fn add_named_kinds<'a>(node: Node<'a>, absent: Option<&'a str>, found: &mut Vec<NamedKind<'a>>) {
    let group = node.text_at("group").map(|group| group.value).or(absent);
    if let (Some(group), Some(kind)) = (group, node.text_at("kind")) {
        found.push(NamedKind { group, kind });
    }
    for (key, value) in node.entries() {
        let absent = OF_THE_API.contains(&key.value).then_some(GROUP);
        for item in value.items() {
            add_named_kinds(item, absent, found);
        }
        add_named_kinds(value, None, found);
    }
}
