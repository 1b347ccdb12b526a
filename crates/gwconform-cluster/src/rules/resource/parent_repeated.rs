use std::collections::BTreeMap;

use super::{Kind, ResourceContext};
use crate::rules::Findings;
use crate::{ParentRef, StatusKind};
use gwconform_base::text::message::Message;

resource_rule! {
    "parent_repeated.md", &[Kind::WITH_STATUS], check, Text<'a>;
    Repeated { owner: &'a Message, controller: &'a str } => "the status contains {owner} of controller {controller} twice",
    First => "first one here",
    Update => "update the entry of the controller instead of adding another one",
}

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    let mut seen = BTreeMap::new();
    for status in cx.cluster.statuses() {
        let with_parents = [
            StatusKind::Route,
            StatusKind::Policy,
            StatusKind::AnyPolicy,
            StatusKind::InferencePool,
        ];
        let Some(entry) = status.entry.filter(|_| with_parents.contains(&status.kind)) else {
            continue;
        };
        let reference = entry.get("parentRef").or_else(|| entry.get("ancestorRef"));
        let Some(reference) = reference else { continue };
        let controller = entry.str_at("controllerName");
        let parent = ParentRef::read(reference, cx.object(status));
        let key = (status.object, controller, parent.key());
        if let Some(first) = seen.insert(key, reference) {
            let text = Text::Repeated {
                owner: &status.title(),
                controller,
            };
            out.at(reference.head(), text)
                .label(first.head(), Text::First)
                .help(Text::Update);
        }
    }
}
