//! What a manifest shows of the features it needs: `schema/registry/needs.json`, read.
//!
//! Where a feature is seen is a pattern: names with `/` between them, each with conditions in brackets.
//! `[]` stands for each item of a list; `[type=CORS]` for those with that value, `[kind!=Service]` for
//! those without it, `[codes]` and `[!codes]` for those with and without a value under a name, and
//! `[^namespace]` for those that name another namespace than their object's. The last name may end
//! with `=value` or `!=value`, and with `?` where an empty list or mapping counts.

use std::collections::{BTreeMap, BTreeSet};

use crate::api::closed_set;

closed_set! {
    /// How a manifest shows that it needs a feature.
    pub enum How {
        /// A field, a value or a kind shows it.
        Certain = "certain",
        /// A shape that may rely on it.
        Perhaps = "perhaps",
        /// No manifest shows it.
        Never = "never",
        /// Another name for a feature.
        Alias = "alias",
    }
}

closed_set! {
    /// A shape that is more than one value: the code has a function for each.
    pub enum Shape {
        /// Two mirrors in one rule.
        TwoMirrors = "two-mirrors",
        /// A listener of protocol TLS that terminates TLS, or a TLSRoute whose Gateway is not there.
        TlsTerminate = "tls-terminate",
        /// Listeners of protocol TLS in both modes on one port.
        TlsMixed = "tls-mixed",
        /// Listeners on one port, of which the hostname of one is within that of another.
        NestedHostnames = "nested-hostnames",
        /// Two HTTPS listeners on one port.
        HttpsOnOnePort = "https-on-one-port",
        /// A backend of an HTTPRoute is a port of a Service with one of the values as `appProtocol`.
        AppProtocol = "app-protocol",
    }
}

/// What shows that something is needed, at objects of a kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Where {
    /// The kind; `Route` is any kind of Route.
    pub kind: String,
    /// The pattern.
    pub pattern: Pattern,
}

/// A pattern of fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// As it is written.
    pub text: String,
    /// The names.
    pub steps: Vec<Step>,
    /// What the last value must be.
    pub end: End,
}

/// A name of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The name.
    pub name: String,
    /// Its conditions.
    pub conditions: Vec<Condition>,
}

/// What a value must have; of a list each item that has it is taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// Anything.
    Any,
    /// This text under this name.
    Is(String, String),
    /// Not this text under this name.
    IsNot(String, String),
    /// A value under a name.
    Has(String),
    /// No value under a name, or an empty one.
    Lacks(String),
    /// Another namespace under this name than the object's; any where the object names none.
    OtherNamespace(String),
}

/// What the last value of a pattern must be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// Not empty.
    Filled,
    /// Anything but null.
    There,
    /// This text.
    Is(String),
    /// Another text.
    IsNot(String),
}

/// The entry of a feature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NeedEntry {
    /// How a manifest shows it.
    pub how: How,
    /// Of an alias: the feature it stands for.
    pub of: Option<String>,
    /// Of a feature of meshes: the feature that it is there, where the parent is a Service.
    pub mesh_of: Option<String>,
    /// What shows that it is needed.
    pub certain: Vec<Where>,
    /// What may rely on it.
    pub perhaps: Vec<Where>,
    /// True for a convenience of the suite, which is listed apart: no implementation is asked for it.
    pub is_apart: bool,
    /// A shape that shows it, as [`NeedEntry::how`] has it.
    pub shape: Option<Shape>,
    /// The values of the shape.
    pub values: Vec<String>,
    /// Why it is perhaps needed, or never seen: a clause that goes on after the fields.
    pub because: Option<String>,
    /// Extended fields that it is about and that do not show it by themselves.
    pub covers: Vec<Where>,
}

/// Something that the API calls extended and that no feature covers: no test shows who has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UncoveredField {
    /// Its name for people.
    pub name: String,
    /// Where it is.
    pub fields: Vec<Where>,
    /// True where only the experimental channel has it.
    pub is_experimental: bool,
}

/// Fields that refer to a kind of the API. A reference to another kind is beyond it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReferenceFields {
    /// What they refer to, for people: `parent`.
    pub name: String,
    /// The kinds that the API has there, of its groups and the core group; first the one that a reference
    /// without a kind means.
    pub kinds: Vec<String>,
    /// Where they are.
    pub fields: Vec<Where>,
}

/// The table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NeedsTable {
    /// By feature.
    pub features: BTreeMap<String, NeedEntry>,
    /// By name.
    pub uncovered: Vec<UncoveredField>,
    /// What the API leaves to each implementation, by name.
    pub beyond: Vec<(String, Vec<Where>)>,
    /// References, by name.
    pub references: Vec<ReferenceFields>,
    /// By feature: the name of the same in a mesh.
    mesh_names: BTreeMap<String, String>,
}

impl NeedsTable {
    /// The table of its entries.
    ///
    /// # Errors
    /// A name that an entry refers to and that has none.
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

    /// The name that a feature has where the parent of a Route is a Service.
    pub fn mesh_name(&self, feature: &str) -> Option<&str> {
        self.mesh_names.get(feature).map(String::as_str)
    }

    /// The feature that a name stands for: itself, but for an alias.
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
    /// Reads a pattern.
    ///
    /// # Errors
    /// What is wrong with it.
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

    /// The names without conditions: `spec/rules/filters/cors`.
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
