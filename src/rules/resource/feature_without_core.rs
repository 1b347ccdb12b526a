//! `resource/feature-without-core`: GEP-2162, "Understanding SupportedFeatures field"

use std::collections::{BTreeMap, BTreeSet};

use super::{Kind, ResourceContext, by_facts, feature_lists};
use crate::diagnostic::in_code;
use crate::registry::Level;
use crate::rules::{Check, Findings, Rule};

/// The rule.
pub static RULE: Rule = Rule::warning(
    "resource/feature-without-core",
    include_str!("feature_without_core.md"),
    Check::Resource(&[&[Kind::GatewayClass, Kind::Mesh]], check),
);

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    let Some(release) = cx.basis.release else {
        return;
    };
    for (object, list) in feature_lists(cx) {
        let listed: BTreeSet<&str> = list.names.iter().map(|name| name.value).collect();
        // By the resource whose core feature is missing: the first feature of it, and how many.
        let mut lonely: BTreeMap<&str, Vec<_>> = BTreeMap::new();
        for name in &list.names {
            // The features of meshes stand without Mesh itself.
            let feature = release.feature(name.value);
            let feature = feature.filter(|feature| feature.level == Level::Extended);
            let resource = feature.and_then(|feature| feature.resource.as_deref());
            if let Some(resource) = resource
                && resource != "Mesh"
                && (object.kind != Some(Kind::Mesh) || resource != "Gateway")
                && release.feature(resource).is_some()
                && !listed.contains(resource)
            {
                lonely.entry(resource).or_default().push(name);
            }
        }
        for (resource, names) in lonely {
            let Some(first) = names.first() else { continue };
            let more = match names.len() {
                1 => String::new(),
                count => format!(" and {} more", count - 1),
            };
            let message = format!(
                "{} lists `{}`{more} without `{resource}`, whose core features it needs",
                object.title(),
                in_code(&first.value),
                resource = in_code(&resource)
            );
            by_facts(cx, out, first.node.place(), message).help(format!(
                "publish `{resource}` too",
                resource = in_code(&resource)
            ));
        }
    }
}
