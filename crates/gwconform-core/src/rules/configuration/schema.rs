use schemars::{Schema, SchemaGenerator, json_schema};

use super::RuleSeverity;
use crate::rules;

/// One property per rule and group, so that editors can describe each one.
pub fn of_severities(generator: &mut SchemaGenerator) -> Schema {
    let severity = generator.subschema_for::<RuleSeverity>();
    let mut properties = serde_json::Map::new();
    for rule in rules::ALL.iter().filter(|rule| rule.is_configurable()) {
        let mut of_rule = severity.clone();
        of_rule.insert("description".into(), rule.summary().into());
        properties.insert(rule.id.into(), of_rule.into());
        let mut of_group = severity.clone();
        let description = format!("All rules of the group `{}`.", rule.group());
        of_group.insert("description".into(), description.into());
        properties.insert(rule.group().into(), of_group.into());
    }
    json_schema!({
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
        "examples": [{"report/version-not-semver": "error", "text": "off"}],
    })
}

pub fn of_releases(_: &mut SchemaGenerator) -> Schema {
    let rules = rules::ALL.iter().filter(|rule| rule.is_configurable());
    let ids: Vec<&str> = rules.map(|rule| rule.id).collect();
    json_schema!({
        "type": "object",
        "propertyNames": {"enum": ids},
        "additionalProperties": {"type": "string"},
        "examples": [{"report/newer-suite": "v1.7"}],
    })
}

pub fn of_rule(_: &mut SchemaGenerator) -> Schema {
    let rules = rules::ALL.iter().filter(|rule| rule.is_configurable());
    let ids: Vec<&str> = rules.map(|rule| rule.id).collect();
    json_schema!({"type": "string", "enum": ids, "examples": ["tree/file-name"]})
}
