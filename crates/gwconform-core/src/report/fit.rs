//! Validates a report against the JSON Schema of its release.

mod schema_path;

use std::collections::BTreeMap;
use std::sync::OnceLock;

use jsonschema::error::ValidationErrorKind;
use jsonschema::json::Json;
use jsonschema::{Draft, Registry, ValidationError, Validator};
use serde_json::{Value, json};

use schema_path::{expected_type, known_fields, pointer_tokens};

use super::schema::of_type;
use super::view::{self, same_name};
use super::{ConformanceReport, legacy::LegacyReport};
use crate::api::Shape;
use crate::report::json::{JsonNode, YamlJson};
use crate::text::message::{Message, texts};
use crate::text::suggest;
use gwconform_yaml::{Kind, NodeId, Yaml};

/// How much of a document there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// All of it.
    Whole,
    /// What precedes the place where reading stopped.
    BrokenOff,
}

/// The JSON Schema of a report of a shape, as a value: 2020-12, keys sorted.
pub fn of_shape(shape: Shape) -> Value {
    match shape {
        Shape::Legacy => of_type::<LegacyReport>("report-legacy"),
        Shape::Current => of_type::<ConformanceReport>("report"),
    }
}

/// One thing that the schema refuses in a report, at the key or value it is about.
#[derive(Debug, Clone, PartialEq)]
pub struct SchemaViolation {
    /// The node to point at.
    pub node: NodeId,
    /// The node that it is about: the value, or the object that lacks a field.
    pub about: NodeId,
    /// Where that is, in a form people read: `profiles[0].core.statistics`; empty for the root.
    pub path: String,
    /// What is wrong.
    pub problem: Problem,
}

texts! {
    /// The texts of [`Problem::Other`].
    pub(crate) enum Text<'a> {
        TooLarge { number: &'a str, limit: Message } => "{number} is more than {limit}, the most that the suite can count",
        TooSmall { number: &'a str, limit: Message } => "{number} is less than {limit}",
    }
}

/// What the schema can refuse.
#[derive(Debug, Clone, PartialEq)]
pub enum Problem {
    /// An unknown field; `meant` is the field of that object that may be intended.
    UnknownField {
        /// The field as written.
        name: String,
        /// A known field that is spelled nearly so.
        meant: Option<String>,
    },
    /// A known field in another case, which Go's decoder reads all the same.
    FieldCase {
        /// The field as written.
        name: String,
        /// The field as the suite writes it.
        expected: String,
        /// The key of the same field, in another case, of the same object.
        beside: Option<NodeId>,
    },
    /// Results one level too deep, under `status`: another serializer writes them so.
    BelowStatus,
    /// A field that is not there.
    MissingField {
        /// Its name.
        name: String,
    },
    /// A value of another type.
    WrongType {
        /// What the schema asks for: `string`, `array`, …
        expected: String,
        /// What is there: `null`, `number`, …
        found: &'static str,
        /// The text of a scalar as written.
        text: Option<String>,
    },
    /// A value that is none of those allowed.
    NotAllowed {
        /// The value as written.
        found: String,
        /// The values that are.
        allowed: Vec<String>,
    },
    /// An empty text or list.
    Empty,
    /// Anything else.
    Other {
        /// What it is.
        problem: Message,
    },
}

/// Validates the document at `root` against the schema of a shape. The order is the schema's, not
/// the file's. Of a document that ended early, what may be after the break is not missed; an
/// alias, whatever it refers to, is reported by the YAML rules.
pub fn validate(
    shape: Shape,
    extent: Extent,
    yaml: &Yaml<'_>,
    root: NodeId,
) -> Vec<SchemaViolation> {
    let mut violations = refused(shape, extent, yaml, root);
    // To JSON Schema 3.0 and 1e2 are whole numbers; to Go's decoder, and to the view, they are not. To
    // other readers 037 is 31.
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
    violations
}

/// What the schema refuses.
fn refused(shape: Shape, extent: Extent, yaml: &Yaml<'_>, root: NodeId) -> Vec<SchemaViolation> {
    let schema = schema_of(shape);
    // Values that JSON cannot express are rare; only then a copy of the report is made.
    let copy;
    let errors = if yaml.is_plain_json() {
        let node = JsonNode::new(yaml, root);
        let Some(validator) = validator_for_nodes(shape) else {
            return Vec::new();
        };
        if validator.is_valid(node) {
            return Vec::new();
        }
        validator.iter_errors(node)
    } else {
        copy = yaml.to_json(root);
        let Some(validator) = validator_for_values(shape) else {
            return Vec::new();
        };
        validator.iter_errors(&copy)
    };
    errors
        .filter(|error| !is_beside_the_point(extent, yaml, root, error))
        .flat_map(|error| violations(yaml, root, schema, &error))
        .collect()
}

/// True for what follows from another finding: an alias is read as null, and what ended early lacks
/// its end.
fn is_beside_the_point(
    extent: Extent,
    yaml: &Yaml<'_>,
    root: NodeId,
    error: &ValidationError<'_>,
) -> bool {
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

/// One of each shape, made once.
type OfShapes<T> = [OnceLock<T>; 2];

fn of_shapes<T>(cells: &'static OfShapes<T>, shape: Shape) -> &'static OnceLock<T> {
    match shape {
        Shape::Legacy => &cells[0],
        Shape::Current => &cells[1],
    }
}

fn schema_of(shape: Shape) -> &'static Value {
    static CELLS: OfShapes<Value> = [const { OnceLock::new() }; 2];
    of_shapes(&CELLS, shape).get_or_init(|| of_shape(shape))
}

/// The validator of reports as they are. `None` cannot happen while the tests pass.
fn validator_for_nodes(shape: Shape) -> Option<&'static Validator<YamlJson>> {
    static CELLS: OfShapes<Option<Validator<YamlJson>>> = [const { OnceLock::new() }; 2];
    let cell = of_shapes(&CELLS, shape);
    cell.get_or_init(|| compiled(shape)).as_ref()
}

/// The validator of copies as JSON. `None` cannot happen while the tests pass.
fn validator_for_values(shape: Shape) -> Option<&'static Validator> {
    static CELLS: OfShapes<Option<Validator>> = [const { OnceLock::new() }; 2];
    let cell = of_shapes(&CELLS, shape);
    cell.get_or_init(|| compiled(shape)).as_ref()
}

