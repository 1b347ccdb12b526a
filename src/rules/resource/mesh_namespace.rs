//! `resource/mesh-namespace`

use super::{Kind, ResourceContext};
use crate::rules::{Check, Findings, Rule};
use crate::text::message::{Message, texts};

/// The rule.
pub static RULE: Rule = Rule::error(
    "resource/mesh-namespace",
    include_str!("mesh_namespace.md"),
    Check::Resource(&[&[Kind::Mesh]], check),
)
.sources(&["GEP-3949, API"])
.texts(&[Text::TEMPLATES]);

texts! {
    enum Text {
        Namespaced { object: Message } => "{object} has a namespace, but meshes are cluster-scoped",
        Remove => "remove `metadata.namespace`",
    }
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
