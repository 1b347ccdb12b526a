//! Compares manifests with the CRDs of a release and channel.

use std::collections::BTreeMap;

use crate::{GROUP, Node, Object, Text, is_gateway_api};
pub use gwconform_base::release::served::{Absent, Crds, Object as Served, Write};

/// Field of an object that the CRDs of a release lack.
#[derive(Debug, Clone)]
pub struct AbsentField<'a> {
    /// Node of the field value.
    pub node: Node<'a>,
    /// Path in the object, such as `spec.rules[].retry`.
    pub path: &'a str,
    /// Reason why the field is absent.
    pub why: Absent,
}

/// Fields of an object that the CRDs lack, without nested fields. `absent` is the result of
/// [`Crds::absent_fields`].
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
    /// Recursion is bounded, because the YAML parser limits the depth.
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

/// Kind that an object references.
#[derive(Debug, Clone, Copy)]
pub struct NamedKind<'a> {
    /// API group; empty for the core group.
    pub group: &'a str,
    /// Kind as written.
    pub kind: Text<'a>,
}

/// Kinds that an object references. For objects outside Gateway API, only policy targets.
pub(crate) fn named_kinds<'a>(object: &Object<'a>) -> Vec<NamedKind<'a>> {
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

const OF_THE_API: [&str; 2] = ["parentRefs", "kinds"];

/// Recursion is bounded, because the YAML parser limits the depth.
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
