//! The file of a release, with all that it says, and its layout.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_yaml::Value;

use super::{Channel, ExtendedWhen, Family, Level};
use crate::text::json;

/// Longest list or object on one line, in characters.
const MAX_LINE: usize = 98;

/// What a release changed: its file.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Document {
    pub(super) release: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) date: Option<String>,
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

/// Who wrote the meaning of a feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum MeaningFrom {
    /// The first sentence of its comment in the sources.
    Source,
}

/// What a release changed in a feature. Fields are in the order in which a file has them.
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

/// What a release changed in a profile.
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

/// What a release changed in a test.
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
    /// The text of the file. Sections are on lines of their own; below them, what fits into
    /// `MAX_LINE` characters, its name aside, is on one line.
    pub(super) fn text(&self) -> String {
        text(self)
    }
}

/// The text of a file of facts: its members and theirs are on lines of their own, those below where they
/// do not fit on one.
pub(super) fn text(file: &impl Serialize) -> String {
    // It has texts, lists, and objects with names, which any format has.
    let value = serde_yaml::to_value(file).unwrap_or_default();
    laid_out(&value, 2, 0) + "\n"
}

/// A value on one line when it is short, else each part on lines of its own. `open` is how many levels of
/// objects are on lines of their own in any case; `depth` is that of the line on which it begins.
fn laid_out(value: &Value, open: usize, depth: usize) -> String {
    let line = on_one_line(value);
    let is_open = open > 0 && value.is_mapping();
    if !is_open && line.chars().count() <= MAX_LINE {
        return line;
    }
    match value {
        Value::Sequence(items) => {
            let items = items.iter().map(|item| laid_out(item, 0, depth + 1));
            lines("[", items, "]", depth)
        }
        Value::Mapping(members) => {
            let members = members.iter().map(|(name, value)| {
                let value = laid_out(value, open.saturating_sub(1), depth + 1);
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
        // A scalar is always JSON.
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
    use gwconform_schema::REGISTRY;

    #[test]
    fn our_files_are_laid_out_like_this() {
        let mut read = 0;
        for (name, text) in REGISTRY.iter().filter(|(name, _)| name.starts_with('v')) {
            let document: Document = serde_json::from_str(text).unwrap();
            assert_eq!(document.text(), *text, "{name}");
            read += 1;
        }
        assert!(read >= 17, "{read}");
    }
}
