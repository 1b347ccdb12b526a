use std::collections::BTreeMap;

use crate::rules::{Findings, Remedy, ReportContext, rule};

rule! {
    "repeated_profile.md", ReportContext(check), Text<'a>, Remedy;
    Duplicate { profile: &'a str } => "duplicate profile {profile}",
    First => "first occurrence",
}

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    let mut first = BTreeMap::new();
    for name in cx.report.profiles.iter().filter_map(|profile| profile.name) {
        if let Some(&node) = first.get(name.value) {
            let profile = name.value;
            out.at(cx.value(name.node), Text::Duplicate { profile })
                .label(cx.value(node), Text::First)
                .help(Remedy::SubmitUnmodified);
        } else {
            first.insert(name.value, name.node);
        }
    }
}
