//! Finds input that was not read, and names that no known release has.

use std::collections::{BTreeMap, BTreeSet};

use super::losses::{Collected, Lost};
use super::walk::Part;
use super::{Place, is_class, is_ingress, short};
use crate::{
    Cluster, File, Kind, Node, Object, is_gateway_api, parent_refs, uses_default_gateways,
};
use gwconform_base::release::Registry;
use gwconform_base::release::served::Served;
use gwconform_base::text::diagnostic;
use gwconform_base::text::message::Message;
use gwconform_base::text::source::Span;
use gwconform_base::text::suggest;
use gwconform_yaml::{YamlIssue, YamlIssueKind};

const OVERLAY: &str = "a Kustomize overlay: pipe `kubectl kustomize` here";

/// Names that `kustomize build` looks for.
fn is_kustomization(path: &str) -> bool {
    let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
    ["kustomization.yaml", "kustomization.yml", "Kustomization"].contains(&name)
}

/// Adds parts of files, kinds, versions and Routes without parents to the losses.
pub(super) fn add<'a>(losses: &mut Collected<'a>, cluster: &Cluster<'a>, registry: &Registry) {
    losses.families = None;
    let objects = || cluster.objects.iter().enumerate();
    let mut templates = BTreeSet::new();
    let paths = cluster.files.iter().map(|file| file.source.path());
    let mut kustomizations: BTreeSet<&str> = paths.filter(|path| is_kustomization(path)).collect();
    for file in cluster.files {
        parts(losses, &mut templates, file, cluster.objects.len());
    }
    let is_empty = !objects().any(|(at, object)| is_evaluated(losses, object, at));
    for (at, object) in objects() {
        if !kustomizations.is_empty() {
            kustomizations.remove(&*object.root.place().place.path);
        }
        // Context of Ingresses and Routes, named if the input has nothing else.
        let is_context = is_class(object) || object.kind == Some(Kind::Service);
        if let Some(value) = template_value(object)
            && templates.insert(value.place().place.path.to_string())
        {
            let reason = "a value looks like a Helm template: pipe `helm template` here";
            losses.part(true, reason, || Place::at(value, at, &[]));
        }
        if is_overlay(object) {
            losses.part(false, OVERLAY, || kind(object, at));
        } else if !is_evaluated(losses, object, at) && (is_empty || !is_context) {
            losses.objects(object, || kind(object, at));
        }
    }
    // kustomize fills in the kind of a file with one of its names.
    for file in cluster.files {
        let (source, object) = (file.source, cluster.objects.len());
        if kustomizations.contains(source.path()) {
            let place =
                || Place::of_part(source, Span::default(), object, Message::of_text(OVERLAY));
            losses.part(false, OVERLAY, place);
        }
    }
    unknown(losses, cluster, registry.served());
    without_parents(losses, cluster);
}

fn is_evaluated(losses: &Collected<'_>, object: &Object<'_>, at: usize) -> bool {
    let others = [&losses.policies, &losses.read];
    is_gateway_api(object.group)
        || is_ingress(object)
        || others.iter().any(|read| read.contains(&at))
}

fn kind<'a>(object: &Object<'a>, at: usize) -> Place<'a> {
    let node = object.root.get("kind").unwrap_or(object.root);
    Place::at(node, at, &[Part::Name("kind")])
}

fn is_overlay(object: &Object<'_>) -> bool {
    object.group == "kustomize.config.k8s.io"
}

fn template_value<'a>(object: &Object<'a>) -> Option<Node<'a>> {
    let is_read = is_gateway_api(object.group) || object.kind == Some(Kind::Service);
    // Other tools put templates in annotations, so annotations are ignored.
    if !is_read || memchr::memmem::find(object.root.source_text().as_bytes(), b"{{").is_none() {
        return None;
    }
    let metadata = object.at(&["metadata"]);
    let names = ["name", "namespace"].into_iter();
    let names = names.filter_map(|name| metadata?.get(name));
    names.chain(object.at(&["spec"])).find_map(with_braces)
}

/// Text after `{{` in Go templates. Other braces belong to literal values such as `/{{id}}`.
const ACTIONS: [&str; 12] = [
    ".",
    "$",
    "include ",
    "template ",
    "tpl ",
    "if ",
    "with ",
    "range ",
    "default ",
    "printf ",
    "quote ",
    "toYaml ",
];

fn has_action(text: &str) -> bool {
    text.split("{{").skip(1).any(|action| {
        let action = action.strip_prefix('-').unwrap_or(action).trim_start();
        ACTIONS.iter().any(|start| action.starts_with(start))
    })
}

/// The YAML parser limits the depth of this recursion.
fn with_braces(node: Node<'_>) -> Option<Node<'_>> {
    if node.text().is_some_and(|text| has_action(text.value)) {
        return Some(node);
    }
    let values = node.entries().map(|(_, value)| value);
    values.chain(node.items()).find_map(with_braces)
}

/// Adds Routes that the API server accepts, and that nothing serves.
fn without_parents<'a>(losses: &mut Collected<'a>, cluster: &Cluster<'a>) {
    losses.families = None;
    for (at, route) in cluster.of(Kind::ROUTES) {
        if parent_refs(route).is_empty() && !uses_default_gateways(route) {
            let reason = format!(
                "{} without `parentRefs`: accepted by the API server, but no Gateway or mesh serves it",
                route.kind_name
            );
            let key = (Lost::Unserved, reason, String::new());
            let mut title = |reason: &str, _: &str| Message::of_text(reason);
            losses.add(key, None, &mut title, &mut || kind(route, at));
        }
    }
}

