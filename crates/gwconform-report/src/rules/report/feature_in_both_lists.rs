use std::collections::BTreeMap;

use super::profiles;
use crate::rules::{Findings, Remedy, ReportContext, rule};
use gwconform_base::text::message::Message;

rule! {
    "feature_in_both_lists.md", ReportContext(check), Text<'a>, profiles::Text, Remedy;
    InBoth { profile: Message, feature: &'a str } => "{profile}: {feature} is listed as both supported and unsupported",
    Unsupported => "unsupported here",
}

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    for profile in &cx.report.profiles {
        for (_, level) in profile.levels() {
            let (Some(supported), Some(unsupported)) =
                (&level.supported_features, &level.unsupported_features)
            else {
                continue;
            };
            let places: BTreeMap<_, _> = unsupported
                .items
                .iter()
                .rev()
                .map(|item| (item.value, item.node))
                .collect();
            for feature in &supported.items {
                let Some(&other) = places.get(feature.value) else {
                    continue;
                };
                let text = Text::InBoth {
                    profile: profiles::name(profile),
                    feature: feature.value,
                };
                out.at(cx.value(feature.node), text)
                    .label(cx.value(other), Text::Unsupported)
                    .help(Remedy::SubmitUnmodified);
            }
        }
    }
}
