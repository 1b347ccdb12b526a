use super::{Kind, ResourceContext, feature_lists};
use crate::rules::Findings;
use gwconform_base::text::message::Message;

resource_rule! {
    "feature_dropped.md", &[&[Kind::GatewayClass, Kind::Mesh]], check, Text<'a>;
    OfMeshes { name: &'a str, object: Message } => "{name} is a feature of meshes; the conformance suite drops it from {object}",
    OfGateways { name: &'a str, object: Message } => "{name} is a feature of Gateways; the conformance suite drops it from {object}",
    MoveToMesh => "list it in `status.supportedFeatures` of the mesh",
    MoveToClass => "list it in `status.supportedFeatures` of the GatewayClass",
}

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for (object, list) in feature_lists(cx) {
        let is_mesh = object.kind == Some(Kind::Mesh);
        for entry in &list.names {
            let name = entry.value;
            let feature = cx.registry.feature(name);
            let resource = feature.and_then(|feature| feature.resource.as_deref());
            let is_of_mesh = resource == Some("Mesh") || name.starts_with("Mesh");
            let title = || object.title();
            let (text, help) = match (is_mesh, resource) {
                (false, _) if is_of_mesh => {
                    let object = title();
                    (Text::OfMeshes { name, object }, Text::MoveToMesh)
                }
                (true, Some("Gateway")) => {
                    let object = title();
                    (Text::OfGateways { name, object }, Text::MoveToClass)
                }
                _ => continue,
            };
            out.at(list.place(entry), text).help(help);
        }
    }
}
