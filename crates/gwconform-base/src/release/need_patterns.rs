//! Patterns from `schema/registry/needs.json`, which detect required features in manifests.
//!
//! A pattern consists of field names separated by `/`, and conditions in brackets:
//!
//! - `[]`: each item of a list
//! - `[type=CORS]`, `[kind!=Service]`: items with or without that value
//! - `[codes]`, `[!codes]`: items with or without a value for that field
//! - `[^namespace]`: items whose namespace differs from that of their object
//!
//! The last name may end with `=value`, `!=value`, or `?` to include empty lists and mappings.

use std::collections::{BTreeMap, BTreeSet};

use crate::api::closed_set;

closed_set! {
    /// Certainty that a feature is required.
    pub enum How {
        /// A field, value or kind requires the feature.
        Certain = "certain",
        /// A field may require the feature.
        Perhaps = "perhaps",
        /// No manifest shows that the feature is required.
        Never = "never",
        /// The name is an alias of another feature.
        Alias = "alias",
    }
}

closed_set! {
    /// Condition over several values, implemented in code.
    pub enum Shape {
        /// One HTTPRoute rule has two `RequestMirror` filters.
        TwoMirrors = "two-mirrors",
        /// A TLS listener terminates TLS, or a TLSRoute's Gateway is missing.
        TlsTerminate = "tls-terminate",
        /// A policy targets a rule of the Route by its name.
        TargetedRule = "targeted-rule",
        /// TLS listeners on one port use both Terminate and Passthrough.
        TlsMixed = "tls-mixed",
        /// A listener's hostname includes that of another listener on the same port.
        NestedHostnames = "nested-hostnames",
        /// Two HTTPS listeners share a port.
        HttpsOnOnePort = "https-on-one-port",
        /// An HTTPRoute backend is a Service port with one of these `appProtocol` values.
        AppProtocol = "app-protocol",
    }
}

/// Fields of a kind that require a feature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Where {
    /// Kind; `Route` matches any Route kind.
    pub kind: String,
    /// Pattern for the fields.
    pub pattern: Pattern,
}

/// Pattern for fields of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// Pattern as written in the file.
    pub text: String,
    /// Field names with their conditions.
    pub steps: Vec<Step>,
    /// Condition on the last value.
    pub end: End,
}

/// Field name in a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Field name, such as `filters`.
    pub name: String,
    /// Conditions in brackets, combined with AND.
    pub conditions: Vec<Condition>,
}

/// Condition on a field's value or list items.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// Always true; matches each item of a list (`[]`).
    Any,
    /// Field that has a certain text: name, text.
    Is(String, String),
    /// Field that does not have a certain text: name, text.
    IsNot(String, String),
    /// Field that has a value.
    Has(String),
    /// Field that is missing or empty.
    Lacks(String),
    /// Field with a namespace other than the object's, or with any namespace if the object sets no
    /// namespace.
    OtherNamespace(String),
}

/// Condition on the last value of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// The value is not empty.
    Filled,
    /// The value is not null.
    There,
    /// The value equals this text.
    Is(String),
    /// The value differs from this text.
    IsNot(String),
}

/// Entry of `needs.json` for one feature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NeedEntry {
    /// Certainty with which a manifest shows that the feature is required.
    pub how: How,
    /// Feature that an alias denotes; `None` for other entries.
    pub of: Option<String>,
    /// Gateway counterpart of a mesh feature.
    pub mesh_of: Option<String>,
    /// Patterns that require the feature.
    pub certain: Vec<Where>,
    /// Patterns that may require the feature.
    pub perhaps: Vec<Where>,
    /// Only the suite uses the feature, so it is listed separately.
    pub is_apart: bool,
    /// Condition over several values that requires the feature.
    pub shape: Option<Shape>,
    /// Values for [`Self::shape`], such as `kubernetes.io/h2c`.
    pub values: Vec<String>,
    /// Why the feature may not be required or visible, as a clause after the field names.
    pub because: Option<String>,
    /// Extended fields that do not require the feature.
    pub covers: Vec<Where>,
}

/// Extended part of the API that no feature or test covers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UncoveredField {
    /// Name, such as `filters of one backend`.
    pub name: String,
    /// Fields that belong to this part.
    pub fields: Vec<Where>,
    /// True if only the experimental channel has the fields.
    pub is_experimental: bool,
}

/// Fields that refer to a kind of the API.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReferenceFields {
    /// Name of the target for messages, such as `parent`.
    pub name: String,
    /// Kinds in the API's groups and the core group. The first kind is the default.
    pub kinds: Vec<String>,
    /// Fields that contain the reference.
    pub fields: Vec<Where>,
}

