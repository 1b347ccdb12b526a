//! The condition types of the API, as data: `schema/resources/conditions.json`.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::Deserialize;

use crate::api::closed_set;

closed_set! {
    /// A condition's status.
    pub enum Value {
        /// It holds.
        True = "True",
        /// It does not hold.
        False = "False",
        /// That has not been decided.
        Unknown = "Unknown",
    }
}

/// What a set of conditions describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
pub enum StatusKind {
    /// `GatewayClass.status`
    GatewayClass,
    /// `Gateway.status`
    Gateway,
    /// An item of `Gateway.status.listeners`.
    Listener,
    /// `ListenerSet.status`
    ListenerSet,
    /// An item of `ListenerSet.status.listeners`.
    ListenerEntry,
    /// An item of a Route's `status.parents`.
    Route,
    /// An item of a policy's `status.ancestors`.
    Policy,
    /// An item of the `status.ancestors` of a policy that the Gateway API does not define (GEP-713).
    AnyPolicy,
    /// An item of an InferencePool's `status.parents`.
    InferencePool,
    /// `XMesh.status`
    Mesh,
}

/// A condition type of a status.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct ConditionType {
    /// There once a controller has reconciled the object (GEP-1364, "Should conditions always be
    /// added?").
    #[serde(default)]
    pub required: bool,
    /// An error condition (GEP-1364, "Condition polarity").
    #[serde(default)]
    pub negative: bool,
    /// The condition that took its place (GEP-1364, "New and Updated Conditions").
    #[serde(default)]
    pub retired: Option<String>,
    /// The reasons that the API names for a value; without one where it names none.
    #[serde(flatten)]
    reasons: BTreeMap<Value, Vec<String>>,
}

impl ConditionType {
    /// The reasons that the API names for a value; `None` when it names none.
    pub fn reasons(&self, value: Value) -> Option<&[String]> {
        self.reasons.get(&value).map(Vec::as_slice)
    }
}

type Types = BTreeMap<String, ConditionType>;

#[derive(Debug, Default, Deserialize)]
struct Table {
    conditions: BTreeMap<StatusKind, Types>,
}

fn table() -> &'static Table {
    static READ: OnceLock<Table> = OnceLock::new();
    // The file is our own; a test reads it.
    READ.get_or_init(|| serde_json::from_str(gwconform_schema::CONDITIONS).unwrap_or_default())
}

/// The condition types of a status, by name.
pub fn types(of: StatusKind) -> &'static BTreeMap<String, ConditionType> {
    static NONE: Types = BTreeMap::new();
    table().conditions.get(&of).unwrap_or(&NONE)
}

/// The statuses in which the API has a condition type, and a reason for it to be True.
pub fn homes(name: &str) -> Vec<StatusKind> {
    let all = table().conditions.iter();
    let has = |types: &Types| {
        types
            .get(name)
            .is_some_and(|found| found.reasons(Value::True).is_some())
    };
    all.filter(|(_, types)| has(types))
        .map(|(subject, _)| *subject)
        .collect()
}

/// The values for which the API names a reason of a type.
pub fn named_value(found: &ConditionType, reason: &str) -> Vec<Value> {
    let values = Value::ALL.iter().copied();
    let names = |value: &Value| {
        let reasons = found.reasons(*value).unwrap_or_default();
        reasons.iter().any(|named| named == reason)
    };
    values.filter(names).collect()
}

impl StatusKind {
    /// True where the types and reasons are those of the Gateway API; others define their own.
    pub fn is_defined(self) -> bool {
        !matches!(self, Self::AnyPolicy | Self::InferencePool)
    }

    /// `a Gateway`, `a listener`.
    pub fn as_words(self) -> &'static str {
        match self {
            Self::GatewayClass => "a GatewayClass",
            Self::Gateway => "a Gateway",
            Self::Listener => "a listener",
            Self::ListenerSet => "a ListenerSet",
            Self::ListenerEntry => "a ListenerSet's listener",
            Self::Route => "a Route",
            Self::Policy | Self::AnyPolicy => "a policy",
            Self::InferencePool => "an InferencePool",
            Self::Mesh => "a mesh",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{StatusKind, Table, Value, homes, named_value, types};

    #[test]
    fn the_table_is_read() {
        let read: Table = serde_json::from_str(gwconform_schema::CONDITIONS).expect("the table");
        assert_eq!(read.conditions.len(), 10);
        assert!(types(StatusKind::Route)["Accepted"].required);
        assert!(!types(StatusKind::Route).contains_key("Programmed"));
        assert_eq!(
            types(StatusKind::Listener)["Detached"].retired.as_deref(),
            Some("Accepted")
        );
        assert_eq!(
            homes("Conflicted"),
            [StatusKind::Listener, StatusKind::ListenerEntry]
        );
        assert_eq!(homes("Detached"), []);
        let accepted = &types(StatusKind::Gateway)["Accepted"];
        assert_eq!(
            named_value(accepted, "ListenersNotValid"),
            [Value::True, Value::False]
        );
    }
}
