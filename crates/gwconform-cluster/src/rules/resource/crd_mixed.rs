use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::{Advice, Kind, ResourceContext};
use crate::rules::Findings;
use gwconform_base::text::counted;
use gwconform_base::text::message::Message;

resource_rule! {
    "crd_mixed.md", &[&[Kind::Crd]], check, Text, Advice;
    Releases { groups: Message } => "the CRDs belong to different releases: {groups}",
    Channels { groups: Message } => "the CRDs belong to different channels: {groups}",
    Most => "most CRDs have this one",
    Other => "another CRD has this one",
}

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    let crds = &cx.cluster.crds.found;
    let versions = crds.iter().filter_map(|crd| crd.version);
    differing(versions, |groups| Text::Releases { groups }, out);
    let channels = crds.iter().filter_map(|crd| crd.channel);
    differing(channels, |groups| Text::Channels { groups }, out);
}

fn differing<'a>(
    values: impl Iterator<Item = crate::Text<'a>>,
    text: fn(Message) -> Text,
    out: &mut Findings,
) {
    let mut by_value: BTreeMap<&str, (crate::Text<'_>, u64)> = BTreeMap::new();
    for value in values {
        by_value.entry(value.value).or_insert((value, 0)).1 += 1;
    }
    let mut groups: Vec<_> = by_value.into_values().collect();
    // The most common value is probably intended.
    groups.sort_by_key(|(_, count)| Reverse(*count));
    let [most, other, ..] = groups.as_slice() else {
        return;
    };
    let named = groups.iter().map(|(value, count)| {
        let mut group = Message::code(value.value);
        group.push_words(format!(" ({})", counted(*count, "CRD")).into());
        group
    });
    let label = if most.1 > other.1 {
        Text::Most
    } else {
        Text::Other
    };
    out.at(
        other.0.place(),
        text(Message::short_list(named, ", ", " and ")),
    )
    .label(most.0.place(), label)
    .help(Advice::InstallCrds);
}
