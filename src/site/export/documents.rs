use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use minijinja::value::{Enumerator, Object, Value};

use crate::api::Minor;
use crate::site;

/// Documents below `api/v1/` by file name. The list `matrices` contains the documents of `matrix/`,
/// newest minor first.
#[derive(Debug, Clone)]
pub struct Documents {
    root: Value,
    asked: Asked,
    minors: Vec<String>,
    implementations: Vec<String>,
}

type Asked = Arc<Mutex<Option<Missing>>>;

#[derive(Debug, Clone)]
pub(super) struct Missing {
    pub(super) key: String,
    pub(super) known: Vec<String>,
}

#[derive(Debug)]
struct Fields {
    fields: BTreeMap<String, Value>,
    asked: Asked,
}

impl Object for Fields {
    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        self.get_value_by_str(key.as_str()?)
    }

    fn get_value_by_str(self: &Arc<Self>, key: &str) -> Option<Value> {
        let found = self.fields.get(key);
        if found.is_none()
            && let Ok(mut asked) = self.asked.lock()
        {
            *asked = Some(Missing {
                key: key.to_owned(),
                known: self.fields.keys().cloned().collect(),
            });
        }
        found.cloned()
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        let keys: Vec<Value> = self.fields.keys().map(Value::from).collect();
        Enumerator::Values(keys)
    }

    fn enumerator_len(self: &Arc<Self>) -> Option<usize> {
        Some(self.fields.len())
    }
}

impl Documents {
    /// Collects the JSON documents of a site.
    pub fn new(files: &[site::File]) -> Self {
        let asked = Asked::default();
        let (mut fields, mut matrices) = (BTreeMap::new(), Vec::new());
        let (mut minors, mut implementations) = (Vec::new(), Vec::new());
        for file in files {
            let below = file.path.strip_prefix(site::DATA_FOLDER);
            let name = below.and_then(|name| name.trim_start_matches('/').strip_suffix(".json"));
            let document = serde_json::from_slice::<serde_json::Value>(&file.bytes).ok();
            let Some((name, document)) = name.zip(document) else {
                continue;
            };
            if name.starts_with("schema/") || name == "openapi" {
                continue;
            }
            match name {
                "reports" => minors = texts(&document["reports"], "minor"),
                "implementations" => {
                    implementations = texts(&document["implementations"], "implementation");
                }
                _ => {}
            }
            let value = value(document, &asked);
            match name.starts_with("matrix/") {
                true => matrices.push(value),
                false => drop(fields.insert(name.to_owned(), value)),
            }
        }
        minors.sort_by_key(|text| std::cmp::Reverse(Minor::parse(text)));
        fields.insert("matrices".to_owned(), Value::from(matrices));
        Self {
            root: object(fields, &asked),
            asked,
            minors,
            implementations,
        }
    }

    /// Adds a document that is not part of a site.
    #[must_use]
    pub fn with_document(mut self, name: &'static str, document: serde_json::Value) -> Self {
        let mut fields = self.root_fields();
        fields.insert(name.to_owned(), value(document, &self.asked));
        self.root = object(fields, &self.asked);
        self
    }

    pub(super) fn minors(&self) -> &[String] {
        &self.minors
    }

    pub(super) fn implementations(&self) -> &[String] {
        &self.implementations
    }

    pub(super) fn with(&self, instance: &BTreeMap<&'static str, String>) -> Value {
        let mut fields = self.root_fields();
        for (name, text) in instance {
            fields.insert((*name).to_owned(), Value::from(text.as_str()));
        }
        object(fields, &self.asked)
    }

    fn root_fields(&self) -> BTreeMap<String, Value> {
        let mut fields = BTreeMap::new();
        for key in self.root.try_iter().into_iter().flatten() {
            let found = self.root.get_item(&key).ok();
            if let Some((name, found)) = key.as_str().zip(found) {
                fields.insert(name.to_owned(), found);
            }
        }
        fields
    }

    pub(super) fn missing(&self) -> Option<Missing> {
        self.asked.lock().ok()?.clone()
    }
}

fn object(fields: BTreeMap<String, Value>, asked: &Asked) -> Value {
    Value::from_object(Fields {
        fields,
        asked: Arc::clone(asked),
    })
}

fn value(json: serde_json::Value, asked: &Asked) -> Value {
    match json {
        serde_json::Value::Array(items) => {
            let items = items.into_iter().map(|item| value(item, asked));
            Value::from(items.collect::<Vec<Value>>())
        }
        serde_json::Value::Object(fields) => {
            let fields = fields.into_iter();
            let fields = fields.map(|(name, field)| (name, value(field, asked)));
            object(fields.collect(), asked)
        }
        serde_json::Value::String(text) => Value::from(text),
        serde_json::Value::Bool(is_true) => Value::from(is_true),
        serde_json::Value::Null => Value::from(()),
        serde_json::Value::Number(number) => match (number.as_u64(), number.as_i64()) {
            (Some(number), _) => Value::from(number),
            (None, Some(number)) => Value::from(number),
            (None, None) => Value::from(number.as_f64()),
        },
    }
}

fn texts(items: &serde_json::Value, name: &str) -> Vec<String> {
    let mut texts = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    for item in items.as_array().into_iter().flatten() {
        if let Some(text) = item[name].as_str()
            && seen.insert(text)
        {
            texts.push(text.to_owned());
        }
    }
    texts
}
