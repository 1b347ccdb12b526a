use super::{Kind, ResourceContext};
use crate::rules::Findings;
use gwconform_base::text::message::Message;

resource_rule! {
    "mesh_namespace.md", &[&[Kind::Mesh]], check, Text;
    Namespaced { object: Message } => "{object} has a namespace, but meshes are cluster-scoped",
    Remove => "remove `metadata.namespace`",
}

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for (_, object) in cx.living(&[Kind::Mesh]) {
        let metadata = object.at(&["metadata"]);
        if let Some(namespace) = metadata.and_then(|node| node.written("namespace")) {
            let text = Text::Namespaced {
                object: object.title(),
            };
            out.at(namespace.head(), text).help(Text::Remove);
        }
    }
}
