//! The file of a release, with all that it says, and its layout.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{Channel, ExtendedWhen, Family, Level};
use crate::api::ClosedSet;
use crate::text::json;

/// Longest list or object on one line, in characters.
const MAX_LINE: usize = 98;

/// What a release changed: its file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Document {
    pub(super) release: String,
    pub(super) date: Option<String>,
    pub(super) base: Option<String>,
    pub(super) same_as: Option<String>,
    #[serde(default)]
    pub(super) notes: Vec<String>,
    pub(super) report_api_version: Option<String>,
    pub(super) test_is_extended_when: Option<ExtendedWhen>,
    #[serde(default)]
    pub(super) crds: BTreeMap<Channel, Vec<String>>,
    #[serde(default)]
    pub(super) features: BTreeMap<String, Option<FeatureChange>>,
    #[serde(default)]
    pub(super) profiles: BTreeMap<String, Option<ProfileChange>>,
    #[serde(default)]
    pub(super) tests: BTreeMap<String, Option<TestChange>>,
}

/// Who wrote the meaning of a feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum MeaningFrom {
    /// The first sentence of its comment in the sources.
    Source,
}

/// What a release changed in a feature. Fields are in the order in which a file has them.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", default)]
pub(super) struct FeatureChange {
    pub(super) level: Option<Level>,
    pub(super) channel: Option<Channel>,
    pub(super) resource: Option<String>,
    pub(super) renamed_from: Option<String>,
    pub(super) meaning: Option<String>,
    pub(super) meaning_from: Option<MeaningFrom>,
}

/// What a release changed in a profile.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", default)]
pub(super) struct ProfileChange {
    pub(super) family: Option<Family>,
    pub(super) report_name: Option<String>,
    pub(super) renamed_from: Option<String>,
    pub(super) core: Option<Vec<String>>,
    pub(super) core_added: Vec<String>,
    pub(super) core_removed: Vec<String>,
    pub(super) extended: Option<Vec<String>>,
    pub(super) extended_added: Vec<String>,
    pub(super) extended_removed: Vec<String>,
}

/// What a release changed in a test.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", default)]
pub(super) struct TestChange {
    pub(super) features: Option<Vec<String>>,
    pub(super) provisional: Option<bool>,
    pub(super) parallel: Option<bool>,
    pub(super) renamed_from: Option<String>,
}

/// A value of the file; objects have their members in the order of the file.
pub(super) enum Value {
    /// JSON on one line.
    Line(String),
    List(Vec<Value>),
    Object(Vec<(String, Value)>),
}

impl Document {
    /// The text of the file. Sections are on lines of their own; below them, what fits into
    /// `MAX_LINE` characters, its name aside, is on one line.
    pub(super) fn text(&self) -> String {
        let mut lines = vec![member("release", &text(&self.release))];
        let stated = [
            ("date", &self.date),
            ("base", &self.base),
            ("sameAs", &self.same_as),
        ];
        for (name, value) in stated {
            lines.extend(value.iter().map(|value| member(name, &text(value))));
        }
        if !self.notes.is_empty() {
            lines.push(member("notes", &Value::of_texts(&self.notes).laid_out(1)));
        }
        if let Some(version) = &self.report_api_version {
            lines.push(member("reportApiVersion", &text(version)));
        }
        if let Some(when) = self.test_is_extended_when {
            lines.push(member("testIsExtendedWhen", &text(when.as_str())));
        }
        let crds = self
            .crds
            .iter()
            .map(|(channel, crds)| (channel.as_str().to_owned(), Value::of_texts(crds)));
        let sections: [(&str, Vec<(String, Value)>); 4] = [
            ("crds", crds.collect()),
            ("features", entries(&self.features, FeatureChange::value)),
            ("profiles", entries(&self.profiles, ProfileChange::value)),
            ("tests", entries(&self.tests, TestChange::value)),
        ];
        for (name, entries) in sections {
            if !entries.is_empty() {
                let entries = entries.iter();
                let entries = entries.map(|(name, value)| member(name, &value.laid_out(2)));
                lines.push(member(name, &self::lines("{", entries, "}", 1)));
            }
        }
        format!("{{\n  {}\n}}\n", lines.join(",\n  "))
    }
}

fn text(text: &str) -> String {
    // A text is always JSON.
    json::to_string(&text).unwrap_or_default()
}

fn member(name: &str, value: &str) -> String {
    format!("{}: {value}", text(name))
}

impl Value {
    pub(super) fn of_texts(texts: &[String]) -> Self {
        Self::List(texts.iter().map(|one| Self::of_text(one)).collect())
    }

    pub(super) fn of_text(one: &str) -> Self {
        Self::Line(text(one))
    }

    pub(super) fn null() -> Self {
        Self::Line("null".to_owned())
    }

