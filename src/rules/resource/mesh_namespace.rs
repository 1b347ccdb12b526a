//! `resource/mesh-namespace`: GEP-3949, "API"

use super::{Kind, ResourceContext, rule};
use crate::diagnostic::Severity;
use crate::rules::{Findings, Rule};

/// The rule.
pub static RULE: Rule = rule(
    "resource/mesh-namespace",
    Severity::Error,
    include_str!("mesh_namespace.md"),
    &[&[Kind::Mesh]],
    check,
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
