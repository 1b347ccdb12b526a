//! Exposes YAML nodes to the JSON validator without a copy. Requires [`Yaml::is_plain_json`], so
//! that the nodes match [`Yaml::to_json`].

use std::borrow::Cow;

use jsonschema::JsonType;
use jsonschema::json::{self, Json, NodeIdentity};
use serde_json::{Number, Value};

use gwconform_yaml::{Entry, Kind, NodeId, Yaml};

#[derive(Debug)]
pub struct YamlJson;

#[derive(Debug, Clone, Copy)]
pub struct JsonNode<'a> {
    /// Node of a value; `None` for property names.
    node: Option<(&'a Yaml<'a>, NodeId)>,
    kind: Kind<'a>,
}

#[derive(Debug, Clone, Copy)]
pub struct JsonObject<'a> {
    yaml: &'a Yaml<'a>,
    entries: &'a [Entry],
}

#[derive(Debug, Clone, Copy)]
pub struct JsonArray<'a> {
    yaml: &'a Yaml<'a>,
    items: &'a [NodeId],
}

impl<'a> JsonNode<'a> {
    pub fn new(yaml: &'a Yaml<'a>, id: NodeId) -> Self {
        Self {
            node: Some((yaml, id)),
            kind: yaml.kind(id),
        }
    }
}

impl JsonNode<'_> {
    fn number(&self) -> Option<Number> {
        match self.kind {
            Kind::Int(value) => Some(Number::from(value)),
            Kind::BigInt(text) => match text.parse::<u64>() {
                Ok(value) => Some(Number::from(value)),
                Err(_) => Number::from_f64(text.parse().ok()?),
            },
            Kind::Float(value) => Number::from_f64(value),
            _ => None,
        }
    }
}

impl Json for YamlJson {
    type Node<'a> = JsonNode<'a>;
    type PreparedKey = String;
    type StringBuffer = ();

    // Prefer iteration, because each lookup scans all entries.
    const KEYS_PER_LOOKUP: usize = 1000;

    fn prepare_key(key: &str) -> String {
        key.to_owned()
    }

    fn with_string_node<T>((): &mut (), string: &str, f: impl FnOnce(JsonNode<'_>) -> T) -> T {
        f(JsonNode {
            node: None,
            kind: Kind::Str(string),
        })
    }
}

impl<'a> json::Node<'a, YamlJson> for JsonNode<'a> {
    type Object = JsonObject<'a>;
    type Array = JsonArray<'a>;
    type Number = Number;

    fn as_object(&self) -> Option<JsonObject<'a>> {
        match (self.node, self.kind) {
            (Some((yaml, _)), Kind::Map(entries)) => Some(JsonObject { yaml, entries }),
            _ => None,
        }
    }

    fn as_array(&self) -> Option<JsonArray<'a>> {
        match (self.node, self.kind) {
            (Some((yaml, _)), Kind::Seq(items)) => Some(JsonArray { yaml, items }),
            _ => None,
        }
    }

    fn as_string(&self) -> Option<Cow<'a, str>> {
        match self.kind {
            Kind::Str(text) => Some(Cow::Borrowed(text)),
            _ => None,
        }
    }

    fn as_number(&self) -> Option<Number> {
        self.number()
    }

    fn as_boolean(&self) -> Option<bool> {
        match self.kind {
            Kind::Bool(value) => Some(value),
            _ => None,
        }
    }

    fn is_null(&self) -> bool {
        self.json_type() == JsonType::Null
    }

    fn is_string(&self) -> bool {
        matches!(self.kind, Kind::Str(_))
    }

    fn json_type(&self) -> JsonType {
        match self.kind {
            Kind::Null | Kind::Alias => JsonType::Null,
            Kind::Bool(_) => JsonType::Boolean,
            Kind::Int(_) => JsonType::Number,
            Kind::BigInt(_) | Kind::Float(_) => match self.number() {
                Some(_) => JsonType::Number,
                None => JsonType::Null,
            },
            Kind::Str(_) => JsonType::String,
            Kind::Seq(_) => JsonType::Array,
            Kind::Map(_) => JsonType::Object,
        }
    }

    fn equals_value(&self, expected: &Value) -> bool {
        match (self.kind, expected) {
            (Kind::Str(text), Value::String(expected)) => text == expected,
            _ => json::cmp::equal(&self.to_value(), expected),
        }
    }

    fn to_value(&self) -> Cow<'a, Value> {
        Cow::Owned(match (self.node, self.kind) {
            (Some((yaml, id)), _) => yaml.to_json(id),
            (None, Kind::Str(text)) => Value::from(text),
            (None, _) => Value::Null,
        })
    }

    fn identity(&self) -> Option<NodeIdentity> {
        let (yaml, id) = self.node?;
        let tree = std::ptr::from_ref(yaml) as usize;
        Some(NodeIdentity::tagged(tree, id.number()))
    }
}

impl<'a> json::Object<'a, YamlJson> for JsonObject<'a> {
    type Node = JsonNode<'a>;
    type MemberName = &'a str;
    type MembersIter = Members<'a>;

    fn len(&self) -> usize {
        self.entries.len()
    }

    fn get(&self, key: &String) -> Option<JsonNode<'a>> {
        let entry = self
            .entries
            .iter()
            .find(|member| self.yaml.key_name(member.key) == Some(key))?;
        Some(JsonNode::new(self.yaml, entry.value))
    }

    fn members(&self) -> Members<'a> {
        Members {
            yaml: self.yaml,
            entries: self.entries.iter(),
        }
    }
}

#[derive(Debug)]
pub struct Members<'a> {
    yaml: &'a Yaml<'a>,
    entries: std::slice::Iter<'a, Entry>,
}

impl<'a> Iterator for Members<'a> {
    type Item = (&'a str, JsonNode<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let entry = self.entries.next()?;
        let name = self.yaml.key_name(entry.key).unwrap_or_default();
        Some((name, JsonNode::new(self.yaml, entry.value)))
    }
}

impl<'a> json::Array<'a, YamlJson> for JsonArray<'a> {
    type Node = JsonNode<'a>;
    type ElementsIter = Elements<'a>;

    fn len(&self) -> usize {
        self.items.len()
    }

    fn elements(&self) -> Elements<'a> {
        Elements {
            yaml: self.yaml,
            items: self.items.iter(),
        }
    }
}

#[derive(Debug)]
pub struct Elements<'a> {
    yaml: &'a Yaml<'a>,
    items: std::slice::Iter<'a, NodeId>,
}

impl<'a> Iterator for Elements<'a> {
    type Item = JsonNode<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        self.items
            .next()
            .map(|&item| JsonNode::new(self.yaml, item))
    }
}
