use std::collections::BTreeSet;

use super::{ResourceContext, WITH_LISTENERS};
use crate::rules::Findings;
use crate::{Value, listeners};
use gwconform_base::text::message::Message;

resource_rule! {
    "listener_status.md", &[WITH_LISTENERS], check, Text<'a>;
    Missing { owner: Message, name: &'a str } => "{owner} is accepted, but its status has no entry for listener {name}",
    Surplus { owner: Message, name: &'a str } => "the status of {owner} has an entry for listener {name}, which does not exist in its spec",
    Accepted => "accepted here",
    Add => "add a status with conditions for each listener of the spec",
    Remove => "remove the status together with the listener",
}

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for (at, object) in cx.living(WITH_LISTENERS) {
        let Some(status) = cx
            .cluster
            .own_status(at)
            .filter(|_| cx.cluster.is_current(at))
        else {
            continue;
        };
        let accepted = status.find("Accepted");
        let Some(accepted) =
            accepted.filter(|found| found.value == Some(Value::True) && found.observed.is_some())
        else {
            continue;
        };
        let listeners = listeners(object);
        let named: BTreeSet<&str> = listeners.iter().map(|listener| listener.name).collect();
        let statuses = cx.cluster.statuses_of(at).iter();
        let entries: Vec<_> = statuses.filter_map(|status| status.entry).collect();
        let reported: BTreeSet<&str> = entries.iter().map(|entry| entry.str_at("name")).collect();
        for listener in &listeners {
            if !listener.name.is_empty() && !reported.contains(listener.name) {
                let (owner, name) = (object.title(), listener.name);
                out.at(listener.node.head(), Text::Missing { owner, name })
                    .label(accepted.status_place(), Text::Accepted)
                    .help(Text::Add);
            }
        }
        for entry in entries {
            let name = entry.str_at("name");
            if !named.contains(name) {
                let owner = object.title();
                out.at(entry.head(), Text::Surplus { owner, name })
                    .help(Text::Remove);
            }
        }
    }
}
