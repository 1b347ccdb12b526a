//! A text as this crate and as libyaml read it; shared with the test of the real reports.

use gwconform_yaml::load;
use serde_json::Value;

/// What the libyaml family makes of a text; `None` when it refuses it.
pub fn libyaml(text: &str) -> Option<Value> {
    let value: serde_yaml::Value = serde_yaml::from_str(text).ok()?;
    serde_json::to_value(value).ok()
}

/// What we make of a text; `None` when it is not YAML.
pub fn ours(text: &str) -> Option<Value> {
    let yaml = load(text);
    if yaml.issues.iter().any(|issue| issue.kind.stops_reading()) {
        return None;
    }
    let root = yaml.documents[0].root;
    Some(root.map_or(Value::Null, |root| yaml.to_json(root)))
}
