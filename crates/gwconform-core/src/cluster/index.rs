//! Index of all objects in all files.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Range;

use super::conditions::Value;
use super::crds::Crds;
use super::gateway::{ClassState, ParentRef, class_name, is_gateway_api};
use super::node::{File, Node, Text};
use super::object::{Kind, Object};
use super::references::Reference;
use super::status::{self, Status};

/// Deepest unwrapped nesting of lists.
const MAX_LISTS: usize = 4;

/// API limit per side.
const MAX_GRANT: usize = 16;

/// References are not checked if this limit is exceeded.
const MAX_GRANTS: usize = 1_000_000;

/// Whether a referenced object exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// Exists.
    There,
    /// Missing, unlike others of its kind and namespace.
    Missing,
    /// Unknown: none of its kind and namespace exists.
    NotDumped,
}

/// Numbers of objects in the input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Files.
    pub files: usize,
    /// Objects of known kinds.
    pub known: usize,
    /// Other objects.
    pub passed_over: usize,
    /// Complete documents without `apiVersion` and `kind`.
    pub no_objects: usize,
}

/// Group, kind, namespace, name.
type Key<'a> = (&'a str, &'a str, &'a str, &'a str);

/// Namespace of a ReferenceGrant; `from` group, kind, namespace; `to` group, kind, name (empty for
/// all).
type Grant<'a> = (&'a str, [&'a str; 3], [&'a str; 3]);

fn key<'a>(object: &Object<'a>) -> Option<Key<'a>> {
    let name = object.name?.value;
    Some((object.group, object.kind_name, object.namespace, name))
}

