//! `resource/crd-mixed`: what the conformance suite does with CRDs (GEP-1709, "CRD version and channel")

use std::collections::BTreeMap;

use super::{Kind, ResourceContext};
use crate::diagnostic::in_code;
use crate::resource::{Crd, Text};
use crate::rules::{Check, Findings, Rule};
use crate::text::{counted, joined};

/// The rule.
pub static RULE: Rule = Rule::error(
    "resource/crd-mixed",
    include_str!("crd_mixed.md"),
    Check::Resource(&[&[Kind::Crd]], check),
);

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    let crds = &cx.cluster.crds.found;
    differing(
        "releases",
        crds.iter().filter_map(|crd: &Crd<'_>| crd.version),
        out,
    );
    differing(
        "channels",
        crds.iter().filter_map(|crd: &Crd<'_>| crd.channel),
        out,
    );
}

fn differing<'a>(what: &str, texts: impl Iterator<Item = Text<'a>>, out: &mut Findings) {
    let mut by_value: BTreeMap<&str, (Text<'_>, u64)> = BTreeMap::new();
    for text in texts {
        by_value.entry(text.value).or_insert((text, 0)).1 += 1;
    }
    if by_value.len() < 2 {
        return;
    }
    let mut groups: Vec<_> = by_value.into_values().collect();
    // What most of them say is what was meant.
    groups.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let counted = |(text, count): &(Text<'_>, u64)| {
        format!("`{}` ({})", in_code(&text.value), counted(*count, "CRD"))
    };
    let shown: Vec<String> = groups.iter().take(4).map(counted).collect();
    let message = format!(
        "the CRDs are of different {what}: {}",
        joined(&shown, "and")
    );
    let (most, odd) = (&groups[0], &groups[1]);
    let label = match most.1 > odd.1 {
        true => "most of them say this",
        false => "another says this",
    };
    out.at(odd.0.node.place(), message)
        .label(most.0.node.place(), label)
        .help("the conformance suite stops here: install the CRDs of one release and channel");
}
