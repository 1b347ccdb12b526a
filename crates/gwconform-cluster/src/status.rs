use super::conditions::{ConditionType, StatusKind, Value, types};
use super::node::{Node, Text};
use super::object::{Kind, Object, title};
use gwconform_base::text::diagnostic::Anchor;
use gwconform_base::text::message::Message;

/// Condition in a status.
#[derive(Clone, Copy, Debug)]
pub struct Condition<'a> {
    /// Node of the condition.
    pub node: Node<'a>,
    /// `type` field, such as `Accepted`.
    pub name: Option<Text<'a>>,
    /// `status` as written.
    pub status: Option<Text<'a>>,
    /// Parsed `status`; `None` if invalid.
    pub value: Option<Value>,
    /// `reason` field, such as `InvalidListener`.
    pub reason: Option<Text<'a>>,
    /// `message` field, for people.
    pub message: Option<Text<'a>>,
    /// Integer in `observedGeneration`, and its node.
    pub observed: Option<(i64, Node<'a>)>,
    /// Set by the API server: the reason is Pending or Waiting, and the time is in 1970.
    pub is_default: bool,
}

impl<'a> Condition<'a> {
    fn read(node: Node<'a>) -> Option<Self> {
        if !node.is_map() {
            return None;
        }
        let text = |name| node.text_at(name);
        let (status, reason) = (text("status"), text("reason"));
        let observed = node.number_at("observedGeneration");
        let waits = reason.is_some_and(|reason| matches!(reason.value, "Pending" | "Waiting"));
        let since = node.str_at("lastTransitionTime");
        Some(Self {
            node,
            name: text("type"),
            status,
            value: status.and_then(|status| Value::from_text(status.value)),
            reason,
            message: text("message"),
            observed,
            is_default: waits && observed.is_none() && since.starts_with("1970-01-01"),
        })
    }

    /// Node of `observedGeneration`, of any YAML type.
    pub(crate) fn written_generation(&self) -> Option<Node<'a>> {
        self.node.get("observedGeneration")
    }

    /// `type` field; empty if missing.
    pub fn name(&self) -> &'a str {
        self.name.map_or("", |name| name.value)
    }

    /// `reason` field; empty if missing.
    pub fn reason(&self) -> &'a str {
        self.reason.map_or("", |reason| reason.value)
    }

    /// Position of `type` or, if missing, of the first key.
    pub fn place(&self) -> Anchor {
        let at_type = self.name.map(|name| name.node.place());
        let place = at_type.unwrap_or_else(|| self.node.head()).place;
        Anchor::new(place, self.node.subject())
    }

    /// Position of the status or, if missing, the condition.
    pub(crate) fn status_place(&self) -> Anchor {
        self.status
            .map_or_else(|| self.place(), |status| status.place())
    }

    /// Position of the reason or, if missing, the status.
    pub(crate) fn reason_place(&self) -> Anchor {
        self.reason
            .map_or_else(|| self.status_place(), |reason| reason.place())
    }
}

/// Conditions of an object, listener, parent or ancestor.
#[derive(Debug)]
pub struct Status<'a> {
    /// Kind of object or list item with the conditions.
    pub kind: StatusKind,
    /// Index in [`super::Cluster::objects`].
    pub object: usize,
    /// Entry of a status list; `None` for the object's own conditions.
    pub entry: Option<Node<'a>>,
    /// Condition list or, if missing, its parent.
    pub list: Node<'a>,
    /// Conditions in file order.
    pub conditions: Box<[Condition<'a>]>,
    /// Indexes of `conditions`, sorted by type, because hostile files may have thousands of
    /// conditions.
    by_name: Box<[usize]>,
    /// Index of `entry` in its list.
    nth: usize,
    /// Group, kind, namespace and name of the object.
    owner: [&'a str; 4],
    /// Whether a controller has written the status.
    pub is_reconciled: bool,
}

impl<'a> Status<'a> {
    /// Title, such as ``listener `web` of Gateway `infra/edge` ``.
    pub fn title(&self) -> Message {
        let [group, kind, namespace, name] = self.owner;
        let owner = title(group, kind, namespace, name);
        let Some(entry) = self.entry else {
            return owner;
        };
        let part = match self.kind {
            StatusKind::Listener | StatusKind::ListenerEntry => listener(self.nth, entry),
            StatusKind::Policy | StatusKind::AnyPolicy => {
                target("ancestor ", entry.get("ancestorRef"))
            }
            _ => target("parent ", entry.get("parentRef")),
        };
        Message::list([part, owner], "", " of ")
    }

    /// Position of the condition list.
    pub fn place(&self) -> Anchor {
        self.list.head()
    }

    /// Last condition of a type.
    pub fn find(&self, name: &str) -> Option<&Condition<'a>> {
        let conditions = &self.conditions;
        let after = (self.by_name).partition_point(|&at| conditions[at].name() <= name);
        let last = &conditions[self.by_name[after.checked_sub(1)?]];
        (last.name() == name).then_some(last)
    }

    /// Value of the last condition of a type.
    pub fn value(&self, name: &str) -> Option<Value> {
        self.find(name)?.value
    }

    /// Conditions of types that the API defines, without defaults of the API server.
    pub fn known(&self) -> impl Iterator<Item = (&Condition<'a>, &'static ConditionType)> {
        let types = types(self.kind);
        let written = self
            .conditions
            .iter()
            .filter(|condition| !condition.is_default);
        written.filter_map(|condition| Some((condition, types.get(condition.name())?)))
    }

    /// Whether a condition is for an earlier generation.
    pub(crate) fn is_outdated(&self, object: &Object<'_>) -> bool {
        let Some((generation, _)) = object.generation else {
            return false;
        };
        let mut observed = self
            .conditions
            .iter()
            .filter_map(|condition| condition.observed);
        observed.any(|(observed, _)| observed < generation)
    }
}