/// All objects of all files.
#[derive(Debug)]
pub struct Cluster<'a> {
    /// Input files.
    pub files: &'a [File<'a>],
    /// Objects in file order.
    pub objects: Vec<Object<'a>>,
    /// Installed CRDs.
    pub crds: Crds<'a>,
    /// Numbers of objects.
    pub counts: Counts,
    statuses: Vec<Status<'a>>,
    /// Range in `statuses`, by object.
    ranges: Vec<Range<usize>>,
    by_kind: BTreeMap<Kind, Vec<usize>>,
    by_name: HashMap<Key<'a>, usize>,
    dumped: HashSet<(&'a str, &'a str, &'a str)>,
    namespaces: HashSet<&'a str>,
    grants: HashSet<Grant<'a>>,
    /// Ignored duplicates.
    repeated: BTreeSet<usize>,
    is_partial: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Input {
    Manifests,
    Dump,
}

impl<'a> Cluster<'a> {
    /// Reads all objects, including `List` items. Afterwards, findings can quote only objects of
    /// checked kinds, never Secrets.
    pub fn read(files: &'a [File<'a>]) -> Self {
        Self::of_files(files, Input::Manifests)
    }

    /// Reads a cluster dump, using one copy of each object, preferably with a status. Manifests may
    /// contain variants, which are all used.
    pub fn read_dump(files: &'a [File<'a>]) -> Self {
        Self::of_files(files, Input::Dump)
    }

    fn of_files(files: &'a [File<'a>], input: Input) -> Self {
        let mut objects = Vec::new();
        let mut no_objects = 0;
        for file in files {
            let roots = file
                .yaml
                .documents
                .iter()
                .filter_map(|document| document.root);
            let first = objects.len();
            for root in roots {
                no_objects += collect(Node::new(file, root), None, MAX_LISTS, &mut objects);
            }
            let quotable = objects[first..].iter().flat_map(Object::quotable_parts);
            file.source.quote_only(quotable.collect());
        }
        let mut cluster = Self {
            files,
            crds: Crds::default(),
            repeated: BTreeSet::new(),
            counts: Counts::default(),
            statuses: Vec::new(),
            ranges: Vec::new(),
            by_kind: BTreeMap::new(),
            by_name: HashMap::new(),
            dumped: HashSet::new(),
            namespaces: HashSet::new(),
            grants: HashSet::new(),
            is_partial: files.iter().any(|file| file.is_cut() || file.has_aliases()),
            objects,
        };
        if input == Input::Dump {
            cluster.choose();
        }
        cluster.index();
        cluster.crds = Crds::read(cluster.of(&[Kind::Crd]));
        let known: usize = cluster.by_kind.values().map(Vec::len).sum();
        cluster.counts = Counts {
            files: files.len(),
            known,
            passed_over: cluster.objects.len() - known - cluster.repeated.len(),
            no_objects,
        };
        cluster
    }

    fn choose(&mut self) {
        for (at, object) in self.objects.iter().enumerate() {
            let Some(key) = key(object) else { continue };
            let counts = *self.by_name.entry(key).or_insert(at);
            if counts == at {
                continue;
            }
            let has_status = |object: &Object<'_>| object.at(&["status"]).is_some();
            if has_status(object) && !has_status(&self.objects[counts]) {
                self.by_name.insert(key, at);
                self.repeated.insert(counts);
            } else {
                self.repeated.insert(at);
            }
        }
    }

    fn index(&mut self) {
        for (at, object) in self.objects.iter().enumerate() {
            let start = self.statuses.len();
            if self.repeated.contains(&at) {
                self.ranges.push(start..start);
                continue;
            }
            if let Some(key) = key(object) {
                self.by_name.entry(key).or_insert(at);
            }
            if let Some(kind) = object.kind {
                self.by_kind.entry(kind).or_default().push(at);
            }
            self.statuses.extend(status::read(object, at));
            self.ranges.push(start..self.statuses.len());
            let (group, kind, namespace) = (object.group, object.kind_name, object.namespace);
            self.dumped.insert((group, kind, namespace));
            if !namespace.is_empty() {
                self.namespaces.insert(namespace);
            }
            if object.kind == Some(Kind::ReferenceGrant) && self.grants.len() < MAX_GRANTS {
                self.grants.extend(grants(object));
            }
        }
    }

    /// Ignored duplicates.
    pub fn repeated(&self) -> impl Iterator<Item = &Object<'a>> {
        self.repeated.iter().filter_map(|&at| self.objects.get(at))
    }

    /// Objects of kinds, in file order.
    pub fn of<'c>(&'c self, kinds: &'c [Kind]) -> impl Iterator<Item = (usize, &'c Object<'a>)> {
        let of_kind = |kind: &Kind| self.by_kind.get(kind).map_or(&[][..], Vec::as_slice);
        let places = kinds.iter().flat_map(of_kind);
        places.map(|&at| (at, &self.objects[at]))
    }

    /// Whether an object of the kinds exists.
    pub fn has(&self, kinds: &[Kind]) -> bool {
        kinds.iter().any(|kind| self.by_kind.contains_key(kind))
    }

    /// Sets of conditions, the object's own first.
    pub fn statuses_of(&self, object: usize) -> &[Status<'a>] {
        let range = self.ranges.get(object).cloned().unwrap_or_default();
        self.statuses.get(range).unwrap_or_default()
    }

    /// Conditions of the object itself.
    pub fn own_status(&self, object: usize) -> Option<&Status<'a>> {
        let first = self.statuses_of(object).first()?;
        first.entry.is_none().then_some(first)
    }

    /// Sets written by controllers, without deleted objects.
    pub fn statuses(&self) -> impl Iterator<Item = &Status<'a>> {
        let written = self.statuses.iter().filter(|status| status.is_reconciled);
        written.filter(|status| !self.objects[status.object].is_deleted)
    }

    /// Like [`Self::statuses`], plus API server defaults.
    pub fn statuses_and_defaults(&self) -> impl Iterator<Item = &Status<'a>> {
        let has_default =
            |status: &Status<'a>| status.entry.is_none() && !status.conditions.is_empty();
        let all = self.statuses.iter();
        all.filter(move |status| status.is_reconciled || has_default(status))
            .filter(|status| !self.objects[status.object].is_deleted)
    }

    /// Whether a controller wrote any status, as opposed to manifests, whose references may be
    /// elsewhere.
    pub fn has_status(&self) -> bool {
        self.statuses.iter().any(|status| status.is_reconciled)
    }

    /// Index of an object.
    pub fn find(&self, group: &str, kind: &str, namespace: &str, name: &str) -> Option<usize> {
        self.by_name.get(&(group, kind, namespace, name)).copied()
    }

    /// Whether the referenced object exists.
    pub fn presence(&self, to: &Reference<'_>) -> Presence {
        if self
            .find(to.group, to.kind, to.namespace, to.name)
            .is_some()
        {
            Presence::There
        } else if self.is_partial || !self.dumped.contains(&(to.group, to.kind, to.namespace)) {
            Presence::NotDumped
        } else {
            Presence::Missing
        }
    }

    /// Whether a ReferenceGrant permits a cross-namespace reference. `None` if the input has no
    /// ReferenceGrant or lacks the namespace.
    pub fn permits(&self, from: &Object<'_>, to: &Reference<'_>) -> Option<bool> {
        let of = [from.group, from.kind_name, from.namespace];
        let has = |name| {
            let grant = (to.namespace, of, [to.group, to.kind, name]);
            self.grants.contains(&grant)
        };
        if has(to.name) || has("") {
            return Some(true);
        }
        let is_known = self.has(&[Kind::ReferenceGrant]) && self.grants.len() < MAX_GRANTS;
        let is_dumped = is_known && self.namespaces.contains(to.namespace);
        (is_dumped && !self.is_partial).then_some(false)
    }

    /// Class name, and the class index if it exists.
    pub fn class_of(&self, gateway: &Object<'a>) -> Option<(Text<'a>, Option<usize>)> {
        let name = class_name(gateway)?;
        let class = self.find(super::GROUP, "GatewayClass", "", name.value);
        Some((name, class))
    }

    /// Acceptance of a GatewayClass.
    pub fn class_state(&self, class: usize) -> ClassState {
        let status = self.own_status(class);
        match status.and_then(|status| status.value("Accepted")) {
            Some(Value::True) => ClassState::Accepted,
            Some(Value::False) => ClassState::Refused,
            Some(Value::Unknown) | None => ClassState::Undecided,
        }
    }

    /// Controller of a GatewayClass or a mesh.
    pub fn controller(&self, object: usize) -> Option<Text<'a>> {
        self.objects.get(object)?.controller
    }

    /// Gateway that a parent reference names.
    pub fn gateway_of(&self, parent: &ParentRef<'a>) -> Option<usize> {
        if !is_gateway_api(parent.group) {
            return None;
        }
        let at = self.find(parent.group, parent.kind, parent.namespace, parent.name)?;
        (self.objects[at].kind == Some(Kind::Gateway)).then_some(at)
    }

    /// Gateway or ListenerSet that a reference names.
    pub fn listening_parent(&self, parent: &ParentRef<'a>) -> Option<usize> {
        if !is_gateway_api(parent.group) {
            return None;
        }
        let at = self.find(parent.group, parent.kind, parent.namespace, parent.name)?;
        let kind = self.objects[at].kind;
        matches!(kind, Some(Kind::Gateway | Kind::ListenerSet)).then_some(at)
    }

    /// Whether the statuses are up to date.
    pub fn is_current(&self, object: usize) -> bool {
        let statuses = self.statuses_of(object);
        let outdated = |status: &Status<'a>| status.is_outdated(&self.objects[object]);
        !self.objects[object].is_deleted && !statuses.iter().any(outdated)
    }

    /// Whether part of the input could not be read.
    pub fn is_partial(&self) -> bool {
        self.is_partial
    }
}

