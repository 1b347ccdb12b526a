//! Finds fields and values that no known release of the API has.

use super::losses::{Collected, Lost};
use super::{Place, short};
use crate::{Node, Object};
use gwconform_base::release::Registry;
use gwconform_base::release::api_fields::Field;
use gwconform_base::text::message::Message;
use gwconform_base::text::suggest;

/// Reference to the core group.
const CORE: &str = "group: \"\"";

/// Top-level fields of an object.
const TOP: [&str; 5] = ["apiVersion", "kind", "metadata", "spec", "status"];

/// Adds unknown fields of an object of the API, if a known release has its kind.
pub(super) fn object<'a>(
    losses: &mut Collected<'a>,
    registry: &Registry,
    object: &Object<'a>,
    at: usize,
) {
    let Some(fields) = registry.fields().0.get(object.kind_name) else {
        return;
    };
    let mut walk = Walk {
        kind: object.kind_name,
        at,
        path: String::new(),
        losses,
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

struct Walk<'w, 'a> {
    kind: &'a str,
    at: usize,
    path: String,
    losses: &'w mut Collected<'a>,
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
                    // The CRDs accept `core`, but the core group has an empty name.
                    let core = value.text().filter(|text| text.value == "core");
                    if let Some(core) = core.filter(|_| key.value == "group") {
                        self.unknown(core.node, "", Some(core.value), &mut [CORE].into_iter());
                    }
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
        let (kind, at) = (self.kind, self.at);
        let value = value.map(short);
        let key = format!("{kind} {path}");
        let key = (
            Lost::FieldOrValue,
            key,
            value.unwrap_or_default().to_owned(),
        );
        let mut title = |_: &str, _: &str| {
            let mut title = Message::words("no known release has ");
            if let Some(value) = value {
                title.push_words("the value ".into());
                title.push_code(value);
                title.push_words(" of ".into());
            } else {
                title.push_words("a field ".into());
            }
            title.push_code(&path);
            title.push_words(format!(" of {kind}").into());
            // Digits of numbers do not show what was meant.
            let text = value.filter(|value| value.parse::<i64>().is_err());
            let text = text.or((!name.is_empty()).then_some(name));
            let near = match value {
                Some("core") if self.path.ends_with(".group") => known.next(),
                _ => text.and_then(|text| suggest::nearest(text, &mut *known)),
            };
            if let Some(near) = near {
                title.push_words("; did you mean ".into());
                title.push_code(near);
                title.push_words("?".into());
            }
            title
        };
        self.losses
            .add(key, None, &mut title, &mut || Place::at(node, at, &[]));
    }
}
