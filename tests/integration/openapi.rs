//! Tests the OpenAPI description of the data, and the page that documents the data.

use std::collections::{BTreeMap, BTreeSet};

use crate::site_parts::split;
use crate::support::site::{Files, of_corpus, of_sample};
use regex::Regex;
use serde_json::Value;

const FOLDER: &str = "api/v1";

fn sites() -> impl Iterator<Item = &'static Files> {
    [Some(of_sample(&[])), of_corpus(&[])].into_iter().flatten()
}

fn description(files: &Files) -> Value {
    serde_json::from_slice(&files["api/v1/openapi.json"]).unwrap()
}

/// A path template as a regular expression, and the values of its parameters.
fn shape(path: &str, operation: &Value) -> (Regex, BTreeMap<String, BTreeSet<String>>) {
    let mut pattern = format!("^{FOLDER}{}$", path.replace('.', "\\."));
    let mut parameters = BTreeMap::new();
    for parameter in operation["parameters"].as_array().into_iter().flatten() {
        let name = parameter["name"].as_str().unwrap();
        assert_eq!(
            (&parameter["in"], &parameter["required"]),
            (&"path".into(), &true.into())
        );
        let values = parameter["schema"]["enum"].as_array().unwrap().iter();
        let values = values.map(|value| value.as_str().unwrap().to_owned());
        pattern = pattern.replace(&format!("{{{name}}}"), &format!("(?<{name}>[^/]+)"));
        parameters.insert(name.to_owned(), values.collect());
    }
    assert!(
        !pattern.contains('{'),
        "{path}: a parameter is not declared"
    );
    (Regex::new(&pattern).unwrap(), parameters)
}

#[test]
fn each_file_is_described_and_each_described_file_exists() {
    for files in sites().chain([split()]) {
        let document = description(files);
        assert_eq!(document["openapi"], "3.1.0");
        let mut written: BTreeSet<&String> = files
            .keys()
            .filter(|path| path.starts_with("api/v1/"))
            .collect();
        let mut ids = BTreeSet::new();
        for (path, item) in document["paths"].as_object().unwrap() {
            let operation = &item["get"];
            assert!(
                ids.insert(operation["operationId"].as_str().unwrap()),
                "{path}"
            );
            let (shape, mut unused) = shape(path, operation);
            let own: Vec<&String> = written
                .extract_if(.., |file| shape.is_match(file))
                .collect();
            assert!(!own.is_empty(), "{path}: no such file");
            let schema = &operation["responses"]["200"]["content"];
            for file in own {
                let found = shape.captures(file).unwrap();
                for (name, values) in &mut unused {
                    values.remove(&found[name.as_str()]);
                }
                check_content(files, file, schema);
            }
            assert!(
                unused.values().all(BTreeSet::is_empty),
                "{path}: {unused:?}"
            );
        }
        assert!(written.is_empty(), "not described: {written:?}");
    }
}

fn check_content(files: &Files, file: &str, content: &Value) {
    if file.ends_with(".csv") {
        assert!(content["text/csv"].is_object(), "{file}");
        return;
    }
    let schema = &content["application/json"]["schema"];
    let document: Value = serde_json::from_slice(&files[file]).unwrap();
    let Some(reference) = schema["$ref"].as_str() else {
        assert_eq!(schema["type"], "object", "{file}");
        return;
    };
    let schema = &files[&format!("{FOLDER}/{reference}")];
    let schema: Value = serde_json::from_slice(schema).unwrap();
    assert!(jsonschema::is_valid(&schema, &document), "{file}");
}

#[test]
fn the_page_names_only_files_that_exist() {
    let address = Regex::new(r"http://localhost:8000/([^\s|&)]+)").unwrap();
    let link = Regex::new(r#"href="\.\./(api/v1/[^"]+)""#).unwrap();
    for files in sites() {
        let page = String::from_utf8(files["api/index.html"].clone()).unwrap();
        let named: Vec<_> = address
            .captures_iter(&page)
            .map(|found| found[1].to_owned())
            .collect();
        assert_eq!(named.len(), 4, "{named:?}");
        for path in named {
            let path = path.trim_end_matches("\"").trim_end_matches("&#34;");
            assert!(files.contains_key(path), "{path}");
        }
        let linked: BTreeSet<_> = link
            .captures_iter(&page)
            .map(|found| found[1].to_owned())
            .collect();
        for path in &linked {
            assert!(files.contains_key(path), "{path}");
        }
        let one_of_each = files.keys().filter(|path| {
            let is_table = path.starts_with("api/v1/") && !path.contains("/matrix/");
            is_table && !path.contains("/support/")
        });
        for path in one_of_each {
            assert!(linked.contains(path), "{path} is not on the page");
        }
        assert!(page.contains("states no license"));
    }
}
