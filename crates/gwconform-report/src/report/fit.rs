//! Validates a report against the JSON Schema of its release.

mod origin;
mod schema_path;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use jsonschema::error::ValidationErrorKind;
use jsonschema::{ValidationError, Validator};
use serde_json::Value;

use schema_path::{expected_type, known_fields, pointer_tokens};

use super::view::{self, same_name};
use gwconform_base::api::Shape;
use gwconform_base::text::message::{Message, texts};
use gwconform_base::text::suggest;
use gwconform_schema::{REPORT, REPORT_LEGACY};
use gwconform_yaml::{Kind, NodeId, Yaml};

/// Whether a document is complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Complete document.
    Whole,
    /// Truncated document.
    BrokenOff,
}

/// Violation of the JSON Schema.
#[derive(Debug, Clone, PartialEq)]
pub struct SchemaViolation {
    /// Node at which the finding is reported.
    pub node: NodeId,
    /// Node of the invalid value or incomplete object.
    pub about: NodeId,
    /// Path, such as `profiles[0].core.statistics`; empty for the root.
    pub path: String,
    /// Kind of violation, with details.
    pub problem: Problem,
}

texts! {
    pub(crate) enum Text<'a> {
        TooLarge { number: &'a str, limit: Message } => "{number} is more than {limit}, the most that the suite can count",
        TooSmall { number: &'a str, limit: Message } => "{number} is less than {limit}",
    }
}

/// Kind of schema violation.
#[derive(Debug, Clone, PartialEq)]
pub enum Problem {
    /// The schema does not define the field.
    UnknownField {
        /// Field name as written.
        name: String,
        /// Similar known field, if any.
        meant: Option<String>,
    },
    /// Known field in another case, which Go accepts.
    FieldCase {
        /// Field name as written.
        name: String,
        /// Field name as the suite writes it.
        expected: String,
        /// Key with the same name in another case.
        other_key: Option<NodeId>,
    },
    /// Another serializer nested the results under `status`.
    BelowStatus,
    /// Another YAML library wrote the names of the fields.
    OtherNames {
        /// Such names, those of Go fields first.
        names: Vec<String>,
    },
    /// The fields of the report are below another field, as in a Kubernetes object.
    Below {
        /// Name of the field around them.
        name: String,
    },
    /// A required field is missing.
    MissingField {
        /// Name of the field.
        name: String,
    },
    /// The value has the wrong type.
    WrongType {
        /// Type in the schema, such as `string`.
        expected: String,
        /// Type in the report, such as `null`.
        found: &'static str,
        /// Scalar as written; `None` for mappings and lists.
        text: Option<String>,
    },
    /// The value is not in a closed set.
    NotAllowed {
        /// Value as written.
        found: String,
        /// Allowed values.
        allowed: Vec<String>,
    },
    /// A text or list is empty.
    Empty,
    /// Another constraint is violated.
    Other {
        /// Description of the violation.
        problem: Message,
    },
}

/// Violations are in schema order.
///
/// Truncated documents have no missing fields. Aliases are ignored, because YAML rules report them.
pub fn validate(
    shape: Shape,
    extent: Extent,
    yaml: &Yaml<'_>,
    root: NodeId,
) -> Vec<SchemaViolation> {
    let mut violations = refused(shape, extent, yaml, root);
    // JSON Schema accepts `3.0` and `1e2` as integers, but Go's decoder does not. Some YAML parsers
    // read `037` as 31.
    for (node, path) in view::not_in_digits(yaml, root) {
        if !violations.iter().any(|violation| violation.node == node) {
            violations.push(SchemaViolation {
                node,
                about: node,
                path,
                problem: Problem::WrongType {
                    expected: "integer".to_owned(),
                    found: "number",
                    text: yaml.text(node).map(str::to_owned),
                },
            });
        }
    }
    // The validator reads keys in alphabetical order.
    violations.sort_by_key(|violation| violation.node);
    origin::named(yaml, root, violations)
}

fn refused(shape: Shape, extent: Extent, yaml: &Yaml<'_>, root: NodeId) -> Vec<SchemaViolation> {
    let value = yaml.to_json(root);
    let validator = of_shape(&VALIDATORS, shape).as_ref();
    let Some(validator) = validator.filter(|validator| !validator.is_valid(&value)) else {
        return Vec::new();
    };
    let schema = of_shape(&SCHEMAS, shape);
    validator
        .iter_errors(&value)
        .filter(|error| !is_artifact(extent, yaml, root, error))
        .flat_map(|error| violations(yaml, root, schema, &error))
        .collect()
}

/// True for violations caused by aliases, which are read as null, or by truncation.
fn is_artifact(extent: Extent, yaml: &Yaml<'_>, root: NodeId, error: &ValidationError<'_>) -> bool {
    if extent == Extent::BrokenOff && matches!(error.kind(), ValidationErrorKind::Required { .. }) {
        return true;
    }
    let tokens = pointer_tokens(error.instance_path().as_str());
    let node = yaml.at_pointer(root, tokens.iter().map(String::as_str));
    node.is_some_and(|node| match yaml.kind(node) {
        Kind::Alias => true,
        Kind::Null | Kind::Seq([]) => extent == Extent::BrokenOff && yaml.is_last(node),
        _ => false,
    })
}

type OfShapes<T> = [LazyLock<T>; 2];

fn of_shape<T>(of_shapes: &'static OfShapes<T>, shape: Shape) -> &'static T {
    &of_shapes[usize::from(shape == Shape::Current)]
}

static SCHEMAS: OfShapes<Value> = [
    LazyLock::new(|| serde_json::from_str(REPORT_LEGACY).unwrap_or_default()),
    LazyLock::new(|| serde_json::from_str(REPORT).unwrap_or_default()),
];

static VALIDATORS: OfShapes<Option<Validator>> = [
    LazyLock::new(|| compiled(Shape::Legacy)),
    LazyLock::new(|| compiled(Shape::Current)),
];

/// Compiles the schema as Draft 4, whose metaschema is smaller than that of 2020-12. The keywords
/// mean the same, except `format`. Options would compile the whole validator again in this crate.
fn compiled(shape: Shape) -> Option<Validator> {
    jsonschema::draft4::new(of_shape(&SCHEMAS, shape)).ok()
}

fn violations(
    yaml: &Yaml<'_>,
    root: NodeId,
    schema: &Value,
    error: &ValidationError<'_>,
) -> Vec<SchemaViolation> {
    let tokens = pointer_tokens(error.instance_path().as_str());
    let Some(node) = yaml.at_pointer(root, tokens.iter().map(String::as_str)) else {
        return Vec::new();
    };
    let path = readable_path(&tokens);
    let about = node;
    let one = |node, problem| {
        vec![SchemaViolation {
            node,
            about,
            path: path.clone(),
            problem,
        }]
    };
    match error.kind() {
        ValidationErrorKind::AdditionalProperties { unexpected } => {
            let known = known_fields(schema, error.evaluation_path().as_str());
            let entries = yaml.entries(node).iter();
            let keys: BTreeMap<&str, NodeId> = entries
                .filter_map(|entry| Some((yaml.text(entry.key)?, entry.key)))
                .collect();
            let of_field = |name: &String| {
                let key = *keys.get(name.as_str())?;
                Some(SchemaViolation {
                    node: key,
                    about: key,
                    path: path.clone(),
                    problem: if same_name(name, "status")
                        && is_level(&path)
                        && ["result", "statistics"]
                            .iter()
                            .any(|field| is_below_status(yaml, node, field))
                    {
                        Problem::BelowStatus
                    } else {
                        unknown_field(yaml, node, name, &known)
                    },
                })
            };
            unexpected.iter().filter_map(of_field).collect()
        }
        ValidationErrorKind::Required { property } => {
            let name = property.as_str().unwrap_or_default().to_owned();
            if is_level(&path) && is_below_status(yaml, node, &name) {
                return Vec::new();
            }
            let known = known_fields(schema, error.evaluation_path().as_str());
            let replaces = |key: &str| {
                same_name(key, &name)
                    || (!known.contains(&key.to_owned())
                        && meant_field(key, &known).as_deref() == Some(&name))
            };
            let keys = yaml
                .entries(node)
                .iter()
                .filter_map(|entry| yaml.text(entry.key));
            if keys.into_iter().any(replaces) {
                return Vec::new();
            }
            one(yaml.head(node), Problem::MissingField { name })
        }
        ValidationErrorKind::Type { .. } => one(
            match yaml.kind(node) {
                Kind::Map(_) | Kind::Seq(_) => yaml.head(node),
                // An implicit null has an empty span, so report its key.
                _ if yaml.span(node).is_empty() => yaml.head(node),
                _ => node,
            },
            Problem::WrongType {
                expected: expected_type(schema, error.evaluation_path().as_str()),
                found: type_name(&yaml.kind(node)),
                text: yaml.text(node).map(str::to_owned),
            },
        ),
        ValidationErrorKind::Enum { options } => one(
            node,
            Problem::NotAllowed {
                found: yaml
                    .text(node)
                    .unwrap_or(type_name(&yaml.kind(node)))
                    .to_owned(),
                allowed: options
                    .as_array()
                    .into_iter()
                    .flatten()
                    .filter_map(Value::as_str)
                    .map(str::to_owned)
                    .collect(),
            },
        ),
        ValidationErrorKind::MinLength { .. } | ValidationErrorKind::MinItems { .. } => {
            let shown = if yaml.span(node).is_empty() {
                yaml.head(node)
            } else {
                node
            };
            one(shown, Problem::Empty)
        }
        ValidationErrorKind::Maximum { limit } => one(
            node,
            Problem::Other {
                problem: Text::TooLarge {
                    number: yaml.text(node).unwrap_or_default(),
                    limit: Message::words(limit.to_string()),
                }
                .into(),
            },
        ),
        ValidationErrorKind::Minimum { limit } => one(
            node,
            Problem::Other {
                problem: Text::TooSmall {
                    number: yaml.text(node).unwrap_or_default(),
                    limit: Message::words(limit.to_string()),
                }
                .into(),
            },
        ),
        // An annotation in 2020-12.
        ValidationErrorKind::Format { .. } => Vec::new(),
        _ => one(
            node,
            Problem::Other {
                problem: Message::code(error),
            },
        ),
    }
}

fn is_level(path: &str) -> bool {
    path.ends_with(".core") || path.ends_with(".extended")
}

fn is_below_status(yaml: &Yaml<'_>, level: NodeId, field: &str) -> bool {
    let value = |object, name: &str| {
        let mut entries = yaml.entries(object).iter();
        let entry =
            entries.find(|entry| yaml.text(entry.key).is_some_and(|key| same_name(key, name)))?;
        Some(entry.value)
    };
    value(level, "status").is_some_and(|status| value(status, field).is_some())
}

fn unknown_field(yaml: &Yaml<'_>, object: NodeId, name: &str, known: &[String]) -> Problem {
    match known.iter().find(|field| same_name(field, name)) {
        Some(expected) => Problem::FieldCase {
            name: name.to_owned(),
            expected: expected.clone(),
            other_key: other_key(yaml, object, name),
        },
        None => Problem::UnknownField {
            name: name.to_owned(),
            meant: meant_field(name, known),
        },
    }
}

/// Go's decoder uses the last matching key in sorted order.
fn other_key(yaml: &Yaml<'_>, object: NodeId, name: &str) -> Option<NodeId> {
    let keys = yaml.entries(object).iter().map(|entry| entry.key);
    let named = keys.filter_map(|key| Some((yaml.text(key)?, key)));
    let others = named.filter(|(key, _)| *key != name && same_name(key, name));
    others.max_by_key(|(key, _)| *key).map(|(_, key)| key)
}

/// Editors paste `<…>` prefixes into names, and `profileReports` is the suite's first name for
/// `profiles`.
fn meant_field(name: &str, known: &[String]) -> Option<String> {
    let unpasted = match name.split_once('>') {
        Some((pasted, rest)) if pasted.starts_with('<') => rest,
        _ => name,
    };
    let bare = if unpasted == "profileReports" {
        "profiles"
    } else {
        unpasted
    };
    let exact = known.iter().find(|field| same_name(field, bare));
    exact
        .map(String::as_str)
        .or_else(|| suggest::nearest(bare, known.iter().map(String::as_str)))
        .map(str::to_owned)
}

fn readable_path(tokens: &[String]) -> String {
    let mut path = String::new();
    for token in tokens {
        if token.bytes().all(|byte| byte.is_ascii_digit()) {
            path.push_str(&format!("[{token}]"));
        } else {
            if !path.is_empty() {
                path.push('.');
            }
            path.push_str(token);
        }
    }
    path
}

fn type_name(kind: &Kind<'_>) -> &'static str {
    match kind {
        Kind::Null | Kind::Alias => "null",
        Kind::Bool(_) => "boolean",
        Kind::Int(_) | Kind::BigInt(_) => "integer",
        Kind::Float(_) => "number",
        Kind::Str(_) => "string",
        Kind::Seq(_) => "array",
        Kind::Map(_) => "object",
    }
}

impl SchemaViolation {
    /// Last field name, such as `result` in `profiles[0].core.result`.
    pub fn field(&self) -> &str {
        let last = self.path.rsplit('.').next().unwrap_or_default();
        last.split('[').next().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{SCHEMAS, VALIDATORS, ValidationErrorKind};

    fn pointers(value: &Value, at: &str, all: &mut Vec<String>) {
        all.push(at.to_owned());
        let object = value.as_object().into_iter().flatten();
        object.for_each(|(name, value)| pointers(value, &format!("{at}/{name}"), all));
        let array = value.as_array().into_iter().flatten().enumerate();
        array.for_each(|(item, value)| pointers(value, &format!("{at}/{item}"), all));
    }

    #[test]
    fn draft_4_refuses_what_2020_12_refuses() {
        let level = json!({
            "result": "partial",
            "statistics": { "Passed": 1, "Skipped": 0, "Failed": 1 },
            "failedTests": ["HTTPRouteHeaderMatching"],
        });
        let mut legacy_level = level.clone();
        legacy_level["summary"] = json!("Core tests failed");
        let legacy = json!({
            "apiVersion": "gateway.networking.k8s.io/v1alpha1",
            "kind": "ConformanceReport",
            "date": "2025-01-01T00:00:00Z",
            "gatewayAPIVersion": "v1.0.0",
            "implementation": {
                "organization": "acme",
                "project": "gateway",
                "url": "https://acme.example",
                "version": "v1.0.0",
                "contact": ["@acme/team"],
            },
            "profiles": [{ "name": "HTTP", "core": legacy_level, "extended": legacy_level }],
        });
        let mut current = legacy.clone();
        current["gatewayAPIChannel"] = json!("standard");
        current["mode"] = json!("default");
        current["succeededProvisionalTests"] = json!(["GatewayInfrastructure"]);
        let mut profile =
            json!({ "name": "HTTP", "summary": "", "core": level, "extended": level });
        profile["extended"]["supportedFeatures"] = json!(["HTTPRouteQueryParamMatching"]);
        current["profiles"] = json!([profile]);
        let values = [
            json!(null),
            json!(true),
            json!(-1),
            json!(1),
            json!(1.5),
            json!(1e30),
            json!(""),
            json!("text"),
            json!([]),
            json!([""]),
            json!({}),
            json!({ "other": 1 }),
        ];
        for (at, report) in [legacy, current].iter().enumerate() {
            let expected = jsonschema::draft202012::new(&SCHEMAS[at]).unwrap();
            let validator = VALIDATORS[at].as_ref().unwrap();
            assert!(validator.is_valid(report));
            let mut places = Vec::new();
            pointers(report, "", &mut places);
            for place in &places {
                for value in &values {
                    let mut report = report.clone();
                    *report.pointer_mut(place).unwrap() = value.clone();
                    let mut errors = validator.iter_errors(&report);
                    let is_refused = errors
                        .any(|error| !matches!(error.kind(), ValidationErrorKind::Format { .. }));
                    assert_eq!(is_refused, !expected.is_valid(&report), "{place}: {value}");
                }
            }
        }
    }
}
