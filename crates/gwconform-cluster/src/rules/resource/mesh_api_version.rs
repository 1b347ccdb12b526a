use super::{Kind, ResourceContext};
use crate::X_GROUP;
use crate::rules::Findings;

resource_rule! {
    "mesh_api_version.md", &[&[Kind::Mesh]], check, Text;
    StandardXMesh => "unknown kind `XMesh` in group `gateway.networking.k8s.io`; expected `Mesh`",
    ExperimentalMesh => "unknown kind `Mesh` in group `gateway.networking.x-k8s.io`; expected `XMesh`",
    Write => "write `XMesh` with `apiVersion: gateway.networking.x-k8s.io/v1alpha1` until the standard channel includes `Mesh`",
}

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for (_, object) in cx.living(&[Kind::Mesh]) {
        let text = match (object.group == X_GROUP, object.kind_name) {
            (true, "Mesh") => Text::ExperimentalMesh,
            (false, "XMesh") => Text::StandardXMesh,
            _ => continue,
        };
        if let Some(api_version) = object.root.text_at("apiVersion") {
            out.at(api_version.place(), text).help(Text::Write);
        }
    }
}
