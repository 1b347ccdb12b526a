//! Laws of the names in JSON documents: equal things have equal names, types and casing in all
//! schemas, and every field is described.

use std::collections::{BTreeMap, BTreeSet};

use crate::support::folder::Folder;
use gwconform_report::document::GENERATOR;
use gwconform_schema::{API_SCHEMAS, SCHEMAS};
use serde_json::Value;

/// Schemas of files that people write, and of formats that others define.
const NOT_OURS: [&str; 6] = [
    "baseline",
    "config",
    "export-wizard",
    "report",
    "report-legacy",
    "statement",
];

/// Plurals, and the key in an entry.
const THINGS: [(&str, &str); 9] = [
    ("families", "family"),
    ("features", "feature"),
    ("implementations", "implementation"),
    ("minors", "minor"),
    ("profiles", "profile"),
    ("releases", "release"),
    ("reports", "report"),
    ("rules", "rule"),
    ("tests", "test"),
];

/// Fields whose value names which fields an object has, so that each object has its own values.
const DISCRIMINATORS: [&str; 1] = ["kind"];

struct Field {
    /// Such as `certify#Verdict.standing`.
    place: String,
    name: String,
    schema: Value,
    /// True if all fields of the object are integers, or objects of integers.
    is_count: bool,
}

fn schemas() -> impl Iterator<Item = (String, Value)> {
    let own = |(name, _): &&(&str, &str)| !NOT_OURS.contains(name);
    let api = API_SCHEMAS
        .iter()
        .map(|(name, text)| (format!("api/{name}"), text));
    let all = SCHEMAS
        .iter()
        .filter(own)
        .map(|(name, text)| ((*name).to_owned(), text));
    let all = all.chain(api);
    all.map(|(name, text)| (name, serde_json::from_str(text).unwrap()))
}

fn properties(schema: &Value) -> impl Iterator<Item = (&String, &Value)> {
    schema["properties"].as_object().into_iter().flatten()
}

/// Calls `see` with each schema below `schema`, and its place.
fn walk<'s>(schema: &'s Value, place: &str, see: &mut dyn FnMut(&str, &'s Value)) {
    see(place, schema);
    for (name, part) in properties(schema) {
        walk(part, &format!("{place}.{name}"), see);
    }
    for (name, part) in schema["$defs"].as_object().into_iter().flatten() {
        walk(part, &format!("{place}#{name}"), see);
    }
    for key in ["anyOf", "oneOf", "allOf"] {
        for part in schema[key].as_array().into_iter().flatten() {
            walk(part, place, see);
        }
    }
    for key in ["items", "additionalProperties"] {
        if schema[key].is_object() {
            walk(&schema[key], place, see);
        }
    }
}

fn is_count(schema: &Value, whole: &Value) -> bool {
    let mut all = properties(schema).peekable();
    all.peek().is_some()
        && all.all(|(_, part)| {
            let part = resolved(part, whole);
            part["type"] == "integer" || is_count(part, whole)
        })
}

/// The schema, or the one that it refers to. Null is no part of it.
fn resolved<'s>(schema: &'s Value, whole: &'s Value) -> &'s Value {
    if let Some(name) = schema["$ref"].as_str() {
        return whole.pointer(name.trim_start_matches('#')).unwrap();
    }
    let parts = schema["anyOf"].as_array();
    let mut parts = parts.into_iter().flatten();
    let some = parts.find(|part| part["type"] != "null");
    some.map_or(schema, |part| resolved(part, whole))
}

fn fields() -> Vec<Field> {
    let mut fields = Vec::new();
    for (name, schema) in schemas() {
        walk(&schema, &name, &mut |place, part| {
            let is_count = is_count(part, &schema);
            fields.extend(properties(part).map(|(name, schema)| Field {
                place: format!("{place}.{name}"),
                name: name.clone(),
                schema: schema.clone(),
                is_count,
            }));
        });
    }
    fields
}

/// Type without null and without the values of a closed set: `string`, `[string]`, `Verdict`.
fn type_of(schema: &Value, whole: &Value) -> String {
    let part = resolved(schema, whole);
    let kind = match &part["type"] {
        Value::Array(kinds) => kinds.iter().find(|kind| **kind != "null").unwrap(),
        kind => kind,
    };
    match kind.as_str().unwrap_or_else(|| panic!("no type: {part}")) {
        // Entries are keys or objects.
        "array" => {
            let item = type_of(&part["items"], whole);
            let is_key = item == "string" || item.contains('{');
            format!("[{}]", if is_key { "entry" } else { &item })
        }
        "object" if part["additionalProperties"].is_object() => {
            let item = type_of(&part["additionalProperties"], whole);
            if item.contains('{') {
                "[entry]".to_owned()
            } else {
                format!("map of {item}")
            }
        }
        "object" => format!("{{{}}}", names(part).join(" ")),
        kind => kind.to_owned(),
    }
}

fn names(schema: &Value) -> Vec<&str> {
    properties(schema).map(|(name, _)| name.as_str()).collect()
}

