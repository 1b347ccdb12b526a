use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::cluster::needs::fields;
use crate::cluster::needs::{Needs, full_name, is_class, is_ingress, short};
use crate::cluster::{Cluster, File, Kind, Node, Object, is_gateway_api};
use crate::release::Registry;
use crate::release::served::Served;
use crate::text::counted;
use crate::text::suggest;
use gwconform_yaml::{Unread as UnreadPart, YamlIssue, YamlIssueKind};

/// Part of a file that could not be read.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Unread {
    /// Printed path of the file.
    pub path: String,
    /// Line where reading stopped, from 1.
    pub line: u32,
    /// True for a Helm or Go template, or a file with a templated value. Such files must be rendered
    /// first.
    #[serde(rename = "template")]
    pub is_template: bool,
    /// Reason why the part could not be read.
    pub reason: String,
}

/// Kind or version that no known release has.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Unknown {
    /// Printed path of the file with the first object.
    pub path: String,
    /// Line of the first object, from 1.
    pub line: u32,
    /// Number of objects with this kind and version.
    pub count: usize,
    /// Explanation that names the kind or version.
    pub reason: String,
}

/// Field or value that no known release has. `kubectl apply` rejects or drops it.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct UnknownFieldOf {
    /// Printed path of the file with the first field.
    pub path: String,
    /// Line of the first field, from 1.
    pub line: u32,
    /// Number of such fields.
    pub count: usize,
    /// Explanation that names the field or its value.
    pub reason: String,
}

/// Objects of a kind that is not evaluated.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct NotRead {
    /// Kind of the objects, such as `VirtualService`.
    pub kind: String,
    /// API group. Empty for the core group.
    pub group: String,
    /// Number of objects of this kind.
    pub count: usize,
    /// Printed path of the file with the first object.
    pub path: String,
    /// Line of the first object, from 1.
    pub line: u32,
    /// Provider of ingress2gateway that converts the kind. Null if no provider converts it.
    pub provider: Option<String>,
}

impl NotRead {
    /// Full name, such as `VirtualService.networking.istio.io`.
    pub fn name(&self) -> String {
        full_name(&self.group, &self.kind)
    }
}

pub(super) fn objects_of_the_api(cluster: &Cluster<'_>, served: &Served) -> usize {
    let is_defined = |object: &&Object<'_>| {
        let mut releases = served.releases().iter();
        is_ingress(object)
            || releases.any(|release| release.kind(object.group, object.kind_name).is_some())
    };
    cluster.objects.iter().filter(is_defined).count()
}

/// Kinds that are not evaluated. Excludes Services behind Routes, and policies whose target is in
/// the input.
pub(super) fn not_read(
    cluster: &Cluster<'_>,
    needs: &Needs<'_>,
    registry: &Registry,
) -> (Vec<NotRead>, usize) {
    let has_routes = !needs.routes.is_empty();
    let mut kinds: BTreeMap<(&str, &str), (usize, usize)> = BTreeMap::new();
    for (at, object) in cluster.objects.iter().enumerate() {
        let is_read = is_gateway_api(object.group)
            || is_overlay(object)
            || is_ingress(object)
            || is_class(object)
            || needs.policies.contains(&at)
            || has_routes && object.kind == Some(Kind::Service);
        if !is_read {
            let (_, count) = kinds
                .entry((object.kind_name, object.group))
                .or_insert((at, 0));
            *count += 1;
        }
    }
    let left_out = kinds.len().saturating_sub(MAX_UNKNOWN);
    let named = kinds.into_iter().take(MAX_UNKNOWN);
    let named = named.map(|((kind, group), (first, count))| {
        let root = cluster.objects[first].root;
        let place = root.get("kind").unwrap_or(root).place().place;
        let known = &registry.controllers().kinds;
        NotRead {
            provider: known.get(&full_name(group, kind)).cloned().flatten(),
            group: short(group).to_owned(),
            kind: short(kind).to_owned(),
            path: place.path.to_string(),
            line: place.region.map_or(1, |region| region.start.line),
            count,
        }
    });
    (named.collect(), left_out)
}

pub(super) fn unread(cluster: &Cluster<'_>) -> Vec<Unread> {
    let mut all: Vec<Unread> = cluster.files.iter().flat_map(of_file).collect();
    let templates = all.iter().filter(|one| one.is_template);
    let mut named: BTreeSet<String> = templates.map(|one| one.path.clone()).collect();
    for object in &cluster.objects {
        let Some(value) = template_value(object) else {
            continue;
        };
        let place = value.place().place;
        if named.insert(place.path.to_string()) {
            all.push(Unread {
                line: place.region.map_or(1, |region| region.start.line),
                path: place.path.to_string(),
                is_template: true,
                reason: "a value looks like a Helm template: pipe `helm template` here".to_owned(),
            });
        }
    }
    all.extend(overlays(cluster));
    all
}

