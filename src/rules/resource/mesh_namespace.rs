//! `resource/mesh-namespace`: GEP-3949, "API"

use super::{Kind, ResourceContext};
use crate::rules::{Check, Findings, Rule};

/// The rule.
pub static RULE: Rule = Rule::error(
    "resource/mesh-namespace",
    include_str!("mesh_namespace.md"),
    Check::Resource(&[&[Kind::Mesh]], check),
);

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for (_, object) in cx.living(&[Kind::Mesh]) {
        let Some(namespace) = object
            .at(&["metadata"])
            .and_then(|node| node.written("namespace"))
        else {
            continue;
        };
        let message = format!("{} has a namespace; a mesh stands in none", object.title());
        out.at(namespace.head(), message)
            .help("remove metadata.namespace");
    }
}
