//! `report/repeated-profile`

use std::collections::BTreeMap;

use crate::diagnostic::in_code;
use crate::rules::{Check, Findings, Remedy, ReportContext, Rule};

/// The rule.
pub static RULE: Rule = Rule::error(
    "report/repeated-profile",
    include_str!("repeated_profile.md"),
    Check::Report(check),
);

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    let mut first = BTreeMap::new();
    for name in cx.report.profiles.iter().filter_map(|profile| profile.name) {
        if let Some(&node) = first.get(name.value) {
            out.at(
                cx.value(name.node),
                format!("the report has two results for `{}`", in_code(&name.value)),
            )
            .label(cx.value(node), "the other one")
            .help(Remedy::SubmitUnmodified);
        } else {
            first.insert(name.value, name.node);
        }
    }
}
