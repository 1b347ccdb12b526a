//! The CRDs that manifests are compared with: those of a release and a channel.

use std::collections::BTreeMap;

pub use crate::registry::served::{Absent, Crds, Object as Served, Write};
use crate::resource::{Node, Object, Text};

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

/// The fields of an object that CRDs do not have, in the order of the text. What is below one of them
/// is not named.
pub fn absent_fields<'a>(crds: &Crds<'a>, object: &Object<'a>) -> Vec<AbsentField<'a>> {
    let mut walk = Walk {
        absent: crds.absent_fields(object.kind_name),
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

struct Walk<'a> {
    absent: BTreeMap<&'a str, Absent>,
    path: String,
    found: Vec<AbsentField<'a>>,
}

impl<'a> Walk<'a> {
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

/// The kinds that an object refers to, in the order of the text.
pub fn named_kinds<'a>(object: &Object<'a>) -> Vec<NamedKind<'a>> {
    let mut found = Vec::new();
    if let Some(spec) = object.root.get("spec") {
        add_named_kinds(spec, &mut found);
    }
    found
}

/// How deep it goes is what YAML may nest.
fn add_named_kinds<'a>(node: Node<'a>, found: &mut Vec<NamedKind<'a>>) {
    if let (Some(group), Some(kind)) = (node.text_at("group"), node.text_at("kind")) {
        let group = group.value;
        found.push(NamedKind { group, kind });
    }
    for (_, value) in node.entries() {
        add_named_kinds(value, found);
    }
    for item in node.items() {
        add_named_kinds(item, found);
    }
}