/// Adds kinds and versions that no known release has.
fn unknown<'a>(losses: &mut Collected<'a>, cluster: &Cluster<'a>, served: &Served) {
    let mut kinds: BTreeMap<(&str, &str), Option<(&'static str, String)>> = BTreeMap::new();
    for (at, object) in cluster.objects.iter().enumerate() {
        if !is_gateway_api(object.group) {
            continue;
        }
        let (api_version, name) = (object.root.str_at("apiVersion"), object.kind_name);
        let found = kinds.entry((api_version, name));
        let found = found.or_insert_with(|| {
            (!is_known(served, api_version, name)).then(|| why(served, api_version, name))
        });
        let Some((key, reason)) = found else {
            continue;
        };
        let Some(node) = object.root.get(key) else {
            continue;
        };
        let mut place = || Place::at(node, at, &[Part::Name(key)]);
        let name = (Lost::Kind, reason.clone(), String::new());
        let mut title = |reason: &str, _: &str| Message::of_text(reason);
        losses.add(name, None, &mut title, &mut place);
    }
}

fn is_known(served: &Served, api_version: &str, kind: &str) -> bool {
    let (group, version) = api_version.rsplit_once('/').unwrap_or_default();
    let releases = served.releases().iter();
    let mut kinds = releases.filter_map(|release| release.kind(group, kind));
    kinds.any(|found| found.has_version(version))
}

fn why(served: &Served, api_version: &str, kind: &str) -> (&'static str, String) {
    let (api_version, kind) = (short(api_version), short(kind));
    let (group, _) = api_version.rsplit_once('/').unwrap_or_default();
    let releases = served.releases().iter();
    let Some(newest) = releases
        .filter_map(|release| release.kind(group, kind))
        .next_back()
    else {
        let names = served.releases().iter().flat_map(|release| &release.kinds);
        let names: BTreeSet<&str> = names.map(|(name, _)| name.as_str()).collect();
        let reason = match suggest::nearest(kind, names) {
            Some(near) if near != kind => {
                format!("no known release has a kind `{kind}`; did you mean `{near}`?")
            }
            _ => format!("no known release has a kind `{kind}` of `{group}`"),
        };
        return ("kind", reason);
    };
    let expected = newest.newest_version().unwrap_or_default();
    let reason =
        format!("no known release has `{kind}` of `{api_version}`; expected `{group}/{expected}`");
    ("apiVersion", reason)
}

/// Adds the documents, aliases and duplicate keys of a file that were not read.
fn parts<'a>(
    losses: &mut Collected<'a>,
    templates: &mut BTreeSet<String>,
    file: &'a File<'a>,
    object: usize,
) {
    let source = file.source;
    let issues = file.yaml.issues.iter();
    let stops: Vec<&YamlIssue> = issues.filter(|issue| issue.kind.stops_reading()).collect();
    let mut has_template = false;
    let mut add = |is_template, reason: &str, span| {
        let note = Message::of_text(reason);
        losses.part(is_template, reason, || {
            Place::of_part(source, span, object, note.clone())
        });
    };
    for part in &file.yaml.unread {
        let after = stops.partition_point(|issue| issue.span.start <= part.span.end);
        let last = after.checked_sub(1).and_then(|at| stops.get(at));
        let issue = last.filter(|issue| part.document <= issue.span.start);
        let is_template = match issue {
            Some(issue) => matches!(
                issue.kind,
                YamlIssueKind::Template | YamlIssueKind::GoTemplate
            ),
            None => has_template,
        };
        has_template |= is_template;
        let reason = match issue {
            Some(issue) if issue.kind == YamlIssueKind::GoTemplate => issue.message.to_string(),
            _ if is_template => "a Helm template: pipe `helm template` here".to_owned(),
            // Syntax errors can quote secrets.
            Some(issue) if issue.message.fields().is_empty() => issue.message.to_string(),
            _ => "not valid YAML".to_owned(),
        };
        add(is_template, &reason, part.span);
    }
    if has_template {
        templates.insert(source.path().to_owned());
    }
    for issue in &file.yaml.issues {
        let is_quoted = !issue.message.fields().is_empty();
        let reason = match issue.kind {
            YamlIssueKind::DuplicateKey => {
                let is_secret = diagnostic::Place::span(source, issue.span).is_secret();
                let key = if is_secret {
                    "duplicate key".to_owned()
                } else {
                    issue.message.to_string()
                };
                format!("{key}: only the last one is read")
            }
            // The message quotes the alias, which can contain a secret.
            YamlIssueKind::Alias | YamlIssueKind::MergeKey if is_quoted => {
                "an alias that is not expanded".to_owned()
            }
            YamlIssueKind::Alias | YamlIssueKind::MergeKey => issue.message.to_string(),
            _ => continue,
        };
        add(false, &reason, issue.span);
    }
}
