use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::profiles;
use crate::report::view::Profile;
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
fn untested<'a>(release: &'a Release, claim: &Profile<'_>) -> BTreeMap<&'a str, BTreeSet<&'a str>> {
    let mut needs: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let Some(extended) = &claim.extended else {
        return needs;
    };
    let supported: HashSet<&str> = extended
        .supported_features
        .iter()
        .flatten()
        .copied()
        .collect();
    // If a name is in both lists, `supportedFeatures` wins.
    let unsupported = extended.unsupported_features.iter().flatten().copied();
    let missing: HashSet<&str> = unsupported
        .filter(|name| !supported.contains(name))
        .collect();
    let is_missing = |name: &&str| missing.contains(name);
    let tests = || {
        let profiles = release
            .profiles()
            .filter(|profile| profile.report_name == claim.name_or_empty());
        let members = profiles.flat_map(|profile| release.members(profile));
        members.map(|member| member.needs.iter().map(String::as_str))
    };
    for features in tests().filter(|features| features.len() > 1) {
        let (absent, others): (Vec<_>, Vec<_>) = features.partition(is_missing);
        for feature in others
            .into_iter()
            .filter(|name| !absent.is_empty() && supported.contains(name))
        {
            needs.entry(feature).or_default().extend(&absent);
        }
    }
    needs.retain(|feature, _| {
        let mut of_feature =
            tests().filter(|features| features.clone().any(|name| name == *feature));
        of_feature.all(|mut features| features.any(|name| is_missing(&name)))
    });
    needs
}
