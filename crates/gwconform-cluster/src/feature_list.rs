use super::node::{Node, Text};
use super::object::Object;
use gwconform_base::text::diagnostic::Anchor;

/// Features that an object lists as supported.
#[derive(Debug)]
pub struct FeatureList<'a> {
    /// Node of the feature list.
    pub node: Node<'a>,
    /// Names, written as strings (GEP-2162) or as `name: …` (since v1.2).
    pub names: Vec<Text<'a>>,
}

impl<'a> FeatureList<'a> {
    /// Returns `None` if the object has no list.
    pub fn try_new(object: &Object<'a>) -> Option<Self> {
        let node = object.at(&["status", "supportedFeatures"])?;
        let name = |item: Node<'a>| item.text_at("name").or_else(|| item.text());
        Some(Self {
            node,
            names: node.items().filter_map(name).collect(),
        })
    }

    /// Position of a feature name in the list.
    pub fn place(&self, name: &Text<'_>) -> Anchor {
        Anchor::new(
            name.node.place().place,
            self.node.subject().child(name.value),
        )
    }
}