/// The validator of a schema. What is compiled is always checked against the schema of schemas first, and
/// to compile that of 2020-12 costs more than a report; so only a reference is compiled as such, in a draft
/// whose schema is small. A test checks our schemas.
fn compiled<F: Json>(shape: Shape) -> Option<Validator<F>> {
    const ADDRESS: &str = "urn:gwconform:schema";
    let schema = Draft::Draft202012.create_resource_ref(schema_of(shape));
    let registry = Registry::new().add(ADDRESS, schema).ok()?.prepare().ok()?;
    let options = jsonschema::options_for::<F>().with_draft(Draft::Draft4);
    let options = options.with_registry(&registry);
    options.build(&json!({ "$ref": ADDRESS })).ok()
}

/// The path by which the schema is evaluated, without the step into it (see [`compiled`]).
fn evaluation_path<'e>(error: &'e ValidationError<'_>) -> &'e str {
    let path = error.evaluation_path().as_str();
    path.strip_prefix("/$ref").unwrap_or(path)
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
            let known = known_fields(schema, evaluation_path(error));
            // Of equal keys the last one stays.
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
                // The view finds it there; the unknown field `status` is reported.
                return Vec::new();
            }
            let known = known_fields(schema, evaluation_path(error));
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
                // The field under that key is already named as unknown or in the wrong case.
                return Vec::new();
            }
            one(yaml.head(node), Problem::MissingField { name })
        }
        ValidationErrorKind::Type { .. } => one(
            match yaml.kind(node) {
                Kind::Map(_) | Kind::Seq(_) => yaml.head(node),
                // A written null, `~`, has a place of its own; an implicit one has only its key.
                _ if yaml.span(node).is_empty() => yaml.head(node),
                _ => node,
            },
            Problem::WrongType {
                expected: expected_type(schema, evaluation_path(error)),
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
        _ => one(
            node,
            Problem::Other {
                problem: Message::code(error),
            },
        ),
    }
}

/// True for the path of `core` or `extended`.
fn is_level(path: &str) -> bool {
    path.ends_with(".core") || path.ends_with(".extended")
}

/// True when a level has a field one level too deep, under `status`.
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
            beside: beside(yaml, object, name),
        },
        None => Problem::UnknownField {
            name: name.to_owned(),
            meant: meant_field(name, known),
        },
    }
}

/// The key of an object that is a name but for its case; of several the one that Go takes.
fn beside(yaml: &Yaml<'_>, object: NodeId, name: &str) -> Option<NodeId> {
    let keys = yaml.entries(object).iter().map(|entry| entry.key);
    let named = keys.filter_map(|key| Some((yaml.text(key)?, key)));
    let others = named.filter(|(key, _)| *key != name && same_name(key, name));
    others.max_by_key(|(key, _)| *key).map(|(_, key)| key)
}

/// The known field that an unknown one is meant to be: what an editor pasted in angle brackets does
/// not count, `profileReports` is the suite's first name of `profiles`, else the nearest spelling.
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

/// JSON's name of a node's type; a mapping is an `object`.
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
    /// The last field name on the path: `result` of `profiles[0].core.result`, `contact` of
    /// `implementation.contact[0]`.
    pub fn field(&self) -> &str {
        let last = self.path.rsplit('.').next().unwrap_or_default();
        last.split('[').next().unwrap_or_default()
    }
}
