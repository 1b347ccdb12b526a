//! `resource/class-undecided`: the implementer's guide, "GatewayClass"

use std::collections::BTreeMap;

use super::{Kind, ResourceContext};
use crate::diagnostic::in_code;
use crate::resource::ClassState;
use crate::rules::{Check, Findings, Rule};

/// The rule.
pub static RULE: Rule = Rule::error(
    "resource/class-undecided",
    include_str!("class_undecided.md"),
    Check::Resource(&[&[Kind::GatewayClass]], check),
);

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    // A controller that has decided about one class is running here.
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
        let accepted = cx
            .cluster
            .own_status(at)
            .and_then(|status| status.find("Accepted"));
        let message = format!(
            "`{}` has decided about {} and not about {}; expected Accepted True or False",
            in_code(&controller.value),
            other.title(),
            class.title()
        );
        let place = accepted.map_or_else(|| class.place(), |accepted| accepted.status_place());
        out.at(place, message)
            .label(controller.node.place(), "its controller")
            .help("a class with the controller's name that it does not accept has Accepted False");
    }
}
