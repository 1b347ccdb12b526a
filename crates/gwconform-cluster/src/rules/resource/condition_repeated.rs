use std::collections::BTreeMap;

use super::{Kind, ResourceContext};
use crate::rules::Findings;
use gwconform_base::text::message::Message;

resource_rule! {
    "condition_repeated.md", &[Kind::WITH_STATUS], check, Text<'a>;
    Duplicate { name: &'a str, owner: &'a Message } => "duplicate condition {name} of {owner}",
    First => "first one here",
    Remove => "keep one condition of each type",
}

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for status in cx.cluster.statuses() {
        let mut seen = BTreeMap::new();
        for condition in &status.conditions {
            let name = condition.name();
            if name.is_empty() {
                continue;
            }
            if let Some(first) = seen.insert(name, condition) {
                let owner = &status.title();
                out.at(condition.place(), Text::Duplicate { name, owner })
                    .label(first.place(), Text::First)
                    .help(Text::Remove);
            }
        }
    }
}
