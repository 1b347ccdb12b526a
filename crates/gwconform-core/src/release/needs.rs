//! How manifests show which features they need: the data of `schema/registry/needs.json`.
//!
//! A pattern consists of field names with `/` between them and conditions in brackets:
//!
//! - `[]`: each item of a list
//! - `[type=CORS]`, `[kind!=Service]`: items with or without that value
//! - `[codes]`, `[!codes]`: items with or without a value for that field
//! - `[^namespace]`: items that name a namespace other than that of their object
//!
//! The last name may end with `=value` or `!=value`, or with `?` to include empty lists and
//! mappings.

use std::collections::{BTreeMap, BTreeSet};

use crate::api::closed_set;

closed_set! {
    /// How a manifest shows that it needs a feature.
    pub enum How {
        /// By a field, value or kind.
        Certain = "certain",
        /// Only fields that may require the feature.
        Perhaps = "perhaps",
        /// Not visible in any manifest.
        Never = "never",
        /// Another name for a feature.
        Alias = "alias",
    }
}

closed_set! {
    /// A condition over several values, implemented in code.
    pub enum Shape {
        /// Two mirrors in one rule.
        TwoMirrors = "two-mirrors",
        /// A TLS listener that terminates TLS, or a TLSRoute without its Gateway in the input.
        TlsTerminate = "tls-terminate",
        /// TLS listeners with both modes on one port.
        TlsMixed = "tls-mixed",
        /// Listeners on one port whose hostnames include each other.
        NestedHostnames = "nested-hostnames",
        /// Two HTTPS listeners on one port.
        HttpsOnOnePort = "https-on-one-port",
        /// An HTTPRoute backend with one of the values as `appProtocol` of its Service port.
        AppProtocol = "app-protocol",
    }
}

/// Fields of a kind that show a need.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Where {
    /// Kind; `Route` matches any route kind.
    pub kind: String,
    /// Pattern.
    pub pattern: Pattern,
}

/// A field pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// Source text.
    pub text: String,
    /// Field names.
    pub steps: Vec<Step>,
    /// Condition on the last value.
    pub end: End,
}

/// A field name in a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Field name.
    pub name: String,
    /// Conditions.
    pub conditions: Vec<Condition>,
}

/// A condition on a value or list item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// Always true.
    Any,
    /// The field has this text.
    Is(String, String),
    /// The field does not have this text.
    IsNot(String, String),
    /// The field has a value.
    Has(String),
    /// The field is missing or empty.
    Lacks(String),
    /// Names a namespace other than the object's, or any if the object has none.
    OtherNamespace(String),
}

/// The condition on the last value of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// Not empty.
    Filled,
    /// Not null.
    There,
    /// Equal to this text.
    Is(String),
    /// Different from this text.
    IsNot(String),
}

/// The entry of a feature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NeedEntry {
    /// How a manifest shows it.
    pub how: How,
    /// For an alias, the actual feature.
    pub of: Option<String>,
    /// For a mesh feature, its Gateway counterpart.
    pub mesh_of: Option<String>,
    /// Patterns that require the feature.
    pub certain: Vec<Where>,
    /// Patterns that may require the feature.
    pub perhaps: Vec<Where>,
    /// True for a feature that only the suite uses; listed separately.
    pub is_apart: bool,
    /// Shape that shows it.
    pub shape: Option<Shape>,
    /// Values of the shape.
    pub values: Vec<String>,
    /// Reason for an uncertain or invisible need, as a clause that follows the fields.
    pub because: Option<String>,
    /// Extended fields that it covers but that do not require it.
    pub covers: Vec<Where>,
}

/// An extended part of the API that no feature or test covers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UncoveredField {
    /// Display name.
    pub name: String,
    /// Locations.
    pub fields: Vec<Where>,
    /// True if only the experimental channel has it.
    pub is_experimental: bool,
}

/// Fields that refer to a kind of the API.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReferenceFields {
    /// Display name of the target: `parent`.
    pub name: String,
    /// Kinds in the API's groups and the core group; the first one is the default.
    pub kinds: Vec<String>,
    /// Locations.
    pub fields: Vec<Where>,
}

/// The contents of `needs.json`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NeedsTable {
    /// By feature.
    pub features: BTreeMap<String, NeedEntry>,
    /// By name.
    pub uncovered: Vec<UncoveredField>,
    /// Implementation-specific fields, by name.
    pub beyond: Vec<(String, Vec<Where>)>,
    /// References, by name.
    pub references: Vec<ReferenceFields>,
    mesh_names: BTreeMap<String, String>,
}

impl NeedsTable {
    /// Builds the table.
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

    /// Mesh counterpart of a feature.
    pub fn mesh_name(&self, feature: &str) -> Option<&str> {
        self.mesh_names.get(feature).map(String::as_str)
    }

    /// Resolves an alias.
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
    /// The syntax error.
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

    /// Field path without conditions: `spec/rules/filters/cors`.
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
