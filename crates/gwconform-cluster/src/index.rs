use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Range;

use super::MAX_ITEMS;
use super::conditions::Value;
use super::crds::Crds;
use super::gateway::{ClassState, ParentRef, class_name, is_gateway_api};
use super::node::{File, Node, Text};
use super::object::{Kind, Object};
use super::references::Reference;
use super::status::{self, Status};
use gwconform_base::text::counted;

/// Maximum number of stored grants. If reached, references are not checked.
const MAX_GRANTS: usize = 1_000_000;

/// Presence of a referenced object in the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// The input includes the object.
    There,
    /// Missing, although the input has others of that kind and namespace, or all of that kind.
    Missing,
    /// The input has no objects of that kind and namespace.
    NotDumped,
}

/// Number of files and objects in the input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Number of files.
    pub files: usize,
    /// Number of objects of known kinds.
    pub known: usize,
    /// Number of distinct objects of unknown kinds.
    pub passed_over: usize,
    /// Number of documents or list items without `apiVersion` and `kind`.
    pub no_objects: usize,
}

impl Counts {
    /// Reason why nothing was read, without a full stop. `reasons` replace the default reason.
    pub fn nothing_read(&self, mut reasons: Vec<String>) -> String {
        if reasons.is_empty() {
            let others = self.passed_over + self.known;
            reasons.push(match (others, self.no_objects) {
                _ if self.files == 0 => "expected files .yaml, .yml or .json".to_owned(),
                (0, 0) => "the input is empty".to_owned(),
                (0, count) => format!("{} without apiVersion and kind", counted(count, "document")),
                (count, _) => format!("found {} of other kinds", counted(count, "object")),
            });
        }
        let (files, reasons) = (counted(self.files, "file"), reasons.join("; "));
        format!("no object of the Gateway API in {files}; {reasons}")
    }
}

type Key<'a> = (&'a str, &'a str, &'a str, &'a str);

/// Permission in a ReferenceGrant: its namespace, `from` (group, kind, namespace), and `to` (group,
/// kind, name). An empty name permits all names.
type Grant<'a> = (&'a str, [&'a str; 3], [&'a str; 3]);

fn key<'a>(object: &Object<'a>) -> Option<Key<'a>> {
    let name = object.name?.value;
    Some((object.group, object.kind_name, object.namespace, name))
}

/// Index of all objects in the input.
#[derive(Debug)]
pub struct Cluster<'a> {
    /// Input files, in the order in which they were passed.
    pub files: &'a [File<'a>],
    /// Objects in file order. Duplicates are included.
    pub objects: Vec<Object<'a>>,
    /// Gateway API CRDs, with their version and channel annotations.
    pub crds: Crds<'a>,
    /// Numbers of files and objects, for summaries.
    pub counts: Counts,
    statuses: Vec<Status<'a>>,
    ranges: Vec<Range<usize>>,
    by_kind: BTreeMap<Kind, Vec<usize>>,
    by_name: HashMap<Key<'a>, usize>,
    dumped: HashSet<(&'a str, &'a str, &'a str)>,
    namespaces: HashSet<&'a str>,
    grants: HashSet<Grant<'a>>,
    repeated: BTreeSet<usize>,
    is_partial: bool,
    listed: BTreeSet<Kind>,
}

