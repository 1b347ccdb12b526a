use super::{Kind, ResourceContext};
use crate::rules::Findings;
use crate::{Presence, Value, endpoint_picker};
use gwconform_base::text::message::Message;

resource_rule! {
    "endpoint_picker.md", &[&[Kind::InferencePool]], check, Text<'a>;
    Missing { owner: &'a Message, picker: Message } => "`ResolvedRefs` of {owner} is True, but the endpoint picker {picker} does not exist; expected False with reason `InvalidExtensionRef`",
    There { owner: &'a Message, picker: Message } => "`ResolvedRefs` of {owner} has reason `InvalidExtensionRef`, but the endpoint picker {picker} exists",
    Reference => "this endpoint picker",
    Resolve => "judge the pool again when the Service of its endpoint picker changes",
}

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for (at, pool) in cx.living(&[Kind::InferencePool]) {
        let Some(picker) = endpoint_picker(pool) else {
            continue;
        };
        let service = cx
            .cluster
            .find(picker.group, picker.kind, picker.namespace, picker.name);
        let ports = service.map(|at| cx.cluster.objects[at].items(&["spec", "ports"]));
        let port = picker.node.get("port").map(|port| port.str_at("number"));
        let mut ports = ports.into_iter().flatten();
        let has_port = port.is_some() && ports.any(|one| Some(one.str_at("port")) == port);
        let presence = cx.cluster.presence(&picker);
        let statuses = cx.cluster.statuses_of(at).iter();
        for status in statuses.filter(|status| !status.is_outdated(pool)) {
            let Some(resolved) = status.find("ResolvedRefs") else {
                continue;
            };
            let (owner, picker_title) = (&status.title(), picker.title());
            let text = match (resolved.value, presence) {
                (Some(Value::True), Presence::Missing) => Text::Missing {
                    owner,
                    picker: picker_title,
                },
                (Some(Value::False), Presence::There)
                    if resolved.reason() == "InvalidExtensionRef" && has_port =>
                {
                    Text::There {
                        owner,
                        picker: picker_title,
                    }
                }
                _ => continue,
            };
            out.at(resolved.status_place(), text)
                .label(picker.node.head(), Text::Reference)
                .help(Text::Resolve);
        }
    }
}
