//! The OpenAPI description `openapi.json`. It is derived from the written files and their schemas.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::DataFile;
use crate::VERSION;
use crate::site::paths;
use crate::site::{File, Input};
use gwconform_report::rules::configuration::About;

/// Name of the description.
pub(in crate::site) const NAME: &str = "openapi.json";

/// Files that share a path template, such as `/matrix/{minor}/{profile}.json`.
struct Route {
    summary: String,
    description: String,
    media_type: &'static str,
    schema: Value,
    /// Values of each parameter.
    parameters: BTreeMap<&'static str, BTreeSet<String>>,
}

/// Describes the data files, the schemas and the description itself.
pub(super) fn file(files: &[DataFile], input: &Input<'_>) -> File {
    let mut routes: BTreeMap<String, Route> = BTreeMap::new();
    let stem = |file: &DataFile| file.path.rsplit_once('.').map(|(stem, _)| stem.to_owned());
    let schemas = files
        .iter()
        .filter_map(|file| Some((stem(file)?, file.schema?)));
    let schemas: BTreeMap<String, &str> = schemas.collect();
    for file in files {
        let schema = stem(file).and_then(|stem| schemas.get(&stem).copied());
        add(
            &mut routes,
            &file.path,
            data_route(file, schema.unwrap_or_default()),
        );
    }
    for (name, _) in gwconform_schema::API_SCHEMAS {
        let route = json_route(
            "JSON Schema of a data format",
            "",
            json!({"type": "object"}),
        );
        add(&mut routes, &paths::schema_file(name), route);
    }
    let own = json_route("This description", "", json!({"type": "object"}));
    add(&mut routes, &paths::data_file(NAME), own);
    let routes: Map<String, Value> = routes
        .into_iter()
        .map(|(path, route)| {
            let operation = operation(&path, route);
            (path, json!({ "get": operation }))
        })
        .collect();
    let mut document = json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Gateway API conformance data",
            "summary": "Conformance reports of Gateway API implementations, and the verdicts on them",
            "description": PROMISE,
            "version": format!("1 (gwconform {VERSION})"),
        },
        "servers": [{"url": server(input), "description": "Static files"}],
        "paths": routes,
    });
    if let Some(license) = input.about.and_then(license) {
        document["info"]["license"] = license;
    }
    super::json(NAME.trim_end_matches(".json"), &document)
}

fn license(about: &About) -> Option<Value> {
    let mut license = json!({ "name": about.license.as_ref()?.get_ref() });
    if let Some(url) = &about.license_url {
        license["url"] = url.get_ref().as_str().into();
    }
    Some(license)
}

const PROMISE: &str = "All paths are static files. They need no key and have no limits. Later versions only add \
    fields, so ignore fields that you do not know. A change of meaning requires a new folder, `api/v2`.";

/// A relative URL is relative to the description.
fn server(input: &Input<'_>) -> String {
    let base = input.base.map(|base| base.join(paths::DATA_FOLDER));
    base.unwrap_or_else(|| ".".to_owned())
}

fn add(routes: &mut BTreeMap<String, Route>, path: &str, route: Route) {
    let (path, parameters) = template(path);
    let known = routes.entry(path).or_insert(route);
    for (name, value) in parameters {
        known.parameters.entry(name).or_default().insert(value);
    }
}

/// Replaces the variable parts of a path with parameters.
fn template(path: &str) -> (String, Vec<(&'static str, String)>) {
    let path = path
        .strip_prefix(paths::DATA_FOLDER)
        .unwrap_or(path)
        .trim_start_matches('/');
    let (stem, extension) = path.rsplit_once('.').unwrap_or((path, ""));
    let parts: Vec<&str> = stem.split('/').collect();
    match parts[..] {
        ["matrix", minor, profile] => (
            format!("/matrix/{{minor}}/{{profile}}.{extension}"),
            vec![("minor", minor.to_owned()), ("profile", profile.to_owned())],
        ),
        ["matrix", minor, profile, part] => (
            format!("/matrix/{{minor}}/{{profile}}/{{part}}.{extension}"),
            vec![
                ("minor", minor.to_owned()),
                ("profile", profile.to_owned()),
                ("part", part.to_owned()),
            ],
        ),
        ["schema", name] => (
            "/schema/{name}.schema.json".to_owned(),
            vec![("name", name.trim_end_matches(".schema").to_owned())],
        ),
        [name, part] => (
            format!("/{name}/{{part}}.{extension}"),
            vec![("part", part.to_owned())],
        ),
        _ => (format!("/{path}"), Vec::new()),
    }
}

/// `schema` is that of the file, or that of the JSON file with the same data as a table.
fn data_route(file: &DataFile, schema: &str) -> Route {
    let (title, description) = described(schema);
    if file.schema.is_none() {
        return Route {
            summary: format!("{title}, as a table"),
            description: format!("Columns: {}.", file.columns.join(", ")),
            media_type: "text/csv",
            schema: json!({"type": "string"}),
            parameters: BTreeMap::new(),
        };
    }
    let reference = format!("schema/{schema}.schema.json");
    json_route(&title, &description, json!({ "$ref": reference }))
}

fn json_route(summary: &str, description: &str, schema: Value) -> Route {
    Route {
        summary: summary.to_owned(),
        description: description.to_owned(),
        media_type: "application/json",
        schema,
        parameters: BTreeMap::new(),
    }
}

/// Title and description of a schema.
pub(in crate::site) fn described(schema: &str) -> (String, String) {
    let mut schemas = gwconform_schema::API_SCHEMAS.iter();
    let found = schemas.find(|(name, _)| *name == schema);
    let parsed: Option<Value> = found.and_then(|(_, text)| serde_json::from_str(text).ok());
    let text = |key: &str| {
        let value = parsed.as_ref().and_then(|parsed| parsed.get(key)?.as_str());
        value.unwrap_or_default().to_owned()
    };
    (text("title"), text("description"))
}

fn operation(path: &str, route: Route) -> Value {
    let mut responses = Map::new();
    let content = json!({ (route.media_type): { "schema": route.schema } });
    let found = json!({ "description": route.summary, "content": content });
    responses.insert("200".to_owned(), found);
    if route.parameters.len() > 1 {
        let missing = "No report has this combination; index.json lists the files that exist";
        responses.insert("404".to_owned(), json!({ "description": missing }));
    }
    let words = path.split(|c: char| !c.is_ascii_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let mut operation = json!({
        "operationId": words.join("_"),
        "summary": route.summary,
        "responses": responses,
    });
    if !route.description.is_empty() {
        operation["description"] = route.description.into();
    }
    let parameters: Vec<Value> = route
        .parameters
        .into_iter()
        .map(|(name, values)| {
            let schema = json!({ "type": "string", "enum": values });
            json!({ "name": name, "in": "path", "required": true, "schema": schema })
        })
        .collect();
    if !parameters.is_empty() {
        operation["parameters"] = parameters.into();
    }
    operation
}
