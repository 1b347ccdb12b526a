//! `resource/feature-unknown`: GEP-2162, "Standardize features and conformance tests names"

use super::{Kind, Known, ResourceContext, feature_lists};
use crate::diagnostic::{Severity, in_code};
use crate::registry;
use crate::rules::words;
use crate::rules::{Check, recomputed::newer_name};
use crate::rules::{Findings, Rule};

/// The rule.
pub static RULE: Rule = Rule::warning(
    "resource/feature-unknown",
    include_str!("feature_unknown.md"),
    Check::Resource(&[&[Kind::GatewayClass, Kind::Mesh]], check),
);

/// Most names for which near ones are looked for: each costs a walk over all known names.
const MAX_SEARCHES: usize = 200;

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    let Some(release) = cx.basis.release else {
        return;
    };
    let is_unknown_release = matches!(cx.basis.known, Known::Unknown(..));
    let version = release.version();
    let mut searched = 0;
    for (_, list) in feature_lists(cx) {
        for name in &list.names {
            let kind = registry::Kind::Feature;
            if name.value.is_empty() || release.feature(name.value).is_some() {
                continue;
            }
            let known = cx.registry.known_in(kind, name.value);
            let is_known = !known.is_empty();
            let said = if let Some(newer) = newer_name(cx.registry, release, name.value) {
                format!(
                    "`{}` is `{newer}` in {version}",
                    in_code(&name.value),
                    newer = in_code(&newer)
                )
            } else if is_known {
                let there = words::releases(cx.registry, &known);
                format!(
                    "`{}` is no feature of {version}; it is one in {there}",
                    in_code(&name.value)
                )
            } else {
                searched += 1;
                let similar = cx.registry.similar(kind, name.value);
                let similar = similar.filter(|found| found.typo && searched <= MAX_SEARCHES);
                let hint = similar.map_or(String::new(), |similar| {
                    format!("; did you mean `{}`?", in_code(&similar.name))
                });
                format!(
                    "`{}` is no feature of any release{hint}",
                    in_code(&name.value)
                )
            };
            let finding = out.at(name.node.place(), said);
            // What is newer than the facts may well have it.
            if is_unknown_release {
                finding.severity = Severity::Info;
            }
        }
    }
}