/// Content of `needs.json`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NeedsTable {
    /// Entries by feature name.
    pub features: BTreeMap<String, NeedEntry>,
    /// Uncovered fields, sorted by name.
    pub uncovered: Vec<UncoveredField>,
    /// Implementation-specific fields, sorted by name.
    pub beyond: Vec<(String, Vec<Where>)>,
    /// Reference fields, sorted by name.
    pub references: Vec<ReferenceFields>,
    mesh_names: BTreeMap<String, String>,
}

impl NeedsTable {
    /// Creates the table.
    ///
    /// # Errors
    /// If an entry refers to an undefined name.
    pub fn new(
        features: BTreeMap<String, NeedEntry>,
        uncovered: Vec<UncoveredField>,
        beyond: Vec<(String, Vec<Where>)>,
        references: Vec<ReferenceFields>,
    ) -> Result<Self, String> {
        let mut mesh_names = BTreeMap::new();
        for (name, entry) in &features {
            for other in entry.of.iter().chain(&entry.mesh_of) {
                if !features.contains_key(other) {
                    return Err(format!("`{name}` refers to `{other}`, which has no entry"));
                }
            }
            if let Some(plain) = &entry.mesh_of {
                mesh_names.insert(plain.clone(), name.clone());
            }
        }
        Ok(Self {
            features,
            uncovered,
            beyond,
            references,
            mesh_names,
        })
    }

    /// Name of a feature's mesh counterpart, if any.
    pub fn mesh_name(&self, feature: &str) -> Option<&str> {
        self.mesh_names.get(feature).map(String::as_str)
    }

    /// Feature of an alias, or the name itself.
    pub fn resolved<'t>(&'t self, name: &'t str) -> &'t str {
        let mut resolved = name;
        let mut seen = BTreeSet::new();
        while seen.insert(resolved)
            && let Some(NeedEntry {
                how: How::Alias,
                of: Some(of),
                ..
            }) = self.features.get(resolved)
        {
            resolved = of;
        }
        resolved
    }
}

impl Pattern {
    /// Parses a pattern.
    ///
    /// # Errors
    /// The reason for invalid syntax.
    pub fn parse(text: &str) -> Result<Self, String> {
        let wrong = |what: &str| format!("`{text}` is not a pattern of fields: {what}");
        let mut segments: Vec<&str> = text.split('/').collect();
        let last = segments.pop().unwrap_or_default();
        let (last, end) = end_of(last);
        segments.push(last);
        let mut steps = Vec::new();
        for segment in segments {
            let (name, conditions) = match segment.split_once('[') {
                None => (segment, Vec::new()),
                Some((name, rest)) => {
                    let rest = rest
                        .strip_suffix(']')
                        .ok_or_else(|| wrong("expected `]`"))?;
                    let conditions = rest.split("][").map(condition).collect();
                    (name, conditions)
                }
            };
            if name.is_empty() || name.contains([']', '=', '!']) {
                return Err(wrong("expected a name"));
            }
            steps.push(Step {
                name: name.to_owned(),
                conditions,
            });
        }
        Ok(Self {
            text: text.to_owned(),
            steps,
            end,
        })
    }

    /// Field path without conditions, such as `spec/rules/filters/cors`.
    pub fn field(&self) -> String {
        let names: Vec<_> = self.steps.iter().map(|step| step.name.as_str()).collect();
        names.join("/")
    }
}

fn end_of(last: &str) -> (&str, End) {
    let inside = last.rfind(']').map_or(0, |at| at + 1);
    let rest = last.get(inside..).unwrap_or_default();
    if let Some((before, value)) = rest.split_once("!=") {
        return (&last[..inside + before.len()], End::IsNot(value.to_owned()));
    }
    if let Some((before, value)) = rest.split_once('=') {
        return (&last[..inside + before.len()], End::Is(value.to_owned()));
    }
    match last.strip_suffix('?') {
        Some(name) => (name, End::There),
        None => (last, End::Filled),
    }
}

fn condition(text: &str) -> Condition {
    if text.is_empty() {
        Condition::Any
    } else if let Some((name, value)) = text.split_once("!=") {
        Condition::IsNot(name.to_owned(), value.to_owned())
    } else if let Some((name, value)) = text.split_once('=') {
        Condition::Is(name.to_owned(), value.to_owned())
    } else if let Some(name) = text.strip_prefix('!') {
        Condition::Lacks(name.to_owned())
    } else if let Some(name) = text.strip_prefix('^') {
        Condition::OtherNamespace(name.to_owned())
    } else {
        Condition::Has(text.to_owned())
    }
}
