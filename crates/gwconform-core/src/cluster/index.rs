//! All objects of all files, and where each is found.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Range;

use super::conditions::Value;
use super::crds::Crds;
use super::gateway::{ClassState, ParentRef, class_name, is_gateway_api};
use super::node::{File, Node, Text};
use super::object::{Kind, Object};
use super::references::Reference;
use super::status::{self, Status};

/// Deepest nesting of lists in lists that is unwrapped.
const MAX_LISTS: usize = 4;

/// Entries of each side of a ReferenceGrant: what the API allows.
const MAX_GRANT: usize = 16;

/// Most pairs of entries of all ReferenceGrants that are kept; what needs more is not judged.
const MAX_GRANTS: usize = 1_000_000;

/// Whether something that is referred to exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// It exists.
    There,
    /// It does not exist, although others of its kind and namespace are in the dump.
    Missing,
    /// Nothing of its kind and namespace is in the dump: it is not known.
    NotDumped,
}

/// How much was looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Files.
    pub files: usize,
    /// Objects of kinds that something is known of.
    pub known: usize,
    /// Other objects.
    pub passed_over: usize,
    /// Documents that were read to their end and have no `apiVersion` and `kind`.
    pub no_objects: usize,
}

/// Group, kind, namespace, name.
type Key<'a> = (&'a str, &'a str, &'a str, &'a str);

/// Of a ReferenceGrant: its namespace; group, kind and namespace from which, group, kind and name
/// (or nothing for all) to which it permits references.
type Grant<'a> = (&'a str, [&'a str; 3], [&'a str; 3]);

fn key<'a>(object: &Object<'a>) -> Option<Key<'a>> {
    let name = object.name?.value;
    Some((object.group, object.kind_name, object.namespace, name))
}

/// All objects of all files.
#[derive(Debug)]
pub struct Cluster<'a> {
    /// The files.
    pub files: &'a [File<'a>],
    /// The objects, in the order of the files.
    pub objects: Vec<Object<'a>>,
    /// Version and channel.
    pub crds: Crds<'a>,
    /// How much was looked at.
    pub counts: Counts,
    statuses: Vec<Status<'a>>,
    /// Which of the statuses each object has.
    ranges: Vec<Range<usize>>,
    by_kind: BTreeMap<Kind, Vec<usize>>,
    by_name: HashMap<Key<'a>, usize>,
    /// Kinds and namespaces that have at least one object.
    dumped: HashSet<(&'a str, &'a str, &'a str)>,
    namespaces: HashSet<&'a str>,
    grants: HashSet<Grant<'a>>,
    /// Objects that are given more than once: all but the one that counts.
    repeated: BTreeSet<usize>,
    /// True when something was not read.
    is_partial: bool,
}

/// What the files are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Input {
    Manifests,
    Dump,
}

