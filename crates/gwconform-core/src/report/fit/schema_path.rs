//! Where in a schema an evaluation came from.

use serde_json::Value;

/// The properties of the object schema that has the keyword at `evaluation_path`.
pub(super) fn known_fields(schema: &Value, evaluation_path: &str) -> Vec<String> {
    parent_schema(schema, evaluation_path)
        .and_then(|object| object.get("properties")?.as_object())
        .map(|fields| fields.keys().cloned().collect())
        .unwrap_or_default()
}

/// What `type` of that schema is.
pub(super) fn expected_type(schema: &Value, evaluation_path: &str) -> String {
    let kind =
        parent_schema(schema, evaluation_path).and_then(|object| object.get("type")?.as_str());
    kind.unwrap_or("another type").to_owned()
}

/// Follows an evaluation path (which steps through `$ref`) to the schema that holds its keyword.
fn parent_schema<'s>(schema: &'s Value, evaluation_path: &str) -> Option<&'s Value> {
    let tokens = pointer_tokens(evaluation_path);
    let (_keyword, steps) = tokens.split_last()?;
    let mut at = schema;
    for step in steps {
        at = match at {
            Value::Array(items) => items.get(step.parse::<usize>().ok()?)?,
            at if step == "$ref" => schema.pointer(at.get("$ref")?.as_str()?.strip_prefix('#')?)?,
            at => at.get(step)?,
        };
    }
    Some(at)
}

pub(super) fn pointer_tokens(pointer: &str) -> Vec<String> {
    pointer.split('/').skip(1).map(unescape).collect()
}

fn unescape(token: &str) -> String {
    token.replace("~1", "/").replace("~0", "~")
}
