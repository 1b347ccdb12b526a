//! What of a cluster works, by its statuses alone: what people look for first.

use serde::Serialize;

use super::conditions::{StatusKind, Value};
use super::index::Cluster;
use super::status::Status;

/// How many names of a trouble are kept.
const MAX_NAMES: usize = 100;

/// What works of a cluster, by its statuses alone.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Health {
    /// What has a status, and how many of each.
    pub judged: Vec<Judged>,
    /// What does not work.
    pub troubles: Vec<Trouble>,
}

/// How many of something have a status.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Judged {
    /// What: `GatewayClass`, `Gateway`, `listener`, `Route`, `policy` or `mesh`.
    pub about: &'static str,
    /// How many.
    pub count: usize,
}

/// One thing that does not work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Trouble {
    /// As in `judged`.
    pub about: &'static str,
    /// What is wrong: `not accepted`, `conflicted`, `not enforced` and so on.
    pub what: &'static str,
    /// How many are in trouble.
    pub count: usize,
    /// Of how many.
    pub of: usize,
    /// Their names, in the order of the input; the first 100.
    pub names: Vec<String>,
}

/// One question to the statuses of a kind: what it is about, the kinds, what is wrong, and what is true of a
/// status that is in trouble.
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
    ("ListenerSet", &[StatusKind::ListenerSet], "not accepted", is_not_accepted),
    ("listener", LISTENERS, "conflicted", |status| is(status, "Conflicted", Value::True)),
    ("listener", LISTENERS, "not accepted or not programmed", |status| {
        !is(status, "Conflicted", Value::True)
            && (is(status, "Accepted", Value::False) || is(status, "Programmed", Value::False))
    }),
    ("Route", &[StatusKind::Route], "not accepted", is_not_accepted),
    ("Route", &[StatusKind::Route], "with unresolved references", |status| {
        is(status, "ResolvedRefs", Value::False)
    }),
    ("policy", POLICIES, "not enforced", is_not_accepted),
    ("InferencePool", &[StatusKind::InferencePool], "not accepted", is_not_accepted),
    ("mesh", &[StatusKind::Mesh], "not accepted", is_not_accepted),
];

/// True for what the API server writes by default, before any controller does.
fn is_waiting(status: &Status<'_>) -> bool {
    !status.is_reconciled
}

fn is_not_accepted(status: &Status<'_>) -> bool {
    let accepted = status.value("Accepted");
    status.is_reconciled && accepted.is_some_and(|accepted| accepted != Value::True)
}

fn is(status: &Status<'_>, name: &str, value: Value) -> bool {
    status.value(name) == Some(value)
}

impl Health {
    /// Reads it from the statuses, where a controller or the API server has written any.
    pub fn new(cluster: &Cluster<'_>) -> Self {
        let mut health = Self::default();
        for &(about, kinds, what, is_troubled) in QUESTIONS {
            let (mut of, mut count, mut names) = (0, 0, Vec::new());
            let mut judged = 0;
            let is_asked = |status: &&Status<'_>| kinds.contains(&status.kind);
            let mut last = None;
            let mut is_counted = false;
            for status in cluster.statuses_and_defaults().filter(is_asked) {
                // A Route has a status for each parent, and counts once.
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
                count += 1;
                if names.len() < MAX_NAMES {
                    names.push(match is_part {
                        true => status.title.to_string(),
                        false => cluster.objects[status.object].title().to_string(),
                    });
                }
            }
            if judged > 0 && !health.judged.iter().any(|one| one.about == about) {
                health.judged.push(Judged {
                    about,
                    count: judged,
                });
            }
            if count > 0 {
                health.troubles.push(Trouble {
                    about,
                    what,
                    count,
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
