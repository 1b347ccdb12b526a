//! `resource/condition-repeated`

use std::collections::BTreeMap;

use super::{Kind, ResourceContext};
use crate::rules::{Check, Findings, Rule};
use crate::text::message::{Message, texts};

/// The rule.
pub static RULE: Rule = Rule::error(
    "resource/condition-repeated",
    include_str!("condition_repeated.md"),
    Check::Resource(&[Kind::WITH_STATUS], check),
)
.sources(&["GEP-1364, Background: Kubernetes API conventions"])
.texts(&[Text::TEMPLATES]);

texts! {
    enum Text<'a> {
        Duplicate { name: &'a str, owner: &'a Message } => "duplicate condition {name} of {owner}",
        First => "first one here",
        Remove => "keep one condition of each type",
    }
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
                let owner = &status.title;
                out.at(condition.place(), Text::Duplicate { name, owner })
                    .label(first.place(), Text::First)
                    .help(Text::Remove);
            }
        }
    }
}
