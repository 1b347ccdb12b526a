//! Tests the OpenAPI description of the data, and the page that documents the data.

use std::collections::{BTreeMap, BTreeSet};

use crate::site_elsewhere::BASE;
use crate::site_parts::split;
use crate::support::site::{Files, of_corpus, of_sample};
use regex::Regex;
use serde_json::{Value, json};

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
        let values = parameter["schema"]["examples"].as_array().unwrap().iter();
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
        for (path, item) in document["paths"].as_object().unwrap() {
            let operation = &item["get"];
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
                check_content(files, file, schema, &document["components"]);
            }
            assert!(
                unused.values().all(BTreeSet::is_empty),
                "{path}: {unused:?}"
            );
        }
        assert!(written.is_empty(), "not described: {written:?}");
    }
}

fn check_content(files: &Files, file: &str, content: &Value, components: &Value) {
    if file.ends_with(".csv") {
        assert!(content["text/csv"].is_object(), "{file}");
        return;
    }
    let schema = &content["application/json"]["schema"];
    let document: Value = serde_json::from_slice(&files[file]).unwrap();
    if schema["$ref"].is_null() {
        assert_eq!(schema["type"], "object", "{file}");
        return;
    }
    let name = file[FOLDER.len()..].split(['/', '.']).nth(1).unwrap();
    let reference = schema["$ref"].as_str().unwrap().to_lowercase();
    assert_eq!(reference, format!("#/components/schemas/{name}"));
    let schema = json!({ "$ref": schema["$ref"], "components": components });
    assert!(jsonschema::is_valid(&schema, &document), "{file}");
    let document = json!({ "version": 0 });
    assert!(!jsonschema::is_valid(&schema, &document), "{file}");
}

/// Generated clients have functions of these names, so they never change.
#[test]
fn operations_have_the_names_of_files() {
    let mut ids = BTreeSet::new();
    for files in [of_sample(&[]), split()] {
        let document = description(files);
        let paths = document["paths"].as_object().unwrap();
        let own = paths.iter().map(|(path, item)| {
            let id = item["get"]["operationId"].as_str().unwrap();
            format!("{id} {path}")
        });
        let own: Vec<String> = own.collect();
        let unique: BTreeSet<&str> = own.iter().filter_map(|id| id.split(' ').next()).collect();
        assert_eq!(unique.len(), own.len(), "{own:?}");
        ids.extend(own);
    }
    let ids: Vec<String> = ids.into_iter().collect();
    insta::assert_snapshot!(ids.join("\n"), @r"
    getChanges /changes.json
    getChangesCsv /changes.csv
    getChangesPart /changes/{part}.json
    getFeatures /features.json
    getFeaturesCsv /features.csv
    getFeaturesPart /features/{part}.json
    getFindings /findings.json
    getFindingsCsv /findings.csv
    getImplementations /implementations.json
    getImplementationsCsv /implementations.csv
    getImplementationsPart /implementations/{part}.json
    getIndex /index.json
    getMatrix /matrix/{minor}/{profile}.json
    getMatrixCsv /matrix/{minor}/{profile}.csv
    getMatrixPart /matrix/{minor}/{profile}/{part}.json
    getOpenapi /openapi.json
    getReports /reports.json
    getReportsCsv /reports.csv
    getReportsPart /reports/{part}.json
    getSchema /schema/{name}.schema.json
    getSupport /support.json
    ");
}

/// Generators declare one type for each component, and read no other file.
#[test]
fn components_are_the_types_of_the_schemas() {
    let document = description(of_sample(&[]));
    let text = document.to_string();
    let reference = Regex::new(r##""\$ref":"#/components/schemas/(\w+)""##).unwrap();
    let used = reference.captures_iter(&text);
    let used: BTreeSet<&str> = used.map(|found| found.extract::<1>().1[0]).collect();
    assert_eq!(
        text.matches("\"$ref\"").count(),
        reference.find_iter(&text).count()
    );
    let components = document["components"]["schemas"].as_object().unwrap();
    let names: BTreeSet<&str> = components.keys().map(String::as_str).collect();
    assert_eq!(used, names);
    let is_type = Regex::new("^([A-Z][a-z]+)+$").unwrap();
    assert!(names.iter().all(|name| is_type.is_match(name)), "{names:?}");
    for key in ["$defs", "$id", "$schema"] {
        assert!(!text.contains(&format!("\"{key}\":")), "{key}");
    }
    for (file, text) in gwconform_schema::API_SCHEMAS {
        let schema: Value = serde_json::from_str(text).unwrap();
        let is_root = |name: &&&str| name.to_lowercase() == *file;
        let root = &components[*names.iter().find(is_root).unwrap()];
        let properties = |schema: &Value| {
            let all = schema["properties"].as_object().unwrap().keys().cloned();
            all.collect::<Vec<_>>()
        };
        assert_eq!(root["title"], schema["title"]);
        assert_eq!(properties(root), properties(&schema));
        for (name, definition) in schema["$defs"].as_object().unwrap() {
            let own = &components[name];
            assert_eq!(
                own["description"], definition["description"],
                "{file}: {name}"
            );
        }
    }
}

#[test]
fn the_server_is_the_folder_of_the_description() {
    let servers = |files| {
        let document = description(files);
        let docs = document["externalDocs"]["url"].clone();
        [document["servers"][0]["url"].clone(), docs]
    };
    assert_eq!(servers(of_sample(&[])), [".", "../"]);
    let based = servers(of_sample(&["--base-url", BASE]));
    assert_eq!(based, [format!("{BASE}api/v1"), format!("{BASE}api/")]);
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
            is_table && !path.contains("/support/") && !path.contains("/features/")
        });
        for path in one_of_each {
            assert!(linked.contains(path), "{path} is not on the page");
        }
        assert!(page.contains("states no license"));
    }
}