fn is_snake(name: &str) -> bool {
    name.chars()
        .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

#[test]
fn every_field_of_every_schema_is_described() {
    let mut bare = Vec::new();
    let api = API_SCHEMAS.iter();
    for (name, text) in SCHEMAS.iter().chain(api) {
        let schema: Value = serde_json::from_str(text).unwrap();
        walk(&schema, name, &mut |place, part| {
            let parts = properties(part);
            bare.extend(
                parts
                    .filter(|(_, field)| field["description"].as_str().is_none_or(str::is_empty))
                    .map(|(field, _)| format!("{place}.{field}")),
            );
        });
    }
    assert_eq!(bare, [""; 0]);
}

#[test]
fn every_document_starts_alike() {
    let mut starts = BTreeSet::new();
    for (name, schema) in schemas() {
        let start = ["version", "generator", "data", "tree"].map(|field| {
            let required = schema["required"].as_array().unwrap();
            assert!(required.contains(&field.into()), "{name}: {field}");
            schema["properties"][field].to_string()
        });
        assert_eq!(schema["properties"]["version"]["const"], 1, "{name}");
        starts.insert((start, schema["$defs"]["Data"].to_string()));
    }
    assert_eq!(starts.len(), 1);
}

#[test]
fn types_of_one_name_are_one_type() {
    let mut known: BTreeMap<String, (String, Value)> = BTreeMap::new();
    let mut by_fields: BTreeMap<Vec<String>, BTreeSet<String>> = BTreeMap::new();
    for (document, schema) in schemas() {
        for (name, part) in schema["$defs"].as_object().into_iter().flatten() {
            let (first, other) = known
                .entry(name.clone())
                .or_insert_with(|| (document.clone(), part.clone()));
            assert_eq!(other, part, "{name} in {first} and in {document}");
            let fields: Vec<String> = names(part).into_iter().map(str::to_owned).collect();
            let values = part["enum"].as_array().into_iter().flatten();
            let values = values.map(|value| value.to_string());
            by_fields
                .entry(fields.into_iter().chain(values).collect())
                .or_default()
                .insert(name.clone());
        }
    }
    let twins: Vec<_> = by_fields.values().filter(|names| names.len() > 1).collect();
    assert!(twins.is_empty(), "one type with several names: {twins:?}");
}

#[test]
fn equal_names_have_equal_types_and_casing() {
    let mut types: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    let mut sets: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    for (document, schema) in schemas() {
        walk(&schema, &document, &mut |place, part| {
            if is_count(part, &schema) {
                return;
            }
            for (name, field) in properties(part) {
                let place = format!("{place}.{name}");
                if is_count(resolved(field, &schema), &schema) {
                    continue;
                }
                assert!(is_snake(name), "{place}");
                assert!(
                    !name.starts_with("is_") && !name.starts_with("has_"),
                    "{place}"
                );
                let of_name = types.entry(name.clone()).or_default();
                of_name
                    .entry(type_of(field, &schema))
                    .or_insert_with(|| place.clone());
                let values = resolved(field, &schema)["enum"].as_array();
                for value in values.into_iter().flatten().filter_map(Value::as_str) {
                    let is_kebab = |c: char| c.is_ascii_lowercase() || c == '-';
                    assert!(value.chars().all(is_kebab), "{place}: {value}");
                }
                if let Some(name_of_set) = field["$ref"].as_str()
                    && values.is_some()
                    && !DISCRIMINATORS.contains(&name.as_str())
                {
                    let of_set = sets.entry(name.clone()).or_default();
                    of_set.insert(name_of_set.to_owned(), place);
                }
            }
        });
    }
    let all = types.into_iter().chain(sets);
    let several: BTreeMap<_, _> = all.filter(|(_, types)| types.len() > 1).collect();
    assert!(several.is_empty(), "{several:#?}");
}

#[test]
fn a_plural_is_a_list_of_keys_or_of_objects_with_the_key() {
    let mut wrong = Vec::new();
    for (document, schema) in schemas() {
        walk(&schema, &document, &mut |place, part| {
            if is_count(part, &schema) {
                return;
            }
            for (plural, key) in THINGS {
                let field = resolved(&part["properties"][plural], &schema);
                if field.is_null() || !field["additionalProperties"].is_null() {
                    continue;
                }
                let item = resolved(&field["items"], &schema);
                if item["type"] != "string" && item["properties"][key].is_null() {
                    wrong.push(format!("{place}.{plural}"));
                }
            }
        });
    }
    assert_eq!(wrong, [""; 0]);
}

/// A number of things is in an object of numbers, or its name ends with `_count`.
#[test]
fn a_number_has_the_name_of_a_number() {
    let things: BTreeSet<&str> = THINGS.iter().map(|(plural, _)| *plural).collect();
    for Field {
        place,
        name,
        schema,
        is_count,
    } in fields()
    {
        let is_number = schema["type"] == "integer";
        assert!(
            !is_number || is_count || !things.contains(name.as_str()),
            "{place}"
        );
    }
}

#[test]
fn the_version_states_the_data_as_documents_do() {
    let folder = Folder::with_tree();
    let released = folder.json("releases")["data"].take();
    let main = folder.json("outlook --unreleased");
    let printed = folder.run("--version").stdout;
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(lines[0], GENERATOR);
    assert_eq!(lines.len(), 2, "{printed}");
    let data = &main["data"];
    for fact in [&released["newest_release"], &data["commit"], &data["date"]] {
        assert!(
            lines[1].contains(fact.as_str().unwrap()),
            "{printed}: {fact}"
        );
    }
}
