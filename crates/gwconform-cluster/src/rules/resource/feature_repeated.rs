use std::collections::BTreeMap;

use super::{Kind, ResourceContext, feature_lists};
use crate::rules::Findings;
use gwconform_base::text::message::Message;

resource_rule! {
    "feature_repeated.md", &[&[Kind::GatewayClass, Kind::Mesh]], check, Text<'a>;
    Duplicate { name: &'a str, object: Message } => "duplicate feature {name} of {object}",
    First => "first one here",
}

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for (object, list) in feature_lists(cx) {
        let mut seen = BTreeMap::new();
        for entry in &list.names {
            let name = entry.value;
            if let Some(first) = seen.insert(name, *entry) {
                let text = Text::Duplicate {
                    name,
                    object: object.title(),
                };
                out.at(list.place(entry), text)
                    .label(first.place(), Text::First);
            }
        }
    }
}