pub(super) fn read<'a>(object: &Object<'a>, at: usize) -> Vec<Status<'a>> {
    let Some(status) = object.at(&["status"]) else {
        return Vec::new();
    };
    // Only controllers write these fields.
    let written = ["listeners", "supportedFeatures"].into_iter();
    let is_written = written
        .filter_map(|name| status.get(name))
        .any(|list| !list.is_empty());
    let owner = [
        object.group,
        object.kind_name,
        object.namespace,
        object.name(),
    ];
    let make = |kind, entry: Option<(usize, Node<'a>)>| {
        let of = entry.map_or(status, |(_, entry)| entry);
        let conditions = of.items_at("conditions").filter_map(Condition::read);
        let conditions: Box<[_]> = conditions.collect();
        Status {
            kind,
            object: at,
            entry: entry.map(|(_, entry)| entry),
            nth: entry.map_or(0, |(nth, _)| nth),
            owner,
            list: of.get("conditions").unwrap_or(of),
            // The API server adds a default entry to InferencePools.
            is_reconciled: conditions.iter().any(|condition| !condition.is_default)
                || entry.map_or(is_written, |_| conditions.is_empty()),
            by_name: by_name(&conditions),
            conditions,
        }
    };
    let each = |kind, list| -> Vec<_> {
        let entries = status.items_at(list).filter(|entry| entry.is_map());
        let entries = entries.enumerate();
        entries.map(|entry| make(kind, Some(entry))).collect()
    };
    let own = |kind| vec![make(kind, None)];
    let (mut own, entries) = match object.kind {
        Some(Kind::GatewayClass) => (own(StatusKind::GatewayClass), Vec::new()),
        Some(Kind::Mesh) => (own(StatusKind::Mesh), Vec::new()),
        Some(Kind::Gateway) => (
            own(StatusKind::Gateway),
            each(StatusKind::Listener, "listeners"),
        ),
        Some(Kind::ListenerSet) => (
            own(StatusKind::ListenerSet),
            each(StatusKind::ListenerEntry, "listeners"),
        ),
        Some(Kind::Policy) => (Vec::new(), each(StatusKind::Policy, "ancestors")),
        Some(Kind::AnyPolicy) => (Vec::new(), each(StatusKind::AnyPolicy, "ancestors")),
        Some(Kind::InferencePool) => (Vec::new(), each(StatusKind::InferencePool, "parents")),
        Some(kind) if Kind::ROUTES.contains(&kind) => {
            (Vec::new(), each(StatusKind::Route, "parents"))
        }
        _ => return Vec::new(),
    };
    own.extend(entries);
    own
}

fn by_name(conditions: &[Condition<'_>]) -> Box<[usize]> {
    let mut all: Box<[usize]> = (0..conditions.len()).collect();
    all.sort_by_key(|&at| conditions[at].name());
    all
}

fn listener(nth: usize, entry: Node<'_>) -> Message {
    let mut title = Message::words("listener ");
    match entry.str_at("name") {
        "" => title.push(Message::code(format_args!("[{nth}]"))),
        name => title.push_code(name),
    }
    title
}

fn target(noun: &'static str, reference: Option<Node<'_>>) -> Message {
    let text = |name| reference.map_or("", |reference| reference.str_at(name));
    let mut title = Message::words(noun);
    title.push_code(text("name"));
    let section = text("sectionName");
    if !section.is_empty() {
        title.push_words(" (".into());
        title.push_code(section);
        title.push_words(")".into());
    }
    title
}
