//! Summarizes cluster health, based on statuses only.

use serde::Serialize;

use super::conditions::{StatusKind, Value};
use super::index::Cluster;
use super::status::Status;

/// Health of a cluster.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Health {
    /// Number of checked items by kind.
    pub judged: Vec<Judged>,
    /// Problems, grouped by kind.
    pub troubles: Vec<Trouble>,
}

/// Number of items of a kind that have a status.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Judged {
    /// Kind, such as `Gateway`, `listener` or `policy`.
    pub kind: &'static str,
    /// Number of items with a status.
    pub count: usize,
}

/// Problem that items of a kind share.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Trouble {
    /// Kind, such as `Gateway`, `listener` or `policy`.
    pub kind: &'static str,
    /// Problem as an English phrase, such as `not accepted`.
    pub problem: &'static str,
    /// Number of affected items.
    pub count: usize,
    /// Number of items of this kind that have a status.
    pub of: usize,
    /// Titles of the affected items.
    pub names: Vec<String>,
}

type Question = (
    &'static str,
    &'static [StatusKind],
    &'static str,
    fn(&Status<'_>) -> bool,
);

const LISTENERS: &[StatusKind] = &[StatusKind::Listener, StatusKind::ListenerEntry];
const POLICIES: &[StatusKind] = &[StatusKind::Policy, StatusKind::AnyPolicy];

#[rustfmt::skip]
const QUESTIONS: &[Question] = &[
    ("GatewayClass", &[StatusKind::GatewayClass], "waiting for a controller", is_waiting),
    ("GatewayClass", &[StatusKind::GatewayClass], "not accepted", is_not_accepted),
    ("Gateway", &[StatusKind::Gateway], "waiting for a controller", is_waiting),
    ("Gateway", &[StatusKind::Gateway], "not accepted", is_not_accepted),
    ("Gateway", &[StatusKind::Gateway], "accepted but not programmed", |status| {
        is(status, "Accepted", Value::True) && is(status, "Programmed", Value::False)
    }),
    ("ListenerSet", &[StatusKind::ListenerSet], "waiting for a controller", is_waiting),
    ("ListenerSet", &[StatusKind::ListenerSet], "not accepted", is_not_accepted),
    ("listener", LISTENERS, "conflicted", |status| is(status, "Conflicted", Value::True)),
    ("listener", LISTENERS, "not accepted or not programmed", |status| {
        !is(status, "Conflicted", Value::True)
            && (is(status, "Accepted", Value::False) || is(status, "Programmed", Value::False))
    }),
    ("Route", &[StatusKind::Route], "waiting for a controller", is_waiting),
    ("Route", &[StatusKind::Route], "not accepted", is_not_accepted),
    ("Route", &[StatusKind::Route], "with unresolved references", |status| {
        is(status, "ResolvedRefs", Value::False)
    }),
    ("policy", POLICIES, "waiting for a controller", is_waiting),
    ("policy", POLICIES, "not enforced", is_not_accepted),
    ("InferencePool", &[StatusKind::InferencePool], "waiting for a controller", is_waiting),
    ("InferencePool", &[StatusKind::InferencePool], "not accepted", is_not_accepted),
    ("mesh", &[StatusKind::Mesh], "waiting for a controller", is_waiting),
    ("mesh", &[StatusKind::Mesh], "not accepted", is_not_accepted),
];

/// Whether no controller has decided. The API server or a controller may have written a default.
fn is_waiting(status: &Status<'_>) -> bool {
    !status.is_reconciled || is(status, "Accepted", Value::Unknown)
}

fn is_not_accepted(status: &Status<'_>) -> bool {
    status.is_reconciled && is(status, "Accepted", Value::False)
}

fn is(status: &Status<'_>, name: &str, value: Value) -> bool {
    status.value(name) == Some(value)
}

impl Health {
    /// Summarizes the statuses of a cluster.
    pub fn new(cluster: &Cluster<'_>) -> Self {
        let mut health = Self::default();
        for &(kind, kinds, problem, is_troubled) in QUESTIONS {
            let (mut of, mut names) = (0, Vec::new());
            let mut judged = 0;
            let is_asked = |status: &&Status<'_>| kinds.contains(&status.kind);
            let mut last = None;
            let mut is_counted = false;
            for status in cluster.statuses_and_defaults().filter(is_asked) {
                // A Route has one status per parent but is counted once.
                let is_part = is_listener(status.kind);
                if is_part || last != Some(status.object) {
                    of += 1;
                    judged += usize::from(status.is_reconciled);
                    is_counted = false;
                    last = Some(status.object);
                }
                if is_counted || !is_troubled(status) {
                    continue;
                }
                is_counted = true;
                names.push(if is_part {
                    status.title().to_string()
                } else {
                    cluster.objects[status.object].title().to_string()
                });
            }
            if judged > 0 && !health.judged.iter().any(|one| one.kind == kind) {
                health.judged.push(Judged {
                    kind,
                    count: judged,
                });
            }
            if !names.is_empty() {
                health.troubles.push(Trouble {
                    kind,
                    problem,
                    count: names.len(),
                    of,
                    names,
                });
            }
        }
        health
    }
}

fn is_listener(kind: StatusKind) -> bool {
    matches!(kind, StatusKind::Listener | StatusKind::ListenerEntry)
}
