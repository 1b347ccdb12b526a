//! `resource/gateway-class-not-accepted`: the implementer's guide, "Gateway"

use super::{Kind, ResourceContext};
use crate::resource::{ClassState, Value};
use crate::rules::{Check, Findings, Rule};

/// The rule.
pub static RULE: Rule = Rule::error(
    "resource/gateway-class-not-accepted",
    include_str!("gateway_class_not_accepted.md"),
    Check::Resource(&[&[Kind::Gateway], &[Kind::GatewayClass]], check),
);

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for (at, gateway) in cx.living(&[Kind::Gateway]) {
        let Some((name, Some(class))) = cx.cluster.class_of(gateway) else {
            continue;
        };
        let status = cx.cluster.own_status(at);
        let accepted = status.and_then(|status| status.find("Accepted"));
        let is_accepted = accepted.is_some_and(|accepted| accepted.value == Some(Value::True));
        let title = gateway.title();
        let class_title = cx.cluster.objects[class].title();
        let message = match (cx.cluster.class_state(class), is_accepted) {
            (ClassState::Refused, false) => {
                format!("{title} names {class_title}, which is not accepted")
            }
            (ClassState::Refused | ClassState::Undecided, true) => {
                format!("{title} is accepted, although {class_title}, which it names, is not")
            }
            // Nobody claims class and Gateway, or the class is.
            (ClassState::Undecided, false) | (ClassState::Accepted, _) => continue,
        };
        let finding = out.at(name.node.place(), message);
        if let Some(accepted) = accepted.filter(|_| is_accepted) {
            finding.label(accepted.status_place(), "accepted here");
        }
        finding
            .help("accept the class first; a Gateway is reconciled only below an accepted class");
    }
}
