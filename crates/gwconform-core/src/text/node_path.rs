//! The name of a node, independent of its line: the names on the way to it.

use std::borrow::Cow;

use gwconform_yaml::{Kind, NodeId, Yaml};

use crate::text::source::Digest;

/// How many entries of a mapping are looked at for its name.
const MAX_NEAR: usize = 64;

/// How much of a name is part of a path, in bytes.
const MAX_NAME: usize = 320;

/// The first part of a name, whole where it is not hostile.
fn first_chars(name: &str) -> &str {
    &name[..name.floor_char_boundary(MAX_NAME)]
}

/// The names that lead from the root of a node's document to it: keys of mappings; of lists what
/// names a member (see `member_name`), never its position. Below a resource of a cluster
/// it begins with the kind and name of that resource, wherever it is: `Gateway/infra/edge/status`.
/// Linear in the depth of the node.
pub fn path_to(yaml: &Yaml<'_>, id: NodeId) -> String {
    let mut path = String::new();
    // Documents may be many, and begin one after the other.
    let start = yaml.span(id).start;
    let after = yaml
        .documents
        .partition_point(|document| document.span.start <= start);
    let document = after.checked_sub(1).map(|at| &yaml.documents[at]);
    let Some(mut node) = document.and_then(|document| document.root) else {
        return path;
    };
    path.push_str(&resource_name(yaml, node).unwrap_or_default());
    let mut list = "";
    while node != id {
        // Nodes are numbered in the order in which they start.
        let child = match yaml.kind(node) {
            Kind::Map(entries) => {
                let after = entries.partition_point(|entry| entry.key <= id);
                let Some(entry) = after.checked_sub(1).map(|at| entries[at]) else {
                    return path;
                };
                list = yaml.text(entry.key).unwrap_or("*");
                path.push('/');
                path.push_str(first_chars(list));
                if id < entry.value {
                    return path;
                }
                entry.value
            }
            Kind::Seq(items) => {
                let after = items.partition_point(|item| *item <= id);
                let Some(&item) = after.checked_sub(1).map(|at| &items[at]) else {
                    return path;
                };
                if let Some(resource) = resource_name(yaml, item) {
                    path = resource;
                } else {
                    path.push('/');
                    path.push_str(&member_name(yaml, list, item));
                }
                item
            }
            _ => return path,
        };
        node = child;
    }
    path
}

/// The path of what begins at an offset, or before it: of a key, a value, an alias.
pub fn path_at(yaml: &Yaml<'_>, offset: u32) -> String {
    let node = yaml.node_until(offset);
    node.map(|node| path_to(yaml, node)).unwrap_or_default()
}

/// The name that distinguishes a member of a list, as far as Kubernetes and the suite have such
/// lists: its `name` or `type`; of references (`parentRefs`) all that they name; of parents and
/// ancestors in a status their reference and the controller; of a scalar its text; else `*`.
fn member_name<'y>(yaml: &'y Yaml<'_>, list: &str, item: NodeId) -> Cow<'y, str> {
    let reference = |key| near(yaml, item, key).map(|node| reference_name(yaml, node));
    if let Some(name) = reference("parentRef").or_else(|| reference("ancestorRef")) {
        let controller = text_near(yaml, item, "controllerName").unwrap_or_default();
        return Cow::Owned(format!("{name}@{}", controller));
    }
    if list.ends_with("Refs") {
        return Cow::Owned(reference_name(yaml, item));
    }
    let named = ["name", "type"]
        .into_iter()
        .find_map(|key| text_near(yaml, item, key));
    match named.or(yaml.text(item)) {
        Some(name) => Cow::Borrowed(first_chars(name)),
        None => unnamed(yaml, item),
    }
}

/// A member that has no name: `*`, with a digest of what it holds where that is short.
fn unnamed<'y>(yaml: &'y Yaml<'_>, item: NodeId) -> Cow<'y, str> {
    const MAX_BYTES: u32 = 4096;
    let span = yaml.span(item);
    if span.end - span.start > MAX_BYTES {
        return Cow::Borrowed("*");
    }
    let digest = Digest::new(yaml.to_json(item).to_string().as_bytes()).to_string();
    Cow::Owned(format!("*{}", &digest[..16]))
}

/// `infra/edge#https:443`: kind (unless it is Gateway), namespace, name, section and port of a
/// reference, as far as they are written.
fn reference_name(yaml: &Yaml<'_>, reference: NodeId) -> String {
    let text = |key| text_near(yaml, reference, key);
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
fn resource_name(yaml: &Yaml<'_>, root: NodeId) -> Option<String> {
    let metadata = near(yaml, root, "metadata")?;
    let kind = text_near(yaml, root, "kind")?;
    let text = |key| text_near(yaml, metadata, key);
    let name = text("name").or_else(|| text("generateName")).unwrap_or("*");
    Some(match text("namespace") {
        Some(namespace) => format!("{kind}/{namespace}/{name}"),
        None => format!("{kind}/{name}"),
    })
}

/// The value under a name among the first entries of a mapping: objects have few, and a path must
/// not cost a walk over the many of a hostile one.
fn near(yaml: &Yaml<'_>, id: NodeId, name: &str) -> Option<NodeId> {
    let entries = yaml.entries(id).iter().take(MAX_NEAR).rev();
    let mut named = entries.filter(|entry| yaml.key_name(entry.key) == Some(name));
    named.next().map(|entry| entry.value)
}

fn text_near<'y>(yaml: &'y Yaml<'_>, id: NodeId, name: &str) -> Option<&'y str> {
    let text = yaml.text(near(yaml, id, name)?)?;
    (!text.is_empty()).then_some(first_chars(text))
}
