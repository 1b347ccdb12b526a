//! Finds fields and values that no known release of the API has.

use std::collections::BTreeMap;

use super::short;
use crate::cluster::{Cluster, Node, is_gateway_api};
use crate::release::Registry;
use crate::release::fields::Field;
use crate::text::suggest;

/// Maximum number of distinct fields and values.
const MAX_FOUND: usize = 100;

/// Top-level fields of an object.
const TOP: [&str; 5] = ["apiVersion", "kind", "metadata", "spec", "status"];

/// Field or value that no known release has.
#[derive(Debug)]
pub struct UnknownField<'a> {
    /// First field, or its value.
    pub node: Node<'a>,
    /// Number of such fields.
    pub count: usize,
    /// Similar known name, if any.
    pub similar: Option<String>,
}

/// Fields by kind, path and, if only the value is unknown, value.
pub type UnknownFields<'a> = BTreeMap<(&'a str, String, Option<&'a str>), UnknownField<'a>>;

/// Finds unknown fields in objects whose kind a known release has.
pub fn unknown_fields<'a>(cluster: &Cluster<'a>, registry: &Registry) -> UnknownFields<'a> {
    let known = &registry.fields().0;
    let mut found = UnknownFields::new();
    for object in &cluster.objects {
        let Some(fields) = known.get(object.kind_name) else {
            continue;
        };
        if !is_gateway_api(object.group) {
            continue;
        }
        let mut walk = Walk {
            kind: object.kind_name,
            path: String::new(),
            found: &mut found,
        };
        for (key, _) in object.root.entries() {
            if !TOP.contains(&key.value) {
                walk.unknown(key.node, key.value, None, &mut TOP.iter().copied());
            }
        }
        if let Some(spec) = object.root.get("spec") {
            walk.path.push_str("spec");
            walk.below(spec, fields);
        }
    }
    found
}

struct Walk<'w, 'a> {
    kind: &'a str,
    path: String,
    found: &'w mut UnknownFields<'a>,
}

impl<'a> Walk<'_, 'a> {
    /// Recursion is bounded, because the YAML parser limits the depth.
    fn below(&mut self, node: Node<'a>, known: &Field) {
        if node.is_list() {
            let end = self.path.len();
            self.path.push_str("[]");
            for item in node.items() {
                self.below(item, known);
            }
            self.path.truncate(end);
            return;
        }
        match known {
            Field::Any => {}
            Field::Values(values) => {
                let Some(text) = node.text().filter(|text| !text.value.is_empty()) else {
                    return;
                };
                let values: Vec<String> = values.iter().map(|value| value.text()).collect();
                if !values.iter().any(|value| value == text.value) {
                    let mut values = values.iter().map(String::as_str);
                    self.unknown(text.node, "", Some(text.value), &mut values);
                }
            }
            Field::Fields(fields) => {
                for (key, value) in node.entries() {
                    let Some(inner) = fields.get(key.value) else {
                        let mut names = fields.keys().map(String::as_str);
                        self.unknown(key.node, key.value, None, &mut names);
                        continue;
                    };
                    let end = self.path.len();
                    self.path.push('.');
                    self.path.push_str(key.value);
                    self.below(value, inner);
                    self.path.truncate(end);
                }
            }
        }
    }

    fn unknown(
        &mut self,
        node: Node<'a>,
        name: &'a str,
        value: Option<&'a str>,
        known: &mut dyn Iterator<Item = &str>,
    ) {
        let dot = if self.path.is_empty() || name.is_empty() {
            ""
        } else {
            "."
        };
        let path = format!("{}{dot}{}", self.path, short(name));
        let key = (self.kind, path, value.map(short));
        if let Some(found) = self.found.get_mut(&key) {
            found.count += 1;
        } else if self.found.len() < MAX_FOUND {
            // Digits of numbers do not show what was meant.
            let text = value.filter(|value| value.parse::<i64>().is_err());
            let text = text.or((!name.is_empty()).then_some(name));
            let near = text.and_then(|text| suggest::nearest(text, known));
            let found = UnknownField {
                node,
                count: 1,
                similar: near.map(str::to_owned),
            };
            self.found.insert(key, found);
        }
    }
}
