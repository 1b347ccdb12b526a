//! Generates JSON Schemas from Rust types, for editors and other validators.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

/// Schema for input, with the ID `urn:gwconform:schema:<name>`. Fields with defaults are optional.
pub fn of_type<T: JsonSchema>(name: &str) -> Value {
    generate::<T>(name, SchemaSettings::draft2020_12())
}

/// Schema for output. Fields that are always written are required.
pub fn of_output<T: JsonSchema>(name: &str) -> Value {
    generate::<T>(name, SchemaSettings::draft2020_12().for_serialize())
}

fn generate<T: JsonSchema>(name: &str, settings: SchemaSettings) -> Value {
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    schema.insert("$id".into(), format!("urn:gwconform:schema:{name}").into());
    let mut schema = schema.to_value();
    tidy(&mut schema);
    schema
}

fn tidy(schema: &mut Value) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(tidy),
        Value::Object(object) => {
            object.values_mut().for_each(tidy);
            // Strict validators reject schemars' own formats, such as `uint32`.
            let format = object.get("format").and_then(Value::as_str);
            if format.is_some_and(|name| name.starts_with("uint")) {
                object.remove("format");
            }
            if let Some(Value::String(description)) = object.get_mut("description") {
                *description = unwrapped(description);
            }
            flatten_enum(object);
        }
        _ => {}
    }
}

fn unwrapped(text: &str) -> String {
    let paragraphs = text
        .split("\n\n")
        .map(|paragraph| paragraph.replace('\n', " "));
    paragraphs.collect::<Vec<_>>().join("\n\n")
}

/// Validators report clearer errors for one `enum` list than for a `oneOf` of constants.
fn flatten_enum(object: &mut Map<String, Value>) {
    let Some(Value::Array(variants)) = object.get("oneOf") else {
        return;
    };
    let constants: Vec<Value> = variants
        .iter()
        .filter_map(|variant| variant.get("const").cloned())
        .collect();
    if constants.len() != variants.len() {
        return;
    }
    let mut description = object
        .get("description")
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_owned();
    for variant in variants {
        let meaning = variant.get("description").and_then(Value::as_str);
        if let (Some(constant), Some(meaning)) = (variant["const"].as_str(), meaning) {
            description.push_str(&format!("\n- `{constant}`: {meaning}"));
        }
    }
    object.remove("oneOf");
    object.insert("type".into(), "string".into());
    object.insert("enum".into(), constants.into());
    object.insert("description".into(), description.into());
}
