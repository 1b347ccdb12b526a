use super::{Kind, ResourceContext};
use crate::ClassState;
use crate::rules::Findings;
use gwconform_base::text::message::Message;

resource_rule! {
    "gateway_not_reconciled.md", &[&[Kind::Gateway], &[Kind::GatewayClass]], check, Text<'a>;
    Waiting { gateway: Message, class: Message, controller: &'a str } => "{gateway} has no condition of {controller}, which has accepted its {class}",
    Class => "its class",
    Decide => "set `Accepted` and `Programmed` on each Gateway of an accepted class, to Unknown until they are decided",
}

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for (at, gateway) in cx.living(&[Kind::Gateway]) {
        let Some((name, Some(class))) = cx.cluster.class_of(gateway) else {
            continue;
        };
        let is_reconciled = cx
            .cluster
            .own_status(at)
            .is_some_and(|status| status.is_reconciled);
        // A Gateway without the API server's default status is a manifest.
        let has_status = gateway.at(&["status"]).is_some();
        let is_accepted = cx.cluster.class_state(class) == ClassState::Accepted;
        if is_reconciled || !has_status || !is_accepted {
            continue;
        }
        let Some(controller) = cx.cluster.controller(class) else {
            continue;
        };
        let text = Text::Waiting {
            gateway: gateway.title(),
            class: cx.cluster.objects[class].title(),
            controller: controller.value,
        };
        out.at(gateway.place_of("status/conditions"), text)
            .label(name.place(), Text::Class)
            .help(Text::Decide);
    }
}
