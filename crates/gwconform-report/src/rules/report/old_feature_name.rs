use std::collections::BTreeSet;

use crate::rules::recomputed::newer_name;
use crate::rules::unknown_names::lists;
use crate::rules::{Findings, Remedy, ReportContext, message_parts, rule};
use gwconform_base::api::NameKind;
use gwconform_base::text::message::Message;

rule! {
    "old_feature_name.md", ReportContext(check), Text<'a>, Remedy;
    Renamed { field: &'a str, name: &'a str, newer: &'a str, facts: Message } => "{field}: {name} was renamed; expected {newer} for {facts}",
}

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    let Some((release, _)) = cx.facts() else {
        return;
    };
    let mut seen = BTreeSet::new();
    for (kind, field, list) in lists(cx.report) {
        for name in &list.items {
            if kind != NameKind::Feature {
                continue;
            }
            let Some(newer) = newer_name(cx.registry, release, name.value) else {
                continue;
            };
            if !seen.insert(name.value) {
                continue;
            }
            let text = Text::Renamed {
                field,
                name: name.value,
                newer,
                facts: message_parts::facts_of(cx, release),
            };
            message_parts::by_facts(cx, out, cx.value(name.node), text)
                .help(message_parts::rerun_release(cx));
        }
    }
}
