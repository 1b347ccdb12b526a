use std::collections::BTreeMap;

use super::{Kind, ResourceContext, status_of};
use crate::ClassState;
use crate::rules::Findings;
use gwconform_base::text::message::Message;

resource_rule! {
    "class_undecided.md", &[&[Kind::GatewayClass]], check, Text<'a>;
    Missing { class: Message, controller: &'a str, other: Message } => "{class} has no `Accepted` condition from {controller}, which has already set one on {other}",
    Undecided { class: Message, status: Message, controller: &'a str, other: Message } => "`Accepted` of {class} is {status}, but {controller} has already decided on {other}; expected True or False",
    Controller => "its controller",
    Decide => "set `Accepted` to False on each GatewayClass that the controller does not accept",
}

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    // Controllers that have decided about another class, and are therefore running.
    let mut deciding = BTreeMap::new();
    for (at, class) in cx.living(&[Kind::GatewayClass]) {
        if let Some(controller) = cx.cluster.controller(at)
            && cx.cluster.class_state(at) != ClassState::Undecided
        {
            deciding.entry(controller.value).or_insert(class);
        }
    }
    for (at, class) in cx.living(&[Kind::GatewayClass]) {
        if cx.cluster.class_state(at) != ClassState::Undecided {
            continue;
        }
        let controller = cx.cluster.controller(at);
        let Some((controller, other)) =
            controller.and_then(|controller| Some((controller, deciding.get(controller.value)?)))
        else {
            continue;
        };
        let status = cx.cluster.own_status(at);
        let finding = match status.and_then(|status| status.find("Accepted")) {
            Some(accepted) => out.at(
                accepted.status_place(),
                Text::Undecided {
                    class: class.title(),
                    status: status_of(accepted),
                    controller: controller.value,
                    other: other.title(),
                },
            ),
            None => out.at(
                class.place_of("status/conditions/Accepted"),
                Text::Missing {
                    class: class.title(),
                    controller: controller.value,
                    other: other.title(),
                },
            ),
        };
        finding
            .label(controller.place(), Text::Controller)
            .help(Text::Decide);
    }
}
