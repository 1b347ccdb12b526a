//! Fields of the API in any release, from `schema/registry/fields.json`, which
//! [`super::import::served`] generates.

use std::collections::{BTreeMap, BTreeSet};

use gwconform_yaml::Kind;
use serde::{Deserialize, Serialize};

use super::{Condition, End, Registry, Where, document};

/// Fields below `spec`, by kind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(transparent)]
pub struct Fields(pub BTreeMap<String, Field>);

/// Content of a field. Lists have the content of their items.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(untagged)]
pub enum Field {
    /// Allowed values.
    Values(BTreeSet<Scalar>),
    /// Fields of a mapping.
    Fields(BTreeMap<String, Field>),
    /// Any content.
    Any,
}

/// Allowed value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(untagged)]
pub enum Scalar {
    /// Value such as `CORS`.
    Text(String),
    /// Value such as `308`.
    Number(i64),
}

impl Scalar {
    pub(super) fn of(value: Kind<'_>) -> Option<Self> {
        match value {
            Kind::Str(text) => Some(Self::Text(text.to_owned())),
            Kind::Int(number) => Some(Self::Number(number)),
            _ => None,
        }
    }

    /// The value as text.
    pub fn text(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Number(number) => number.to_string(),
        }
    }
}

impl Fields {
    /// Adds a field such as `spec.rules[].name` with its allowed values, or none for any value.
    pub(super) fn add(&mut self, kind: &str, path: &str, values: &BTreeSet<Scalar>) {
        let none = || Field::Fields(BTreeMap::new());
        let mut field = self.0.entry(kind.to_owned()).or_insert_with(none);
        for name in path.replace("[]", "").split('.').skip(1) {
            if !matches!(field, Field::Fields(_)) {
                *field = none();
            }
            let Field::Fields(inner) = field else { return };
            field = inner.entry(name.to_owned()).or_insert(Field::Any);
        }
        match field {
            Field::Values(known) => known.extend(values.iter().cloned()),
            Field::Any if !values.is_empty() => *field = Field::Values(values.clone()),
            _ => {}
        }
    }

    /// Text of the file, with one line for each kind.
    pub fn text(&self) -> String {
        document::text(self, 1, usize::MAX)
    }

    /// Fields whose path ends with a text such as `timeouts.request` or `spec.rules[].retry`, in
    /// any case, by kind.
    fn named(&self, text: &str) -> Vec<(&str, String)> {
        let text = text.to_lowercase();
        let names = text.split('.').filter_map(|name| name.split('[').next());
        let names: Vec<&str> = names.filter(|name| !name.is_empty()).collect();
        let end = format!("/{}", names.join("/"));
        let mut found = Vec::new();
        for (kind, fields) in &self.0 {
            let mut left = vec![("spec".to_owned(), fields)];
            while let Some((path, field)) = left.pop() {
                if let Field::Fields(inner) = field {
                    let inner = inner.iter();
                    left.extend(inner.map(|(name, field)| (format!("{path}/{name}"), field)));
                }
                if format!("/{kind}/{path}").to_lowercase().ends_with(&end) {
                    found.push((kind.as_str(), path));
                }
            }
        }
        found
    }
}

impl Registry {
    /// Features of the fields that a text such as `timeouts.request` names, and the kinds in which
    /// such a field has no feature.
    pub fn features_of_field(&self, text: &str) -> (BTreeSet<&str>, BTreeSet<&str>) {
        let table = self.needs();
        let entries = table.features.iter().filter(|(_, entry)| !entry.is_apart);
        let features = entries.flat_map(|(name, entry)| {
            let places = [&entry.certain, &entry.perhaps, &entry.covers];
            places
                .into_iter()
                .flatten()
                .map(|place| (name.as_str(), place))
        });
        let features: Vec<(&str, &Where)> = features.collect();
        let uncovered = table.uncovered.iter().map(|one| &one.fields);
        let without = uncovered.chain(table.beyond.iter().map(|(_, fields)| fields));
        let without: Vec<&Where> = without.flatten().collect();
        let (mut found, mut kinds) = (BTreeSet::new(), BTreeSet::new());
        for (kind, path) in self.fields().named(text) {
            let nearest: Vec<(&str, usize)> = (features.iter())
                .filter_map(|(name, place)| Some((*name, nearness(place, kind, &path)?)))
                .collect();
            let best = nearest.iter().map(|(_, nearness)| *nearness).max();
            let without = without
                .iter()
                .filter_map(|place| outer(place, kind, &path))
                .max();
            // These fields refer to objects of other projects.
            let is_of_others = path.contains("/extensionRef") || path.contains("/parametersRef");
            if is_of_others || without >= best {
                kinds.insert(kind);
                continue;
            }
            let best = nearest
                .into_iter()
                .filter(|(_, nearness)| Some(*nearness) == best);
            found.extend(best.map(|(name, _)| name));
        }
        (found, kinds)
    }
}

/// Length of the part of `path` that the pattern has, or `None` if the pattern is not about it.
fn nearness(place: &Where, kind: &str, path: &str) -> Option<usize> {
    let last = place.pattern.steps.last()?;
    let is_of_namespace = |one: &Condition| matches!(one, Condition::OtherNamespace(_));
    if last.conditions.iter().any(is_of_namespace) {
        return None;
    }
    let is_part = is_of(place, kind) && is_below(&place.pattern.field(), path);
    is_part
        .then_some(path.len())
        .or_else(|| outer(place, kind, path))
}

/// Length of a pattern for all content of a field that is or contains `path`; 0 for its kind.
fn outer(place: &Where, kind: &str, path: &str) -> Option<usize> {
    let field = place.pattern.field();
    let last = place.pattern.steps.last()?;
    let is_whole = last.conditions.iter().all(|one| *one == Condition::Any)
        && !matches!(place.pattern.end, End::Is(_));
    match field.as_str() {
        _ if !is_of(place, kind) || !is_whole => None,
        "kind" => Some(0),
        field => is_below(path, field).then_some(field.len()),
    }
}

fn is_of(place: &Where, kind: &str) -> bool {
    place.kind == kind || place.kind == "Route" && kind.ends_with("Route")
}

fn is_below(inner: &str, outer: &str) -> bool {
    let rest = inner.strip_prefix(outer);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
