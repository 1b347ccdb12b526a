//! What of a cluster works, by its statuses alone: what people look for first.

use super::conditions::StatusKind;
use super::index::Cluster;
use super::status::{Status, Value};

/// How many names of a trouble are kept.
const MAX_NAMES: usize = 100;

/// What works of a cluster.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Health {
    /// What a controller has written a status of, and how many of each: `Gateway`, 3.
    pub judged: Vec<(&'static str, usize)>,
    /// What does not work.
    pub troubles: Vec<Trouble>,
}

/// One thing that does not work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// What it is about: `Route`.
    pub noun: &'static str,
    /// What is wrong with it: `not accepted`.
    pub what: &'static str,
    /// How many are in trouble.
    pub count: usize,
    /// Of how many.
    pub of: usize,
    /// Their names, in the order of the input; the first of many.
    pub names: Vec<String>,
}

/// One question to the statuses of a kind.
struct Question {
    noun: &'static str,
    kinds: &'static [StatusKind],
    what: &'static str,
    /// True for a status that is in trouble.
    is_troubled: fn(&Status<'_>) -> bool,
}

const QUESTIONS: &[Question] = &[
    Question {
        noun: "GatewayClass",
        kinds: &[StatusKind::GatewayClass],
        what: "waiting for a controller",
        is_troubled: is_waiting,
    },
    Question {
        noun: "GatewayClass",
        kinds: &[StatusKind::GatewayClass],
        what: "not accepted",
        is_troubled: is_not_accepted,
    },
    Question {
        noun: "Gateway",
        kinds: &[StatusKind::Gateway],
        what: "waiting for a controller",
        is_troubled: is_waiting,
    },
    Question {
        noun: "Gateway",
        kinds: &[StatusKind::Gateway],
        what: "not accepted",
        is_troubled: is_not_accepted,
    },
    Question {
        noun: "Gateway",
        kinds: &[StatusKind::Gateway],
        what: "accepted but not programmed",
        is_troubled: |status| {
            is(status, "Accepted", Value::True) && is(status, "Programmed", Value::False)
        },
    },
    Question {
        noun: "ListenerSet",
        kinds: &[StatusKind::ListenerSet],
        what: "not accepted",
        is_troubled: is_not_accepted,
    },
    Question {
        noun: "listener",
        kinds: &[StatusKind::Listener, StatusKind::ListenerEntry],
        what: "conflicted",
        is_troubled: |status| is(status, "Conflicted", Value::True),
    },
    Question {
        noun: "listener",
        kinds: &[StatusKind::Listener, StatusKind::ListenerEntry],
        what: "not accepted or not programmed",
        is_troubled: |status| {
            !is(status, "Conflicted", Value::True)
                && (is(status, "Accepted", Value::False) || is(status, "Programmed", Value::False))
        },
    },
    Question {
        noun: "Route",
        kinds: &[StatusKind::Route],
        what: "not accepted",
        is_troubled: is_not_accepted,
    },
    Question {
        noun: "Route",
        kinds: &[StatusKind::Route],
        what: "with unresolved references",
        is_troubled: |status| is(status, "ResolvedRefs", Value::False),
    },
    Question {
        noun: "policy",
        kinds: &[StatusKind::Policy, StatusKind::AnyPolicy],
        what: "not enforced",
        is_troubled: is_not_accepted,
    },
    Question {
        noun: "InferencePool",
        kinds: &[StatusKind::InferencePool],
        what: "not accepted",
        is_troubled: is_not_accepted,
    },
    Question {
        noun: "mesh",
        kinds: &[StatusKind::Mesh],
        what: "not accepted",
        is_troubled: is_not_accepted,
    },
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
    pub fn of(cluster: &Cluster<'_>) -> Self {
        let mut health = Self::default();
        for question in QUESTIONS {
            let (mut of, mut count, mut names) = (0, 0, Vec::new());
            let mut judged = 0;
            let is_asked = |status: &&Status<'_>| question.kinds.contains(&status.kind);
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
                if is_counted || !(question.is_troubled)(status) {
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
            if judged > 0 && !health.judged.iter().any(|(noun, _)| *noun == question.noun) {
                health.judged.push((question.noun, judged));
            }
            if count > 0 {
                health.troubles.push(Trouble {
                    noun: question.noun,
                    what: question.what,
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