impl<'a> Cluster<'a> {
    /// Reads all objects; those of a `List` are taken out of it. From here on nothing of the files is
    /// quoted but objects of kinds that are checked, and of others the kind; Secrets never.
    pub fn read(files: &'a [File<'a>]) -> Self {
        Self::of_files(files, Input::Manifests)
    }

    /// Reads what was dumped of a cluster: of an object that is given more than once, the first with a
    /// status counts, else the first. Manifests may have variants of one object, of which all count.
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

    /// Objects that are not looked at, as others of the same name count.
    pub fn repeated(&self) -> impl Iterator<Item = &Object<'a>> {
        self.repeated.iter().filter_map(|&at| self.objects.get(at))
    }

    /// The objects of some kinds, in the order of the files.
    pub fn of<'c>(&'c self, kinds: &'c [Kind]) -> impl Iterator<Item = (usize, &'c Object<'a>)> {
        let of_kind = |kind: &Kind| self.by_kind.get(kind).map_or(&[][..], Vec::as_slice);
        let places = kinds.iter().flat_map(of_kind);
        places.map(|&at| (at, &self.objects[at]))
    }

    /// True when there is an object of one of some kinds.
    pub fn has(&self, kinds: &[Kind]) -> bool {
        kinds.iter().any(|kind| self.by_kind.contains_key(kind))
    }

    /// The sets of conditions of an object, its own first.
    pub fn statuses_of(&self, object: usize) -> &[Status<'a>] {
        let range = self.ranges.get(object).cloned().unwrap_or_default();
        self.statuses.get(range).unwrap_or_default()
    }

    /// An object's own conditions.
    pub fn own_status(&self, object: usize) -> Option<&Status<'a>> {
        let first = self.statuses_of(object).first()?;
        first.entry.is_none().then_some(first)
    }

    /// All sets of conditions that a controller has written, of objects that stay.
    pub fn statuses(&self) -> impl Iterator<Item = &Status<'a>> {
        let written = self.statuses.iter().filter(|status| status.is_reconciled);
        written.filter(|status| !self.objects[status.object].is_deleted)
    }

    /// Those, and what the API server gives an object's own conditions by default.
    pub fn statuses_and_defaults(&self) -> impl Iterator<Item = &Status<'a>> {
        let has_default =
            |status: &Status<'a>| status.entry.is_none() && !status.conditions.is_empty();
        let all = self.statuses.iter();
        all.filter(move |status| status.is_reconciled || has_default(status))
            .filter(|status| !self.objects[status.object].is_deleted)
    }

    /// True when a controller has written any status: without one these are manifests that were
    /// never applied, and what they name may be elsewhere.
    pub fn has_status(&self) -> bool {
        self.statuses.iter().any(|status| status.is_reconciled)
    }

    /// The object with a name.
    pub fn find(&self, group: &str, kind: &str, namespace: &str, name: &str) -> Option<usize> {
        self.by_name.get(&(group, kind, namespace, name)).copied()
    }

    /// Whether what a reference names is there.
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

    /// True when a ReferenceGrant lets an object refer to something in another namespace; `None`
    /// where the dump does not show it: it holds no ReferenceGrant, or nothing of that namespace.
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

    /// The class that a Gateway names, as it is written, and the class where it is there.
    pub fn class_of(&self, gateway: &Object<'a>) -> Option<(Text<'a>, Option<usize>)> {
        let name = class_name(gateway)?;
        let class = self.find(super::GROUP, "GatewayClass", "", name.value);
        Some((name, class))
    }

    /// What became of a GatewayClass.
    pub fn class_state(&self, class: usize) -> ClassState {
        let status = self.own_status(class);
        match status.and_then(|status| status.value("Accepted")) {
            Some(Value::True) => ClassState::Accepted,
            Some(Value::False) => ClassState::Refused,
            Some(Value::Unknown) | None => ClassState::Undecided,
        }
    }

    /// The controller of a GatewayClass or a mesh.
    pub fn controller(&self, object: usize) -> Option<Text<'a>> {
        self.objects.get(object)?.controller
    }

    /// The Gateway that a parent names; `None` for other parents.
    pub fn gateway_of(&self, parent: &ParentRef<'a>) -> Option<usize> {
        if !is_gateway_api(parent.group) {
            return None;
        }
        let at = self.find(parent.group, parent.kind, parent.namespace, parent.name)?;
        (self.objects[at].kind == Some(Kind::Gateway)).then_some(at)
    }

    /// The Gateway or ListenerSet that a parent names, whose listeners it attaches to.
    pub fn listening_parent(&self, parent: &ParentRef<'a>) -> Option<usize> {
        if !is_gateway_api(parent.group) {
            return None;
        }
        let at = self.find(parent.group, parent.kind, parent.namespace, parent.name)?;
        let kind = self.objects[at].kind;
        matches!(kind, Some(Kind::Gateway | Kind::ListenerSet)).then_some(at)
    }

    /// True when an object's statuses were written for what it is now.
    pub fn is_current(&self, object: usize) -> bool {
        let statuses = self.statuses_of(object);
        let outdated = |status: &Status<'a>| status.is_outdated(&self.objects[object]);
        !self.objects[object].is_deleted && !statuses.iter().any(outdated)
    }

    /// True when something was not read: what seems to be missing was perhaps there.
    pub fn is_partial(&self) -> bool {
        self.is_partial
    }
}

/// Adds an object, or those of a list; returns how many values are not objects. One that breaks off
/// is neither: its kind may follow.
fn collect<'a>(
    node: Node<'a>,
    list: Option<&Object<'a>>,
    lists: usize,
    objects: &mut Vec<Object<'a>>,
) -> usize {
    let Some(object) = Object::read(node, list) else {
        return usize::from(!node.is_cut());
    };
    // `kubectl get` prints a List of v1; the API itself, HTTPRouteList and its like.
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
