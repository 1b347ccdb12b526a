//! Tests the parts of large data files, with a small limit.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use serde_json::Value;

use crate::support::site::{Files, of_tree};

/// Size in bytes from which the files of these tests are split.
const MAX_JSON: usize = 20_000;

/// Site of the sample tree whose data files are split.
pub fn split() -> &'static Files {
    static SITE: OnceLock<Files> = OnceLock::new();
    SITE.get_or_init(|| of_tree(|input| gwconform::site::files_up_to(input, MAX_JSON)))
}

fn whole() -> &'static Files {
    static SITE: OnceLock<Files> = OnceLock::new();
    SITE.get_or_init(|| of_tree(gwconform::site::files))
}

fn json(files: &Files, path: &str) -> Value {
    let bytes = files.get(path).unwrap_or_else(|| panic!("no {path}"));
    serde_json::from_slice(bytes).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn list<'v>(document: &'v Value, name: &str) -> &'v [Value] {
    let list = document[name].as_array();
    list.unwrap_or_else(|| panic!("no {name}"))
}

/// Name of the list of a document that can be split, such as `reports`.
fn list_of(path: &str) -> Option<&str> {
    let name = path.strip_prefix("api/v1/")?.strip_suffix(".json")?;
    match name {
        "reports" | "implementations" | "features" | "findings" | "changes" => Some(name),
        name => name.starts_with("matrix/").then_some("reports"),
    }
}

/// Items of all parts.
fn items(files: &Files, document: &Value, name: &str) -> Vec<Value> {
    let parts = list(document, "parts").iter();
    let parts = parts.map(|part| json(files, part.as_str().unwrap()));
    parts.flat_map(|part| list(&part, name).to_vec()).collect()
}

#[test]
fn the_parts_of_a_file_are_listed_and_complete() {
    let index = json(split(), "api/v1/index.json");
    let listed = list(&index, "files").iter();
    let mut listed: BTreeSet<&str> = listed.map(|file| file["path"].as_str().unwrap()).collect();
    let mut is_split = BTreeSet::new();
    for (path, bytes) in whole() {
        let Some(name) = list_of(path) else {
            continue;
        };
        let (one, index) = (json(whole(), path), json(split(), path));
        if index.get("parts").is_none() {
            // The items of a list are counted without their document.
            assert!(
                bytes.len() < MAX_JSON + 2_000,
                "{path}: {} bytes",
                bytes.len()
            );
            assert_eq!(bytes, &split()[path], "{path}");
            continue;
        }
        is_split.insert(path.split('/').nth(2).unwrap());
        assert!(list(&index, "parts").len() > 1, "{path}");
        assert!(list(&index, name).is_empty(), "{path}");
        assert_eq!(items(split(), &index, name), list(&one, name), "{path}");
        for (key, value) in one.as_object().unwrap() {
            let is_same = &index[key] == value || key == name || path.contains("/matrix/");
            assert!(is_same, "{path}: {key}");
        }
        for part in list(&index, "parts") {
            let part = part.as_str().unwrap();
            assert!(listed.remove(part), "{part} is not in index.json");
            let is_small = split()[part].len() < MAX_JSON + 2_000;
            assert!(
                is_small || list(&json(split(), part), name).len() == 1,
                "{part}"
            );
        }
    }
    for name in [
        "reports.json",
        "implementations.json",
        "features.json",
        "changes.json",
        "matrix",
    ] {
        assert!(is_split.contains(name), "{name} is not split: {is_split:?}");
    }
}

#[test]
fn the_parts_of_a_matrix_have_all_cells() {
    for path in whole()
        .keys()
        .filter(|path| path.contains("api/v1/matrix/"))
    {
        if !path.ends_with(".json") || json(split(), path).get("parts").is_none() {
            continue;
        }
        let (one, index) = (json(whole(), path), json(split(), path));
        assert_eq!(one["totals"], index["totals"], "{path}");
        let parts = list(&index, "parts").iter();
        let parts: Vec<_> = parts
            .map(|part| json(split(), part.as_str().unwrap()))
            .collect();
        for (at, row) in list(&one, "features").iter().enumerate() {
            let own = &list(&index, "features")[at];
            assert_eq!(own["feature"], row["feature"], "{path}");
            assert_eq!(own["totals"], row["totals"], "{path}");
            assert!(list(own, "cells").is_empty(), "{path}");
            let rows = parts.iter().map(|part| &list(part, "features")[at]);
            let cells: Vec<_> = rows
                .clone()
                .flat_map(|row| list(row, "cells"))
                .cloned()
                .collect();
            assert_eq!(cells, list(row, "cells"), "{path}");
            let proved = rows.map(|row| row["totals"]["proved"].as_u64().unwrap());
            assert_eq!(row["totals"]["proved"], proved.sum::<u64>(), "{path}");
        }
    }
}

#[test]
fn the_page_explains_parts_only_if_there_are_any() {
    let page = |files: &Files| String::from_utf8(files["api/index.html"].clone()).unwrap();
    assert!(page(split()).contains("lists its <code>parts</code>"));
    assert!(page(split()).contains("/features/[1-"));
    assert!(!page(whole()).contains("<code>parts</code>"));
    let tables = |files: &'static Files| files.iter().filter(|(path, _)| path.ends_with(".csv"));
    assert!(tables(split()).eq(tables(whole())), "tables are not split");
}
