//! `status.supportedFeatures` of GatewayClasses and meshes.

use super::node::{Node, Text};
use super::object::Object;
use crate::text::diagnostic::Anchor;

/// What an object lists as supported.
#[derive(Debug)]
pub struct FeatureList<'a> {
    /// The whole list.
    pub node: Node<'a>,
    /// The names, written as texts (GEP-2162) or as `name: …` (the API since v1.2).
    pub names: Vec<Text<'a>>,
}

impl<'a> FeatureList<'a> {
    /// The list of an object; `None` when there is none.
    pub fn try_new(object: &Object<'a>) -> Option<Self> {
        let node = object.at(&["status", "supportedFeatures"])?;
        let name = |item: Node<'a>| item.text_at("name").or_else(|| item.text());
        Some(Self {
            node,
            names: node.items().filter_map(name).collect(),
        })
    }

    /// The place of a name in it; its subject is the same for both ways of writing.
    pub fn place(&self, name: &Text<'_>) -> Anchor {
        Anchor::new(
            name.node.place().place,
            self.node.subject().child(name.value),
        )
    }
}