impl<'a> Cluster<'a> {
    /// Reads all objects, including items of a `List`, but not their statuses. Findings can quote
    /// only objects of known kinds, never Secrets.
    pub fn read(files: &'a [File<'a>]) -> Self {
        Self::of_files(files).indexed()
    }

    /// Reads a cluster dump. If an object occurs more than once, a copy with a status is preferred.
    /// In manifests, all copies are used, because they may be variants.
    pub(crate) fn read_dump(files: &'a [File<'a>]) -> Self {
        let mut cluster = Self::of_files(files);
        cluster.choose();
        cluster.indexed().with_statuses()
    }

    /// Reads the statuses of all objects.
    #[must_use]
    pub(crate) fn with_statuses(mut self) -> Self {
        for (at, object) in self.objects.iter().enumerate() {
            let start = self.statuses.len();
            if !self.repeated.contains(&at) {
                self.statuses.extend(status::read(object, at));
            }
            self.ranges.push(start..self.statuses.len());
        }
        self
    }

    /// Sets the kinds whose objects are all in the input.
    #[must_use]
    pub(crate) fn with_listed(mut self, kinds: &[Kind]) -> Self {
        self.listed = kinds.iter().copied().collect();
        self
    }

    fn of_files(files: &'a [File<'a>]) -> Self {
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
                no_objects += collect(Node::new(file, root), None, &mut objects);
            }
            let quotable = objects[first..].iter().flat_map(Object::quotable_parts);
            file.source.quote_only(quotable.collect());
        }
        Self {
            files,
            crds: Crds::default(),
            repeated: BTreeSet::new(),
            counts: Counts {
                files: files.len(),
                no_objects,
                ..Counts::default()
            },
            statuses: Vec::new(),
            ranges: Vec::new(),
            by_kind: BTreeMap::new(),
            by_name: HashMap::new(),
            dumped: HashSet::new(),
            namespaces: HashSet::new(),
            grants: HashSet::new(),
            listed: BTreeSet::new(),
            is_partial: files.iter().any(|file| file.is_cut() || file.has_aliases()),
            objects,
        }
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

    fn indexed(mut self) -> Self {
        for (at, object) in self.objects.iter().enumerate() {
            if self.repeated.contains(&at) {
                continue;
            }
            if let Some(key) = key(object) {
                self.by_name.entry(key).or_insert(at);
            }
            if let Some(kind) = object.kind {
                self.by_kind.entry(kind).or_default().push(at);
            }
            let (group, kind, namespace) = (object.group, object.kind_name, object.namespace);
            self.dumped.insert((group, kind, namespace));
            if !namespace.is_empty() {
                self.namespaces.insert(namespace);
            }
            if object.kind == Some(Kind::ReferenceGrant) && self.grants.len() < MAX_GRANTS {
                self.grants.extend(grants(object));
            }
        }
        self.crds = Crds::read(self.of(&[Kind::Crd]));
        self.counts.known = self.by_kind.values().map(Vec::len).sum();
        self.counts.passed_over = self.objects.len() - self.counts.known - self.repeated.len();
        self
    }

    /// Ignored duplicates in a dump.
    pub fn repeated(&self) -> impl Iterator<Item = &Object<'a>> {
        self.repeated.iter().filter_map(|&at| self.objects.get(at))
    }

    /// Objects of some kinds with their indexes, sorted by kind and file order.
    pub fn of<'c>(&'c self, kinds: &'c [Kind]) -> impl Iterator<Item = (usize, &'c Object<'a>)> {
        let of_kind = |kind: &Kind| self.by_kind.get(kind).map_or(&[][..], Vec::as_slice);
        let places = kinds.iter().flat_map(of_kind);
        places.map(|&at| (at, &self.objects[at]))
    }

    /// Whether the input includes one of the kinds.
    pub fn has(&self, kinds: &[Kind]) -> bool {
        kinds.iter().any(|kind| self.by_kind.contains_key(kind))
    }

    /// Whether the input contains all objects of the kind, so that absence counts.
    pub fn is_listed(&self, kind: Kind) -> bool {
        !self.is_partial && self.listed.contains(&kind)
    }

    /// Namespace with this name.
    pub fn namespace(&self, name: &str) -> Option<&Object<'a>> {
        let at = self.find("", "Namespace", "", name)?;
        self.objects.get(at)
    }

    /// The object's own conditions, then one status per listener, parent or ancestor.
    pub(crate) fn statuses_of(&self, object: usize) -> &[Status<'a>] {
        let range = self.ranges.get(object).cloned().unwrap_or_default();
        self.statuses.get(range).unwrap_or_default()
    }

    /// Status with the object's own conditions.
    pub(crate) fn own_status(&self, object: usize) -> Option<&Status<'a>> {
        let first = self.statuses_of(object).first()?;
        first.entry.is_none().then_some(first)
    }

    /// Statuses written by controllers, except those of deleted objects.
    pub fn statuses(&self) -> impl Iterator<Item = &Status<'a>> {
        let written = self.statuses.iter().filter(|status| status.is_reconciled);
        written.filter(|status| !self.objects[status.object].is_deleted)
    }

    /// Like [`Self::statuses`], plus defaults of the API server.
    pub(crate) fn statuses_and_defaults(&self) -> impl Iterator<Item = &Status<'a>> {
        let has_default =
            |status: &Status<'a>| status.entry.is_none() && !status.conditions.is_empty();
        let all = self.statuses.iter();
        all.filter(move |status| status.is_reconciled || has_default(status))
            .filter(|status| !self.objects[status.object].is_deleted)
    }

    /// Whether a controller has written any status. If not, the input consists of manifests, which
    /// may be incomplete.
    pub(crate) fn has_status(&self) -> bool {
        self.statuses.iter().any(|status| status.is_reconciled)
    }

    /// Index in [`Self::objects`] of the object with this identity.
    pub fn find(&self, group: &str, kind: &str, namespace: &str, name: &str) -> Option<usize> {
        self.by_name.get(&(group, kind, namespace, name)).copied()
    }

    /// Whether the input includes an object of this kind and namespace.
    pub fn includes(&self, group: &str, kind: &str, namespace: &str) -> bool {
        self.dumped.contains(&(group, kind, namespace))
    }

    /// Looks up a referenced object in the input.
    pub fn presence(&self, to: &Reference<'_>) -> Presence {
        if self
            .find(to.group, to.kind, to.namespace, to.name)
            .is_some()
        {
            Presence::There
        } else if Kind::of(to.group, to.kind).is_some_and(|kind| self.is_listed(kind)) {
            Presence::Missing
        } else if self.is_partial || !self.dumped.contains(&(to.group, to.kind, to.namespace)) {
            Presence::NotDumped
        } else {
            Presence::Missing
        }
    }

    /// Whether a ReferenceGrant permits the reference. `None` if the input includes no
    /// ReferenceGrant or no object in the target namespace, unless ReferenceGrants are complete.
    pub fn permits(&self, from: &Object<'_>, to: &Reference<'_>) -> Option<bool> {
        let of = [from.group, from.kind_name, from.namespace];
        let has = |name| {
            let grant = (to.namespace, of, [to.group, to.kind, name]);
            self.grants.contains(&grant)
        };
        if has(to.name) || has("") {
            return Some(true);
        }
        let is_dumped = self.has(&[Kind::ReferenceGrant]) && self.namespaces.contains(to.namespace);
        let is_known = is_dumped || self.is_listed(Kind::ReferenceGrant);
        (is_known && !self.is_partial && self.grants.len() < MAX_GRANTS).then_some(false)
    }

    /// Class name, and the index of the GatewayClass if present.
    pub(crate) fn class_of(&self, gateway: &Object<'a>) -> Option<(Text<'a>, Option<usize>)> {
        let name = class_name(gateway)?;
        let class = self.find(super::GROUP, "GatewayClass", "", name.value);
        Some((name, class))
    }

    /// Returns whether a GatewayClass is accepted.
    pub(crate) fn class_state(&self, class: usize) -> ClassState {
        let status = self.own_status(class);
        match status.and_then(|status| status.value("Accepted")) {
            Some(Value::True) => ClassState::Accepted,
            Some(Value::False) => ClassState::Refused,
            Some(Value::Unknown) | None => ClassState::Undecided,
        }
    }

    /// `spec.controllerName` of a GatewayClass or a mesh.
    pub fn controller(&self, object: usize) -> Option<Text<'a>> {
        self.objects.get(object)?.controller
    }

    /// Index of the Gateway that a parent reference names.
    pub(crate) fn gateway_of(&self, parent: &ParentRef<'a>) -> Option<usize> {
        if !is_gateway_api(parent.group) {
            return None;
        }
        let at = self.find(parent.group, parent.kind, parent.namespace, parent.name)?;
        (self.objects[at].kind == Some(Kind::Gateway)).then_some(at)
    }

    /// Index of the Gateway or ListenerSet that a parent reference names.
    pub(crate) fn listening_parent(&self, parent: &ParentRef<'a>) -> Option<usize> {
        if !is_gateway_api(parent.group) {
            return None;
        }
        let at = self.find(parent.group, parent.kind, parent.namespace, parent.name)?;
        let kind = self.objects[at].kind;
        matches!(kind, Some(Kind::Gateway | Kind::ListenerSet)).then_some(at)
    }

    /// Whether no status is for an earlier generation, and the object is not being deleted.
    pub fn is_current(&self, object: usize) -> bool {
        let statuses = self.statuses_of(object);
        let outdated = |status: &Status<'a>| status.is_outdated(&self.objects[object]);
        !self.objects[object].is_deleted && !statuses.iter().any(outdated)
    }

    /// Whether the input has unparsed parts or unresolved aliases.
    pub fn is_partial(&self) -> bool {
        self.is_partial
    }
}

/// Returns the number of complete values that are not objects. A truncated value may have an unread
/// `kind`.
fn collect<'a>(node: Node<'a>, list: Option<&Object<'a>>, objects: &mut Vec<Object<'a>>) -> usize {
    let Some(object) = Object::read(node, list) else {
        return usize::from(!node.is_cut());
    };
    // `kubectl get` prints a `List`, and the API returns kinds such as `HTTPRouteList`.
    let is_list = object.kind_name.ends_with("List") && object.kind.is_none();
    let items = node.get("items").filter(|_| is_list);
    match items {
        Some(items) => items
            .items()
            .map(|item| collect(item, Some(&object), objects))
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
        let entries = spec.items_at(list).take(MAX_ITEMS);
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
