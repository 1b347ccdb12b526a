use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_yaml::Value;

use super::{Channel, ExtendedWhen, Family, Level};
use crate::text::json;

pub(super) const LINE: usize = 98;

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Document {
    pub(super) release: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) date: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) commit: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) commit_date: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) base: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) same_as: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) notes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) report_api_version: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) test_is_extended_when: Option<ExtendedWhen>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) crds: BTreeMap<Channel, Vec<String>>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) features: BTreeMap<String, Option<FeatureChange>>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) profiles: BTreeMap<String, Option<ProfileChange>>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) tests: BTreeMap<String, Option<TestChange>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum MeaningFrom {
    /// Use the first sentence of the comment in the sources.
    Source,
}

#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", default)]
pub(super) struct FeatureChange {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) level: Option<Level>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) channel: Option<Channel>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) resource: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) renamed_from: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) meaning: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) meaning_from: Option<MeaningFrom>,
}

#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", default)]
pub(super) struct ProfileChange {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) family: Option<Family>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) renamed_from: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) report_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) core: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) core_added: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) core_removed: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) extended: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) extended_added: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) extended_removed: Vec<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", default)]
pub(super) struct TestChange {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) features: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) provisional: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) parallel: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) renamed_from: Option<String>,
}

impl Document {
    pub fn text(&self) -> String {
        text(self, 2, LINE)
    }
}

/// The outer `open` levels of objects start on new lines; deeper values only if they exceed `width`
/// characters.
pub fn text(file: &impl Serialize, open: usize, width: usize) -> String {
    let value = serde_yaml::to_value(file).unwrap_or_default();
    laid_out(&value, (open, width), 0) + "\n"
}

/// `depth` is the indentation level.
fn laid_out(value: &Value, (open, width): (usize, usize), depth: usize) -> String {
    let line = on_one_line(value);
    let is_open = open > 0 && value.is_mapping();
    if !is_open && line.chars().count() <= width {
        return line;
    }
    match value {
        Value::Sequence(items) => {
            let items = items
                .iter()
                .map(|item| laid_out(item, (0, width), depth + 1));
            lines("[", items, "]", depth)
        }
        Value::Mapping(members) => {
            let members = members.iter().map(|(name, value)| {
                let value = laid_out(value, (open.saturating_sub(1), width), depth + 1);
                format!("{}: {value}", on_one_line(name))
            });
            lines("{", members, "}", depth)
        }
        _ => line,
    }
}

fn on_one_line(value: &Value) -> String {
    match value {
        Value::Sequence(items) => {
            let items: Vec<String> = items.iter().map(on_one_line).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Mapping(members) => {
            let members = members.iter();
            let member = |(name, value)| format!("{}: {}", on_one_line(name), on_one_line(value));
            format!("{{{}}}", members.map(member).collect::<Vec<_>>().join(", "))
        }
        scalar => json::to_string(scalar).unwrap_or_default(),
    }
}

fn lines(open: &str, values: impl Iterator<Item = String>, close: &str, depth: usize) -> String {
    let indent = "  ".repeat(depth + 1);
    let values: Vec<String> = values.map(|value| format!("{indent}{value}")).collect();
    format!(
        "{open}\n{}\n{}{close}",
        values.join(",\n"),
        "  ".repeat(depth)
    )
}

#[cfg(test)]
mod tests {
    use super::Document;
    use gwconform_schema::{REGISTRY, UNRELEASED};

    #[test]
    fn writes_embedded_releases_byte_for_byte() {
        let mut read = 0;
        let files = REGISTRY.iter().chain(&[("v", UNRELEASED)]);
        for (name, text) in files.filter(|(name, _)| name.starts_with('v')) {
            let document: Document = serde_json::from_str(text).unwrap();
            assert_eq!(document.text(), *text, "{name}");
            read += 1;
        }
        assert!(read >= 17, "{read}");
    }
}
