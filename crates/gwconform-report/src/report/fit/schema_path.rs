use serde_json::Value;

pub(super) fn known_fields(schema: &Value, evaluation_path: &str) -> Vec<String> {
    parent_schema(schema, evaluation_path)
        .and_then(|object| object.get("properties")?.as_object())
        .map(|fields| fields.keys().cloned().collect())
        .unwrap_or_default()
}

pub(super) fn expected_type(schema: &Value, evaluation_path: &str) -> String {
    let kind =
        parent_schema(schema, evaluation_path).and_then(|object| object.get("type")?.as_str());
    kind.unwrap_or("another type").to_owned()
}

/// Follows `$ref` steps to the schema that contains the keyword.
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
