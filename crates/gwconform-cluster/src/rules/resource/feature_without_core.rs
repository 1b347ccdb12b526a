use std::collections::{BTreeMap, BTreeSet};

use super::{Kind, ResourceContext, by_facts, feature_lists};
use crate::rules::Findings;
use crate::{FeatureList, Object};
use gwconform_base::api::Level;
use gwconform_base::release::Release;
use gwconform_base::text::diagnostic::Anchor;
use gwconform_base::text::message::Message;

resource_rule! {
    "feature_without_core.md", &[&[Kind::GatewayClass, Kind::Mesh]], check, Text<'a>;
    One { object: Message, feature: &'a str, resource: &'a str } => "{object} lists {feature} without {resource}, whose core features it needs",
    Several { object: Message, feature: &'a str, more: usize, resource: &'a str } => "{object} lists {feature} and {more} more without {resource}, whose core features they need",
    List { resource: &'a str } => "list {resource} as well",
}

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    let Some(release) = cx.basis.release else {
        return;
    };
    for (object, list) in feature_lists(cx) {
        for (resource, names) in without_core(object, &list, release) {
            let Some(first) = names.first() else { continue };
            let text = match names.len() {
                1 => Text::One {
                    object: object.title(),
                    feature: first.value,
                    resource,
                },
                count => Text::Several {
                    object: object.title(),
                    feature: first.value,
                    more: count - 1,
                    resource,
                },
            };
            let missing = list.node.subject().child(resource);
            let anchor = Anchor::new(first.node.place().place, missing);
            by_facts(cx, out, anchor, text).help(Text::List { resource });
        }
    }
}

fn without_core<'a>(
    object: &Object<'_>,
    list: &FeatureList<'a>,
    release: &'a Release,
) -> BTreeMap<&'a str, Vec<crate::Text<'a>>> {
    let listed: BTreeSet<&str> = list.names.iter().map(|name| name.value).collect();
    let mut lonely: BTreeMap<&str, Vec<_>> = BTreeMap::new();
    for name in &list.names {
        let feature = release
            .feature(name.value)
            .filter(|known| known.level == Level::Extended);
        // Features of meshes do not require the feature Mesh.
        if let Some(resource) = feature.and_then(|feature| feature.resource.as_deref())
            && resource != "Mesh"
            && (object.kind != Some(Kind::Mesh) || resource != "Gateway")
            && release.feature(resource).is_some()
            && !listed.contains(resource)
        {
            lonely.entry(resource).or_default().push(*name);
        }
    }
    lonely
}