    /// The members of an object that are there.
    pub(super) fn of_members(
        members: impl IntoIterator<Item = (&'static str, Option<Self>)>,
    ) -> Self {
        let members = members.into_iter();
        let members = members.filter_map(|(name, value)| Some((name.to_owned(), value?)));
        Self::Object(members.collect())
    }

    /// The text of a file that is an object: members up to `depth` are on lines of their own, those
    /// below where they do not fit on one.
    pub(super) fn text(&self, depth: usize) -> String {
        let mut text = self.open(depth, 0);
        text.push('\n');
        text
    }

    fn open(&self, levels: usize, depth: usize) -> String {
        match self {
            Self::Object(members) if levels > 0 => {
                let members = members.iter();
                let members =
                    members.map(|(name, value)| member(name, &value.open(levels - 1, depth + 1)));
                lines("{", members, "}", depth)
            }
            value => value.laid_out(depth),
        }
    }

    fn on_one_line(&self) -> String {
        match self {
            Self::Line(text) => text.clone(),
            Self::List(values) => {
                let values: Vec<String> = values.iter().map(Self::on_one_line).collect();
                format!("[{}]", values.join(", "))
            }
            Self::Object(members) => {
                let members = members.iter();
                let members: Vec<String> = members
                    .map(|(name, value)| member(name, &value.on_one_line()))
                    .collect();
                format!("{{{}}}", members.join(", "))
            }
        }
    }

    /// On one line when it is short, else each value on lines of its own. `depth` is that of the line
    /// on which it begins.
    fn laid_out(&self, depth: usize) -> String {
        let line = self.on_one_line();
        match self {
            _ if line.chars().count() <= MAX_LINE => line,
            Self::Line(_) => line,
            Self::List(values) => {
                let values = values.iter().map(|value| value.laid_out(depth + 1));
                lines("[", values, "]", depth)
            }
            Self::Object(members) => {
                let values = members.iter();
                let values = values.map(|(name, value)| member(name, &value.laid_out(depth + 1)));
                lines("{", values, "}", depth)
            }
        }
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

fn closed<T: ClosedSet>(value: Option<T>) -> Option<Value> {
    value.map(|value| Value::Line(text(value.as_str())))
}

fn string(value: Option<&String>) -> Option<Value> {
    value.map(|value| Value::Line(text(value)))
}

fn flag(value: Option<bool>) -> Option<Value> {
    value.map(|value| Value::Line(value.to_string()))
}

fn list(value: Option<&Vec<String>>) -> Option<Value> {
    value.map(|value| Value::of_texts(value))
}

impl FeatureChange {
    fn value(&self) -> Value {
        let from = self
            .meaning_from
            .map(|MeaningFrom::Source| Value::Line(text("source")));
        Value::of_members([
            ("level", closed(self.level)),
            ("channel", closed(self.channel)),
            ("resource", string(self.resource.as_ref())),
            ("renamedFrom", string(self.renamed_from.as_ref())),
            ("meaning", string(self.meaning.as_ref())),
            ("meaningFrom", from),
        ])
    }
}

impl ProfileChange {
    fn value(&self) -> Value {
        let some = |names: &'_ Vec<String>| (!names.is_empty()).then(|| Value::of_texts(names));
        Value::of_members([
            ("family", closed(self.family)),
            ("renamedFrom", string(self.renamed_from.as_ref())),
            ("reportName", string(self.report_name.as_ref())),
            ("core", list(self.core.as_ref())),
            ("coreAdded", some(&self.core_added)),
            ("coreRemoved", some(&self.core_removed)),
            ("extended", list(self.extended.as_ref())),
            ("extendedAdded", some(&self.extended_added)),
            ("extendedRemoved", some(&self.extended_removed)),
        ])
    }
}

impl TestChange {
    fn value(&self) -> Value {
        Value::of_members([
            ("features", list(self.features.as_ref())),
            ("provisional", flag(self.provisional)),
            ("parallel", flag(self.parallel)),
            ("renamedFrom", string(self.renamed_from.as_ref())),
        ])
    }
}

fn entries<T>(
    entries: &BTreeMap<String, Option<T>>,
    value: fn(&T) -> Value,
) -> Vec<(String, Value)> {
    let entries = entries
        .iter()
        .map(|(name, entry)| (name.clone(), entry.as_ref().map_or_else(Value::null, value)));
    entries.collect()
}

#[cfg(test)]
mod tests {
    use super::Document;
    use crate::release::load::embedded::EMBEDDED;

    #[test]
    fn our_files_are_laid_out_like_this() {
        let mut read = 0;
        for (name, text) in EMBEDDED.iter().filter(|(name, _)| name.starts_with('v')) {
            let document: Document = serde_json::from_str(text).unwrap();
            assert_eq!(document.text(), *text, "{name}");
            read += 1;
        }
        assert!(read >= 17, "{read}");
    }
}
