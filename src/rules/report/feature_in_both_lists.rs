//! `report/feature-in-both-lists`

use std::collections::BTreeMap;

use crate::diagnostic::in_code;
use crate::rules::{Check, Findings, Remedy, ReportContext, Rule};

/// The rule.
pub static RULE: Rule = Rule::error(
    "report/feature-in-both-lists",
    include_str!("feature_in_both_lists.md"),
    Check::Report(check),
);

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    for profile in &cx.report.profiles {
        let name = profile.name.map_or("a profile", |name| name.value);
        for (_, level) in profile.levels() {
            let (Some(supported), Some(unsupported)) =
                (&level.supported_features, &level.unsupported_features)
            else {
                continue;
            };
            let unsupported = unsupported.items.iter().rev();
            let unsupported: BTreeMap<_, _> =
                unsupported.map(|item| (item.value, item.node)).collect();
            for feature in &supported.items {
                let Some(&other) = unsupported.get(feature.value) else {
                    continue;
                };
                let message = format!(
                    "{name}: `{}` is supported and unsupported at once",
                    in_code(&feature.value)
                );
                out.at(cx.value(feature.node), message)
                    .label(cx.value(other), "unsupported here")
                    .help(Remedy::SubmitUnmodified);
            }
        }
    }
}
