//! `resource/mesh-api-version`: GEP-3949, "API"

use super::{Kind, ResourceContext};
use crate::diagnostic::in_code;
use crate::resource::{GROUP, X_GROUP};
use crate::rules::{Check, Findings, Rule};

/// The rule.
pub static RULE: Rule = Rule::error(
    "resource/mesh-api-version",
    include_str!("mesh_api_version.md"),
    Check::Resource(&[&[Kind::Mesh]], check),
);

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for (_, object) in cx.living(&[Kind::Mesh]) {
        let kind = match object.group {
            X_GROUP => "XMesh",
            _ => "Mesh",
        };
        if object.kind_name == kind {
            continue;
        }
        let Some(api_version) = object.root.get("apiVersion") else {
            continue;
        };
        let message = format!(
            "there is no {} in the group {}; it has {kind}",
            object.kind_name, object.group
        );
        out.at(api_version.place(), message).help(format!(
            "write `{X_GROUP}/v1alpha1` for XMesh; Mesh will be in {GROUP}",
            X_GROUP = in_code(&X_GROUP)
        ));
    }
}