/// Reports Kustomize overlays, which must be rendered first.
fn overlays(cluster: &Cluster<'_>) -> Option<Unread> {
    let mut overlays = cluster.objects.iter().filter(|object| is_overlay(object));
    let place = overlays.next()?.root.get("kind")?.place().place;
    let what = match overlays.count() {
        0 => "a Kustomize overlay".to_owned(),
        more => format!("{} Kustomize overlays from here on", more + 1),
    };
    Some(Unread {
        line: place.region.map_or(1, |region| region.start.line),
        path: place.path.to_string(),
        is_template: false,
        reason: format!("{what}: pipe `kubectl kustomize` here"),
    })
}

pub(super) fn is_overlay(object: &Object<'_>) -> bool {
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
    let mut actions = text.split("{{").skip(1);
    actions.any(|action| {
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

const MAX_UNKNOWN: usize = 20;

pub(super) fn unknown(cluster: &Cluster<'_>, served: &Served) -> Vec<Unknown> {
    let mut kinds: BTreeMap<(&str, &str), Vec<usize>> = BTreeMap::new();
    for (at, object) in cluster.objects.iter().enumerate() {
        if is_gateway_api(object.group) {
            let kind = (object.root.str_at("apiVersion"), object.kind_name);
            kinds.entry(kind).or_default().push(at);
        }
    }
    kinds.retain(|(api_version, kind), _| !is_known(served, api_version, kind));
    let mut found: Vec<(usize, usize, (&str, &str))> = Vec::new();
    for (kind, objects) in &kinds {
        found.extend(objects.first().map(|first| (*first, objects.len(), *kind)));
    }
    found.sort_unstable();
    let more = found.len().saturating_sub(MAX_UNKNOWN);
    let all = found.into_iter().take(MAX_UNKNOWN + 1).enumerate();
    let named = all.filter_map(|(nth, (at, count, (api_version, kind)))| {
        let (key, reason) = why(served, api_version, kind);
        let place = cluster.objects[at].root.get(key)?.place().place;
        Some(Unknown {
            path: place.path.to_string(),
            line: place.region.map_or(1, |region| region.start.line),
            count,
            reason: match nth {
                MAX_UNKNOWN => format!("{} from here on", counted(more, "more kind")),
                _ => reason,
            },
        })
    });
    named.collect()
}

/// Unknown fields and values, in file order.
pub(super) fn unknown_fields(cluster: &Cluster<'_>, registry: &Registry) -> Vec<UnknownFieldOf> {
    let found = fields::unknown_fields(cluster, registry);
    let mut all: Vec<UnknownFieldOf> = found
        .iter()
        .map(|((kind, field, value), one)| {
            let place = one.node.place().place;
            let similar = one.similar.as_deref();
            let similar =
                similar.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
            UnknownFieldOf {
                path: place.path.to_string(),
                line: place.region.map_or(1, |region| region.start.line),
                count: one.count,
                reason: match value {
                    Some(value) => format!(
                        "no known release has the value `{value}` of `{field}` of {kind}{similar}"
                    ),
                    None => format!("no known release has a field `{field}` of {kind}{similar}"),
                },
            }
        })
        .collect();
    all.sort_by(|a, b| (&a.path, a.line, &a.reason).cmp(&(&b.path, b.line, &b.reason)));
    all
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

const MAX_UNREAD: usize = 20;

fn of_file(file: &File<'_>) -> Vec<Unread> {
    let source = file.source;
    let issues = file.yaml.issues.iter();
    let stops: Vec<&YamlIssue> = issues.filter(|issue| issue.kind.stops_reading()).collect();
    let mut has_template = false;
    let line = |part: &UnreadPart| source.position(part.span.start as usize).line;
    let parts = file.yaml.unread.iter().take(MAX_UNREAD).map(|part| {
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
        Unread {
            path: source.path().to_owned(),
            line: line(part),
            is_template,
            reason,
        }
    });
    let mut unread: Vec<Unread> = parts.collect();
    let others = file.yaml.unread.len().saturating_sub(MAX_UNREAD);
    if let (Some(next), 1..) = (file.yaml.unread.get(MAX_UNREAD), others) {
        unread.push(Unread {
            path: source.path().to_owned(),
            line: line(next),
            is_template: has_template,
            reason: format!("{} from here on", counted(others, "more document")),
        });
    }
    unread.extend(unfollowed(file));
    unread
}

fn unfollowed(file: &File<'_>) -> impl Iterator<Item = Unread> {
    let issues = file.yaml.issues.iter();
    let aliases =
        issues.filter(|issue| matches!(issue.kind, YamlIssueKind::Alias | YamlIssueKind::MergeKey));
    aliases.take(MAX_UNREAD).map(|issue| Unread {
        path: file.source.path().to_owned(),
        line: file.source.position(issue.span.start as usize).line,
        is_template: false,
        // Messages with fields quote the alias, which can contain a secret.
        reason: match issue.message.fields().is_empty() {
            true => issue.message.to_string(),
            false => "an alias that is not expanded".to_owned(),
        },
    })
}
