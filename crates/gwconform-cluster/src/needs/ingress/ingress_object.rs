use std::collections::BTreeMap;

use super::super::Place;
use super::super::walk::Part::{Item, Name};
use crate::{Node, Object, Text};

/// Path of an Ingress, with its host.
#[derive(Clone)]
pub(super) struct IngressPath<'a> {
    /// Empty without a host.
    pub(super) host: &'a str,
    /// `/` if the Ingress names no path.
    pub(super) path: &'a str,
    /// Value of `pathType`.
    pub(super) kind: &'a str,
    pub(super) node: Node<'a>,
    /// Index of the rule, and of the path within it.
    pub(super) at: (usize, usize),
}

impl<'a> IngressPath<'a> {
    /// Place of the path in the Ingress with this index, determined by `annotation`.
    pub(super) fn place(&self, object: usize, annotation: &'a str) -> Place<'a> {
        let (rule, nth) = self.at;
        let mut trail = vec![Name("spec"), Name("rules"), Item(rule), Name("http")];
        trail.extend([Name("paths"), Item(nth), Name("path")]);
        let node = self.node.get("path").unwrap_or(self.node);
        let mut place = Place::at(node, object, &trail);
        place.annotation = annotation;
        place
    }
}

/// A rule without paths, and an Ingress without rules, have the path `/`.
pub(super) fn paths<'a>(object: &Object<'a>) -> Vec<IngressPath<'a>> {
    let mut rules: Vec<Node<'a>> = object.items(&["spec", "rules"]).collect();
    if rules.is_empty() {
        rules.push(object.root);
    }
    let mut found = Vec::new();
    for (rule_at, rule) in rules.into_iter().enumerate() {
        let paths = rule.at(&["http", "paths"]).into_iter();
        let mut paths: Vec<Node<'a>> = paths.flat_map(Node::items).collect();
        if paths.is_empty() {
            paths.push(rule);
        }
        for (nth, node) in paths.into_iter().enumerate() {
            let path = node.str_at("path");
            found.push(IngressPath {
                host: rule.str_at("host"),
                path: if path.is_empty() { "/" } else { path },
                kind: node.str_at("pathType"),
                node,
                at: (rule_at, nth),
            });
        }
    }
    found
}

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

/// Hosts of the rules. The default host is empty.
pub(super) fn hosts<'a>(object: &Object<'a>) -> impl Iterator<Item = &'a str> + use<'a> {
    let mut rules: Vec<Node<'a>> = object.items(&["spec", "rules"]).collect();
    if rules.is_empty() {
        rules.push(object.root);
    }
    rules.into_iter().map(|rule| rule.str_at("host"))
}

pub(super) fn tls_hosts<'a>(object: &Object<'a>) -> Vec<&'a str> {
    let all = object.items(&["spec", "tls"]);
    let named = all.flat_map(|tls| tls.items_at("hosts"));
    named.filter_map(|host| Some(host.text()?.value)).collect()
}
