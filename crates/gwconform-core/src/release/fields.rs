//! Fields of the API in any release, from `schema/registry/fields.json`, which `.ci/fields.py`
//! generates.

use std::collections::BTreeMap;

use serde::Deserialize;

/// Fields below `spec`, by kind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct Fields(pub BTreeMap<String, Field>);

/// Content of a field. Lists have the content of their items.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Field {
    /// Allowed values.
    Values(Vec<Scalar>),
    /// Fields of a mapping.
    Fields(BTreeMap<String, Field>),
    /// Any content.
    Any,
}

/// Allowed value.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Scalar {
    /// Value such as `CORS`.
    Text(String),
    /// Value such as `308`.
    Number(i64),
}

impl Scalar {
    /// The value as text.
    pub fn text(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Number(number) => number.to_string(),
        }
    }
}
