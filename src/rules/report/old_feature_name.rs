//! `report/old-feature-name`

use std::collections::BTreeSet;

use crate::diagnostic::{Severity, in_code};
use crate::registry::Kind;
use crate::rules::names::lists;
use crate::rules::recomputed::newer_name;
use crate::rules::{Check, Findings, ReportContext, Rule, words};

/// The rule.
pub static RULE: Rule = Rule::warning(
    "report/old-feature-name",
    include_str!("old_feature_name.md"),
    Check::Report(check),
)
.legacy(Severity::Info)
.strict();

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    let Some((release, _)) = cx.facts() else {
        return;
    };
    let mut seen = BTreeSet::new();
    for (kind, field, list) in lists(cx.report) {
        for name in &list.items {
            if kind != Kind::Feature {
                continue;
            }
            let Some(newer) = newer_name(cx.registry, release, name.value) else {
                continue;
            };
            if !seen.insert(name.value) {
                continue;
            }
            let message = format!(
                "{field} names `{}`, which is `{newer}` in {}",
                in_code(&name.value),
                words::facts_of(cx, release),
                newer = in_code(&newer)
            );
            words::by_facts(cx, out, cx.value(name.node), message).help(words::rerun_release(cx));
        }
    }
}
