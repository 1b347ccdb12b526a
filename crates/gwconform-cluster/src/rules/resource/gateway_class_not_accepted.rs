use super::{Kind, ResourceContext};
use crate::rules::Findings;
use crate::{ClassState, Value};
use gwconform_base::text::message::Message;

resource_rule! {
    "gateway_class_not_accepted.md", &[&[Kind::Gateway], &[Kind::GatewayClass]], check, Text;
    Refused { gateway: Message, class: Message } => "{gateway} refers to {class}, which is not accepted",
    Accepted { gateway: Message, class: Message } => "{gateway} is accepted, but its {class} is not",
    Here => "accepted here",
    AcceptClass => "accept the GatewayClass first, because its Gateways are reconciled only then",
}

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for (at, object) in cx.living(&[Kind::Gateway]) {
        let Some((name, Some(class))) = cx.cluster.class_of(object) else {
            continue;
        };
        // A class without the API server's default status is a manifest.
        if cx.cluster.objects[class].at(&["status"]).is_none() {
            continue;
        }
        let status = cx.cluster.own_status(at);
        let accepted = status.and_then(|status| status.find("Accepted"));
        // The Gateway states the problem too, so the statuses agree.
        if accepted.is_some_and(|condition| condition.value == Some(Value::False)) {
            continue;
        }
        let accepted = accepted.filter(|condition| condition.value == Some(Value::True));
        let state = cx.cluster.class_state(class);
        let (gateway, class) = (object.title(), cx.cluster.objects[class].title());
        let text = match (state, accepted.is_some()) {
            (ClassState::Refused, false) => Text::Refused { gateway, class },
            (ClassState::Refused | ClassState::Undecided, true) => {
                Text::Accepted { gateway, class }
            }
            (ClassState::Undecided, false) | (ClassState::Accepted, _) => continue,
        };
        let finding = out.at(name.place(), text);
        if let Some(accepted) = accepted {
            finding.label(accepted.status_place(), Text::Here);
        }
        finding.help(Text::AcceptClass);
    }
}
