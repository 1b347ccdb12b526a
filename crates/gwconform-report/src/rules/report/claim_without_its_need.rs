use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::profiles;
use crate::report::view::{List, Profile};
use crate::rules::{Findings, ReportContext, message_parts, rule};
use gwconform_base::release::Release;
use gwconform_base::text::message::Message;

rule! {
    "claim_without_its_need.md", ReportContext(check), Text<'a>, profiles::Text;
    Untested { profile: Message, feature: &'a str, needs: Message } => "{profile}: {feature} is supported, but each of its tests requires {needs}, which is listed as unsupported",
    Unsupported => "unsupported here",
    Decide => "run the suite again with all of these features supported, or exclude this one with `--exempt-features`",
}

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    let Some(recomputed) = cx.recomputed() else {
        return;
    };
    for profile in &recomputed.report.profiles {
        let untested = untested(recomputed.release, profile);
        let extended = profile.extended.as_ref().filter(|_| !untested.is_empty());
        let Some(extended) = extended else {
            continue;
        };
        for item in extended
            .supported_features
            .iter()
            .flat_map(|list| &list.items)
        {
            let Some(needs) = untested.get(item.value) else {
                continue;
            };
            let text = Text::Untested {
                profile: profiles::name(profile),
                feature: item.value,
                needs: message_parts::names(needs.iter().copied()),
            };
            let names: Vec<&str> = needs.iter().copied().collect();
            let anchor = cx
                .value(item.node)
                .and(format!("without {}", names.join(" ")));
            let finding = message_parts::by_facts(cx, out, anchor, text);
            let listed = extended
                .unsupported_features
                .iter()
                .flat_map(|list| &list.items);
            for other in listed.filter(|other| needs.contains(other.value)).take(3) {
                finding.label(cx.value(other.node), Text::Unsupported);
            }
            finding.help(Text::Decide);
        }
    }
}

/// Features whose tests all require an unsupported feature; not features without tests.
fn untested<'a>(release: &Release, claim: &'a Profile<'a>) -> BTreeMap<&'a str, BTreeSet<&'a str>> {
    let Some(extended) = &claim.extended else {
        return BTreeMap::new();
    };
    let names = |list: &'a Option<List<'a>>, is_supported: bool| {
        let names = list.iter().flatten().copied();
        names.map(move |name| (name, is_supported))
    };
    // If a name is in both lists, `supportedFeatures` wins.
    let listed: HashMap<&str, bool> = names(&extended.unsupported_features, false)
        .chain(names(&extended.supported_features, true))
        .collect();
    if listed.values().all(|is_supported| *is_supported) {
        return BTreeMap::new();
    }
    let mut needs: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut tested: HashSet<&str> = HashSet::new();
    let profiles = release
        .profiles()
        .filter(|profile| profile.report_name == claim.name_or_empty());
    for member in profiles.flat_map(|profile| release.members(profile)) {
        let features = member.needs.iter();
        let features = features.filter_map(|name| listed.get_key_value(name.as_str()));
        let (mut supported, mut missing) = (Vec::new(), Vec::new());
        for (&name, &is_supported) in features {
            let names = if is_supported {
                &mut supported
            } else {
                &mut missing
            };
            names.push(name);
        }
        if missing.is_empty() {
            tested.extend(supported);
        } else {
            for feature in supported {
                needs.entry(feature).or_default().extend(&missing);
            }
        }
    }
    needs.retain(|feature, _| !tested.contains(feature));
    needs
}
