//! The OpenAPI description `openapi.json`. It is derived from the written files and their schemas.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::DataFile;
use crate::site::paths;
use crate::site::{File, Input};
use gwconform_report::document::GENERATOR;
use gwconform_report::rules::configuration::About;

/// Name of the description.
pub(in crate::site) const NAME: &str = "openapi.json";

/// Files that share a path template, such as `/matrix/{minor}/{profile}.json`.
#[derive(Default)]
struct Route {
    summary: String,
    description: String,
    schema: Value,
    /// Values of each parameter.
    parameters: BTreeMap<&'static str, BTreeSet<String>>,
}

/// Describes the data files, the schemas and the description itself.
pub(super) fn file(files: &[DataFile], input: &Input<'_>) -> File {
    let mut routes: BTreeMap<String, Route> = BTreeMap::new();
    for file in files {
        add(&mut routes, &file.path, || data_route(file));
    }
    let schemas = gwconform_schema::API_SCHEMAS.iter();
    let schemas =
        schemas.map(|(name, _)| (paths::schema_file(name), "JSON Schema of a data format"));
    let own = (paths::data_file(NAME), "This description");
    for (path, summary) in schemas.chain([own]) {
        add(&mut routes, &path, || Route {
            summary: summary.to_owned(),
            // Without additional properties, generators declare an object that is always empty.
            schema: json!({ "type": "object", "additionalProperties": true }),
            ..Route::default()
        });
    }
    let routes: Map<String, Value> = routes
        .into_iter()
        .map(|(path, route)| {
            let operation = operation(&path, route);
            (path, json!({ "get": operation }))
        })
        .collect();
    let url = |path: &str, relative: &str| {
        let base = input.base.map(|base| base.join(path));
        base.unwrap_or_else(|| relative.to_owned())
    };
    let mut document = json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Gateway API conformance data",
            "summary": "Conformance reports of Gateway API implementations, and the verdicts on them",
            "description": PROMISE,
            "version": format!("1 ({GENERATOR})"),
        },
        // Relative URLs are relative to the description.
        "servers": [{ "url": url(paths::DATA_FOLDER, "."), "description": "Static files" }],
        "externalDocs": { "url": url(paths::API_PAGE, "../"), "description": "Files, examples and license" },
        "security": [],
        "paths": routes,
        "components": { "schemas": components() },
    });
    if let Some(license) = license(&input.config.about) {
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

/// Where references find a schema.
const COMPONENTS: &str = "#/components/schemas/";

/// All schemas and the types that they define, by the name of the type.
fn components() -> Map<String, Value> {
    let mut components = Map::new();
    for (name, text) in gwconform_schema::API_SCHEMAS {
        let text = text.replace("#/$defs/", COMPONENTS);
        let Ok(Value::Object(mut schema)) = serde_json::from_str(&text) else {
            continue;
        };
        schema.retain(|key, _| !matches!(key.as_str(), "$schema" | "$id"));
        if let Some(Value::Object(types)) = schema.remove("$defs") {
            components.extend(types);
        }
        components.insert(pascal_case(name), schema.into());
    }
    components
}

/// `report-changes` as `ReportChanges`.
fn pascal_case(name: &str) -> String {
    let words = name.split('-').map(|word| {
        let (first, rest) = word.split_at_checked(1).unwrap_or_default();
        first.to_ascii_uppercase() + rest
    });
    words.collect()
}

/// Replaces the variable parts of a path with parameters.
fn add(routes: &mut BTreeMap<String, Route>, path: &str, route: impl FnOnce() -> Route) {
    let path = path.strip_prefix(paths::DATA_FOLDER).unwrap_or(path);
    let mut endings = [".schema.json", ".json", ".csv"].into_iter();
    let found = endings.find_map(|ending| Some((path.strip_suffix(ending)?, ending)));
    let (stem, ending) = found.unwrap_or((path, ""));
    let name = data_name(path);
    let names: &[&str] = match name {
        "matrix" => &["minor", "profile", "part"],
        "schema" => &["name"],
        _ => &["part"],
    };
    let values: Vec<_> = names.iter().zip(stem.split('/').skip(2)).collect();
    let variable = values.iter().map(|(name, _)| format!("/{{{name}}}"));
    let template = format!("/{name}{}{ending}", variable.collect::<String>());
    let known = routes.entry(template).or_insert_with(route);
    for (name, value) in values {
        let known = known.parameters.entry(name).or_default();
        known.insert(value.to_owned());
    }
}

/// A table has the schema of the JSON file with the same data.
fn data_route(file: &DataFile) -> Route {
    let name = data_name(&file.path);
    let Described { title, description } = described(name);
    if file.schema.is_none() {
        return Route {
            summary: format!("{title}, as a table"),
            description: format!("Columns: {}.", file.columns.join(", ")),
            schema: json!({ "type": "string" }),
            ..Route::default()
        };
    }
    Route {
        summary: title,
        description,
        schema: json!({ "$ref": format!("{COMPONENTS}{}", pascal_case(name)) }),
        ..Route::default()
    }
}

/// First name in a path or in its template, which is that of the schema: `matrix`.
fn data_name(path: &str) -> &str {
    let path = path.strip_prefix(paths::DATA_FOLDER).unwrap_or(path);
    path.split(['/', '.']).nth(1).unwrap_or_default()
}

/// Title and description of a schema.
#[derive(Default, Deserialize)]
pub(in crate::site) struct Described {
    pub(in crate::site) title: String,
    pub(in crate::site) description: String,
}

pub(in crate::site) fn described(schema: &str) -> Described {
    let mut schemas = gwconform_schema::API_SCHEMAS.iter();
    let found = schemas.find(|(name, _)| *name == schema);
    let described = found.and_then(|(_, text)| serde_json::from_str(text).ok());
    described.unwrap_or_default()
}

fn operation(path: &str, route: Route) -> Value {
    let is_table = path.ends_with(".csv");
    let (media_type, table) = if is_table {
        ("text/csv", "Csv")
    } else {
        ("application/json", "")
    };
    let part = if path.contains("{part}") { "Part" } else { "" };
    let content = json!({ (media_type): { "schema": route.schema } });
    let mut operation = json!({
        "operationId": format!("get{}{part}{table}", pascal_case(data_name(path))),
        "summary": route.summary,
        "responses": { "200": { "description": route.summary, "content": content } },
    });
    if route.parameters.len() > 1 {
        let missing = "No report has this combination; index.json lists the files that exist";
        operation["responses"]["404"] = json!({ "description": missing });
    }
    if !route.description.is_empty() {
        operation["description"] = route.description.into();
    }
    let mut parameters: Vec<_> = route.parameters.into_iter().collect();
    parameters.sort_by_key(|(name, _)| path.find(name));
    let parameters = parameters.into_iter().map(|(name, values)| {
        // New releases add values, so generators must not declare a closed set.
        let schema = json!({ "type": "string", "examples": values });
        json!({ "name": name, "in": "path", "required": true, "schema": schema })
    });
    operation["parameters"] = parameters.collect();
    operation
}