/// Returns the number of values that are not objects. The kind of a truncated value may follow.
fn collect<'a>(
    node: Node<'a>,
    list: Option<&Object<'a>>,
    lists: usize,
    objects: &mut Vec<Object<'a>>,
) -> usize {
    let Some(object) = Object::read(node, list) else {
        return usize::from(!node.is_cut());
    };
    // `kubectl get` prints a `List`; the API returns kinds like `HTTPRouteList`.
    let is_list = object.kind_name.ends_with("List") && object.kind.is_none();
    let items = node.get("items").filter(|_| is_list && lists > 0);
    match items {
        Some(items) => items
            .items()
            .map(|item| collect(item, Some(&object), lists - 1, objects))
            .sum(),
        None if is_list && node.written("items").is_some() => 0,
        None if node.is_cut() => 0,
        None => {
            objects.push(object);
            0
        }
    }
}

fn grants<'a>(object: &Object<'a>) -> Vec<Grant<'a>> {
    let Some(spec) = object.at(&["spec"]) else {
        return Vec::new();
    };
    let side = |list: &'static str, last: &'static str| -> Vec<[&'a str; 3]> {
        let entries = spec.items_at(list).take(MAX_GRANT);
        let texts = |entry: Node<'a>| ["group", "kind", last].map(|name| entry.str_at(name));
        entries.map(texts).collect()
    };
    let (from, to) = (side("from", "namespace"), side("to", "name"));
    let pairs = from
        .iter()
        .flat_map(|from| to.iter().map(move |to| (from, to)));
    pairs
        .map(|(from, to)| (object.namespace, *from, *to))
        .collect()
}
