//! Identifies YAML nodes by path instead of line.

use std::borrow::Cow;

use gwconform_yaml::{Kind, NodeId, Yaml};

use crate::text::source::Digest;

/// Maximum entries to search for a key, because hostile mappings may be long.
const MAX_NEAR: usize = 64;

/// In bytes.
const MAX_NAME: usize = 320;

fn first_chars(name: &str) -> &str {
    &name[..name.floor_char_boundary(MAX_NAME)]
}

/// Path of mapping keys, with names (`member_name`) instead of list indexes. Restarts at each
/// cluster resource, such as `Gateway/infra/edge/status`. Linear in the node's depth.
pub fn path_to(yaml: &Yaml<'_>, id: NodeId) -> String {
    let mut path = String::new();
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
        // Node IDs increase with the start position, so a binary search finds the child.
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

/// Path of the last node that starts at or before an offset.
pub fn path_at(yaml: &Yaml<'_>, offset: u32) -> String {
    let node = yaml.node_until(offset);
    node.map(|node| path_to(yaml, node)).unwrap_or_default()
}

/// Name of a list member: `name` or `type`, the reference in `*Refs`, the reference and controller
/// in a status, the scalar, or else `*`.
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

/// Name for other members: `*`, with a digest if short.
fn unnamed<'y>(yaml: &'y Yaml<'_>, item: NodeId) -> Cow<'y, str> {
    const MAX_BYTES: u32 = 4096;
    let span = yaml.span(item);
    if span.end - span.start > MAX_BYTES {
        return Cow::Borrowed("*");
    }
    let digest = Digest::new(yaml.to_json(item).to_string().as_bytes()).to_string();
    Cow::Owned(format!("*{}", &digest[..16]))
}

/// Kind (unless Gateway), namespace, name, section and port, such as `infra/edge#https:443`.
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

/// Resource such as `HTTPRoute/shop/web`. `None` for nodes that are not Kubernetes objects.
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

fn near(yaml: &Yaml<'_>, id: NodeId, name: &str) -> Option<NodeId> {
    let entries = yaml.entries(id).iter().take(MAX_NEAR).rev();
    let mut named = entries.filter(|entry| yaml.key_name(entry.key) == Some(name));
    named.next().map(|entry| entry.value)
}

fn text_near<'y>(yaml: &'y Yaml<'_>, id: NodeId, name: &str) -> Option<&'y str> {
    let text = yaml.text(near(yaml, id, name)?)?;
    (!text.is_empty()).then_some(first_chars(text))
}
