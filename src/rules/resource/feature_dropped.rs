//! `resource/feature-dropped`: what the conformance suite infers from GatewayClass and mesh

use super::{Kind, ResourceContext, feature_lists};
use crate::diagnostic::in_code;
use crate::registry;
use crate::rules::{Check, Findings, Rule};

/// The rule.
pub static RULE: Rule = Rule::warning(
    "resource/feature-dropped",
    include_str!("feature_dropped.md"),
    Check::Resource(&[&[Kind::GatewayClass, Kind::Mesh]], check),
);

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for (object, list) in feature_lists(cx) {
        let is_mesh = object.kind == Some(Kind::Mesh);
        for name in &list.names {
            let feature = cx.registry.feature(name.value);
            let resource =
                feature.and_then(|feature: &registry::Feature| feature.resource.as_deref());
            let is_of_mesh = resource == Some("Mesh") || name.value.starts_with("Mesh");
            let (whose, where_to) = match (is_mesh, resource) {
                (false, _) if is_of_mesh => {
                    ("of meshes", "in status.supportedFeatures of the mesh")
                }
                (true, Some("Gateway")) => (
                    "of Gateways",
                    "in status.supportedFeatures of the GatewayClass",
                ),
                _ => continue,
            };
            let message = format!(
                "`{}` is a feature {whose}; the conformance suite drops it from {}",
                in_code(&name.value),
                object.title()
            );
            out.at(name.node.place(), message)
                .help(format!("publish it {where_to}"));
        }
    }
}
