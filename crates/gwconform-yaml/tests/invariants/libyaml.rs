//! Parses a text with this crate and with libyaml.

use gwconform_yaml::load;
use serde_json::Value;

/// Result of libyaml; `None` if libyaml rejects the text.
pub fn libyaml(text: &str) -> Option<Value> {
    let value: serde_yaml::Value = serde_yaml::from_str(text).ok()?;
    serde_json::to_value(value).ok()
}

/// Result of this crate; `None` if the text is not valid YAML.
pub fn ours(text: &str) -> Option<Value> {
    let yaml = load(text);
    if yaml.issues.iter().any(|issue| issue.kind.stops_reading()) {
        return None;
    }
    let root = yaml.documents[0].root;
    Some(root.map_or(Value::Null, |root| yaml.to_json(root)))
}
