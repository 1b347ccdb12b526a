use std::collections::{BTreeMap, HashSet};

use crate::{Node, Object, Text};

/// Annotations with each key once. As in YAML, the last of equal keys wins.
pub(super) fn annotations<'a>(object: &Object<'a>) -> Vec<(Text<'a>, Node<'a>)> {
    let all = object.at(&["metadata", "annotations"]);
    let entries: Vec<_> = all.into_iter().flat_map(Node::entries).collect();
    let last: BTreeMap<&str, usize> = (entries.iter().enumerate())
        .map(|(nth, (key, _))| (key.value, nth))
        .collect();
    let kept = entries.into_iter().enumerate();
    kept.filter(|(nth, (key, _))| last.get(key.value) == Some(nth))
        .map(|(_, entry)| entry)
        .collect()
}

fn hosts<'a>(object: &Object<'a>) -> impl Iterator<Item = &'a str> {
    let rules = object.items(&["spec", "rules"]);
    rules.map(|rule| rule.str_at("host"))
}

pub(super) fn tls_hosts<'a>(object: &Object<'a>) -> Vec<&'a str> {
    let all = object.items(&["spec", "tls"]);
    let named = all.flat_map(|tls| tls.items_at("hosts"));
    named.filter_map(|host| Some(host.text()?.value)).collect()
}

/// ingress-nginx merges the TLS of all Ingresses of a host.
pub(super) fn has_tls(object: &Object<'_>, merged: &HashSet<&str>) -> bool {
    object.items(&["spec", "tls"]).next().is_some()
        || hosts(object).any(|host| !host.is_empty() && merged.contains(host))
}
