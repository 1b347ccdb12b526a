//! The name of a node, independent of its line: the names on the way to it.

use std::borrow::Cow;

use super::{Data, NodeId, Yaml};
use crate::source::Digest;

/// How many entries of a mapping are looked at for its name.
const MAX_NEAR: usize = 64;

/// How much of a name is part of a path, in bytes.
const MAX_NAME: usize = 320;

/// The first part of a name, whole where it is not hostile.
fn first_chars(name: &str) -> &str {
    &name[..name.floor_char_boundary(MAX_NAME)]
}

impl Yaml<'_> {
    /// The names that lead from the root of a node's document to it: keys of mappings; of lists what
    /// names a member (see `member_name`), never its position. Below a resource of a cluster
    /// it begins with the kind and name of that resource, wherever it is: `Gateway/infra/edge/status`.
    /// Linear in the depth of the node.
    pub fn path_to(&self, id: NodeId) -> String {
        let mut path = String::new();
        // Documents may be many, and begin one after the other.
        let start = self.span(id).start;
        let after = self
            .documents
            .partition_point(|document| document.span.start <= start);
        let document = after.checked_sub(1).map(|at| &self.documents[at]);
        let Some(mut node) = document.and_then(|document| document.root) else {
            return path;
        };
        path.push_str(&self.resource_name(node).unwrap_or_default());
        let mut list = "";
        while node != id {
            // Nodes are numbered in the order in which they start.
            let child = match self.nodes[node.index()].data {
                Data::Map(..) => {
                    let entries = self.entries(node);
                    let after = entries.partition_point(|entry| entry.key <= id);
                    let Some(entry) = after.checked_sub(1).map(|at| entries[at]) else {
                        return path;
                    };
                    list = self.text(entry.key).unwrap_or("*");
                    path.push('/');
                    path.push_str(first_chars(list));
                    if id < entry.value {
                        return path;
                    }
                    entry.value
                }
                Data::Seq(..) => {
                    let items = self.items(node);
                    let after = items.partition_point(|item| *item <= id);
                    let Some(&item) = after.checked_sub(1).map(|at| &items[at]) else {
                        return path;
                    };
                    if let Some(resource) = self.resource_name(item) {
                        path = resource;
                    } else {
                        path.push('/');
                        path.push_str(&self.member_name(list, item));
                    }
                    item
                }
                _ => return path,
            };
            node = child;
        }
        path
    }

    /// The first node that starts at an offset or after it.
    pub fn node_from(&self, at: u32) -> Option<NodeId> {
        let before = self.nodes.partition_point(|node| node.span.start < at);
        let id = u32::try_from(before)
            .ok()
            .filter(|_| before < self.nodes.len());
        id.map(NodeId)
    }

    /// The path of what begins at an offset, or before it: of a key, a value, an alias.
    pub fn path_at(&self, offset: u32) -> String {
        let after = self.nodes.partition_point(|node| node.span.start <= offset);
        let last = after.checked_sub(1).and_then(|at| u32::try_from(at).ok());
        last.map(|at| self.path_to(NodeId(at))).unwrap_or_default()
    }

    /// The name that distinguishes a member of a list, as far as Kubernetes and the suite have such
    /// lists: its `name` or `type`; of references (`parentRefs`) all that they name; of parents and
    /// ancestors in a status their reference and the controller; of a scalar its text; else `*`.
    fn member_name(&self, list: &str, item: NodeId) -> Cow<'_, str> {
        let reference = |key| self.near(item, key).map(|node| self.reference_name(node));
        if let Some(name) = reference("parentRef").or_else(|| reference("ancestorRef")) {
            let controller = self.text_near(item, "controllerName").unwrap_or_default();
            return Cow::Owned(format!("{name}@{}", controller));
        }
        if list.ends_with("Refs") {
            return Cow::Owned(self.reference_name(item));
        }
        let named = ["name", "type"]
            .into_iter()
            .find_map(|key| self.text_near(item, key));
        match named.or(self.text(item)) {
            Some(name) => Cow::Borrowed(first_chars(name)),
            None => self.unnamed(item),
        }
    }

    /// A member that has no name: `*`, with a digest of what it holds where that is short.
    fn unnamed(&self, item: NodeId) -> Cow<'_, str> {
        const MAX_BYTES: u32 = 4096;
        let span = self.span(item);
        if span.end - span.start > MAX_BYTES {
            return Cow::Borrowed("*");
        }
        let digest = Digest::of(self.to_json(item).to_string().as_bytes()).to_string();
        Cow::Owned(format!("*{}", &digest[..16]))
    }

    /// `infra/edge#https:443`: kind (unless it is Gateway), namespace, name, section and port of a
    /// reference, as far as they are written.
    fn reference_name(&self, reference: NodeId) -> String {
        let text = |key| self.text_near(reference, key);
        let kind = text("kind").filter(|value| *value != "Gateway");
        let parts = [kind, text("namespace"), text("name")].into_iter();
        let mut name = parts.flatten().collect::<Vec<_>>().join("/");
        for (mark, key) in [('#', "sectionName"), (':', "port")] {
            if let Some(text) = text(key) {
                name.push(mark);
                name.push_str(text);
            }
        }
        name
    }

    /// `HTTPRoute/shop/web` of a resource of a cluster; `None` of anything else.
    fn resource_name(&self, root: NodeId) -> Option<String> {
        let metadata = self.near(root, "metadata")?;
        let kind = self.text_near(root, "kind")?;
        let text = |key| self.text_near(metadata, key);
        let name = text("name").or_else(|| text("generateName")).unwrap_or("*");
        Some(match text("namespace") {
            Some(namespace) => format!("{kind}/{namespace}/{name}"),
            None => format!("{kind}/{name}"),
        })
    }

    /// The value under a name among the first entries of a mapping: objects have few, and a path must
    /// not cost a walk over the many of a hostile one.
    fn near(&self, id: NodeId, name: &str) -> Option<NodeId> {
        let entries = self.entries(id).iter().take(MAX_NEAR).rev();
        let mut named = entries.filter(|entry| self.key_name(entry.key) == Some(name));
        named.next().map(|entry| entry.value)
    }

    fn text_near(&self, id: NodeId, name: &str) -> Option<&str> {
        let text = self.text(self.near(id, name)?)?;
        (!text.is_empty()).then_some(first_chars(text))
    }
}
