//! Condition types of the API, from `schema/resources/conditions.json`.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::Deserialize;

use gwconform_base::api::closed_set;

closed_set! {
    /// Value of a condition's `status` field.
    pub enum Value {
        /// The condition applies.
        True = "True",
        /// The condition does not apply.
        False = "False",
        /// The controller has not decided yet.
        Unknown = "Unknown",
    }
}

/// Location of a set of conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
pub enum StatusKind {
    /// `GatewayClass.status`
    GatewayClass,
    /// `Gateway.status`
    Gateway,
    /// Item in `Gateway.status.listeners`.
    Listener,
    /// `ListenerSet.status`
    ListenerSet,
    /// Item in `ListenerSet.status.listeners`.
    ListenerEntry,
    /// Item in `status.parents` of a Route.
    Route,
    /// Item in `status.ancestors` of a policy.
    Policy,
    /// Item in `status.ancestors` of a third-party policy (GEP-713).
    AnyPolicy,
    /// Item in `status.parents` of an InferencePool.
    InferencePool,
    /// `XMesh.status`
    Mesh,
}

/// Condition type that a status can contain.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct ConditionType {
    /// Controllers set the condition during reconciliation (GEP-1364, "Should conditions always be
    /// added?").
    #[serde(default)]
    pub required: bool,
    /// The value True indicates an error (GEP-1364, "Condition polarity").
    #[serde(default)]
    pub negative: bool,
    /// Replacement of a retired type (GEP-1364, "New and Updated Conditions").
    #[serde(default)]
    pub retired: Option<String>,
    #[serde(flatten)]
    reasons: BTreeMap<Value, Vec<String>>,
}

impl ConditionType {
    /// Reasons that the API defines for a condition value.
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
    READ.get_or_init(|| serde_json::from_str(gwconform_schema::CONDITIONS).unwrap_or_default())
}

/// Condition types that a status can contain, by name.
pub fn types(of: StatusKind) -> &'static BTreeMap<String, ConditionType> {
    static NONE: Types = BTreeMap::new();
    table().conditions.get(&of).unwrap_or(&NONE)
}

/// Statuses for which the API defines the condition type with reasons for True.
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

/// Values for which the API defines this reason.
pub(crate) fn named_value(found: &ConditionType, reason: &str) -> Vec<Value> {
    let values = Value::ALL.iter().copied();
    let names = |value: &Value| {
        let reasons = found.reasons(*value).unwrap_or_default();
        reasons.iter().any(|named| named == reason)
    };
    values.filter(names).collect()
}

impl StatusKind {
    /// Whether Gateway API defines the condition types.
    pub(crate) fn is_defined(self) -> bool {
        !matches!(self, Self::AnyPolicy | Self::InferencePool)
    }

    /// Noun phrase for messages, such as `a Gateway`.
    pub(crate) fn as_words(self) -> &'static str {
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
    fn reads_the_table_of_conditions() {
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
