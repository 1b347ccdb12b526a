use std::collections::{BTreeMap, BTreeSet};

use super::{Kind, ResourceContext};
use crate::needs::Needs;
use crate::rules::Findings;
use crate::{FeatureList, ParentRef, Value, parent_refs};
use gwconform_base::api::{Family, NameKind};
use gwconform_base::release::Release;
use gwconform_base::text::message::Message;

resource_rule! {
    "feature_not_listed.md", &[Kind::ROUTES, &[Kind::Gateway], &[Kind::GatewayClass]], check, Text<'a>;
    NotListed { route: Message, feature: &'a str, class: Message } => "{route} is accepted and needs {feature}, which {class} does not list",
    More { route: Message, more: usize, feature: &'a str, class: Message } => "{route} is accepted and needs {feature}, which {class} does not list; places that need it: {more} more",
    List => "its list",
    Check => "check whether the field has an effect: the class claims no support for it",
}

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for (class, routes) in routes_by_class(cx) {
        let object = &cx.cluster.objects[class];
        let Some(list) = FeatureList::try_new(object).filter(|list| !list.names.is_empty()) else {
            continue;
        };
        let listed: BTreeSet<&str> = list.names.iter().map(|name| name.value).collect();
        let is_listed = |feature: &str| {
            let former = cx.registry.renamed_from(NameKind::Feature, feature);
            listed.contains(feature) || former.is_some_and(|(name, _)| listed.contains(name))
        };
        let needs = Needs::of_routes(cx.cluster, cx.registry, routes);
        for need in &needs.certain {
            let feature = need.feature.as_str();
            if !is_extended(cx, feature) || is_listed(feature) {
                continue;
            }
            let is_of_gateway = |families: crate::needs::Families| families.has(Family::Gateway);
            let mut places = need.places(true);
            let Some(place) = places.find(|place| place.families.is_none_or(is_of_gateway)) else {
                continue;
            };
            let (route, class) = (cx.cluster.objects[place.object].title(), object.title());
            let text = match need.places.count - 1 {
                0 => Text::NotListed {
                    route,
                    feature,
                    class,
                },
                more => Text::More {
                    route,
                    more,
                    feature,
                    class,
                },
            };
            out.at(place.anchor(), text)
                .label(list.node.head(), Text::List)
                .help(Text::Check);
        }
    }
}

/// Routes that are accepted by a Gateway, by the index of its GatewayClass.
fn routes_by_class(cx: &ResourceContext<'_>) -> BTreeMap<usize, BTreeSet<usize>> {
    let mut found: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for (at, route) in cx.living(Kind::ROUTES) {
        let statuses = cx.cluster.statuses_of(at).iter();
        for status in statuses.filter(|status| !status.is_outdated(route)) {
            let reference = status.entry.and_then(|entry| entry.get("parentRef"));
            let is_accepted = status.value("Accepted") == Some(Value::True);
            let class = reference.filter(|_| is_accepted).and_then(|reference| {
                let parent = ParentRef::read(reference, route);
                let owner = &cx.cluster.objects[cx.cluster.listening_parent(&parent)?];
                let gateway = match owner.kind {
                    Some(Kind::ListenerSet) => {
                        let parents = parent_refs(owner);
                        let gateway = cx.cluster.gateway_of(parents.first()?)?;
                        &cx.cluster.objects[gateway]
                    }
                    _ => owner,
                };
                cx.cluster.class_of(gateway)?.1
            });
            if let Some(class) = class {
                found.entry(class).or_default().insert(at);
            }
        }
    }
    found
}

fn is_extended(cx: &ResourceContext<'_>, feature: &str) -> bool {
    let mut profiles = cx.basis.release.into_iter().flat_map(Release::profiles);
    profiles.any(|profile| profile.family == Family::Gateway && profile.is_extended(feature))
}
