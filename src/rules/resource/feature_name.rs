//! `resource/feature-name`: GEP-2162, "Feature Names"

use super::{Kind, ResourceContext, feature_lists};
use crate::diagnostic::in_code;
use crate::registry;
use crate::rules::{Check, Findings, Rule};
use crate::suggest;

/// The rule.
pub static RULE: Rule = Rule::warning(
    "resource/feature-name",
    include_str!("feature_name.md"),
    Check::Resource(&[&[Kind::GatewayClass, Kind::Mesh]], check),
);

/// GEP-2162, "Feature Names".
const LONGEST: usize = 128;

/// The resources whose names features begin with.
const RESOURCES: &[&str] = &[
    "BackendTLSPolicy",
    "GRPCRoute",
    "Gateway",
    "GatewayClass",
    "HTTPRoute",
    "ListenerSet",
    "Mesh",
    "ReferenceGrant",
    "TCPRoute",
    "TLSRoute",
    "UDPRoute",
];

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for (_, list) in feature_lists(cx) {
        for name in &list.names {
            // What a release has is named as it is.
            if cx
                .registry
                .since(registry::Kind::Feature, name.value)
                .is_some()
            {
                continue;
            }
            if let Some(wrong) = fault(name.value) {
                let message = format!(
                    "`{}` is not named as features are: {wrong}",
                    in_code(&name.value)
                );
                out.at(name.node.place(), message);
            }
        }
    }
}

fn fault(name: &str) -> Option<String> {
    if name.chars().count() > LONGEST {
        return Some(format!("it is longer than {LONGEST} characters"));
    }
    if let Some(odd) = name.chars().find(|c| !c.is_ascii_alphanumeric()) {
        return Some(format!(
            "it may hold letters and digits only, and has `{}`",
            in_code(&odd.escape_debug())
        ));
    }
    if RESOURCES.iter().any(|resource| name.starts_with(resource)) {
        return None;
    }
    let folded = suggest::letters(name);
    let mut resources = RESOURCES.iter();
    let meant = resources.find(|resource| folded.starts_with(&resource.to_ascii_lowercase()));
    Some(match meant {
        Some(meant) => format!("the resource is spelled `{meant}`", meant = in_code(&meant)),
        None => "it begins with no resource of the Gateway API".to_owned(),
    })
}
