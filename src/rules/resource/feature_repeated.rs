//! `resource/feature-repeated`: the list is a map by name (GEP-3949, MeshStatus; the CRD of GatewayClass)

use std::collections::BTreeMap;

use super::{Kind, ResourceContext, feature_lists};
use crate::diagnostic::in_code;
use crate::rules::{Check, Findings, Rule};

/// The rule.
pub static RULE: Rule = Rule::error(
    "resource/feature-repeated",
    include_str!("feature_repeated.md"),
    Check::Resource(&[&[Kind::GatewayClass, Kind::Mesh]], check),
);

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for (object, list) in feature_lists(cx) {
        let mut seen = BTreeMap::new();
        for name in &list.names {
            let Some(first) = seen.insert(name.value, *name) else {
                continue;
            };
            let message = format!("{} lists `{}` twice", object.title(), in_code(&name.value));
            out.at(name.node.place(), message)
                .label(first.node.place(), "listed before");
        }
    }
}
