use super::NeedsContext;
use crate::api::Family;
use crate::cluster::needs::Need;
use crate::release::Release;
use crate::rules::Findings;
use crate::text::message::Message;

rule! {
    "not_listed.md", Needs(check), Text<'a>;
    NotListed { field: Message, feature: &'a str, owner: Message } => "{field} needs {feature}, which {owner} does not list in `status.supportedFeatures`",
    List => "its list",
    OtherClass => "remove it, or use another class",
    OtherMesh => "remove it, or use another mesh",
}

fn check(cx: &NeedsContext<'_>, out: &mut Findings) {
    for listed in cx.listed {
        let is_of_family = |need: &&Need<'_>| is_of(cx, &need.feature, listed.family);
        let is_missing = |need: &&Need<'_>| !listed.features.contains(&need.feature);
        let needs = cx.needs.certain.iter().filter(is_of_family);
        for need in needs.filter(is_missing) {
            let places = need.places.kept.iter();
            for place in places.filter(|place| cx.needs.asks(listed.family, place)) {
                let text = Text::NotListed {
                    field: place.title(),
                    feature: &need.feature,
                    owner: listed.title.clone(),
                };
                out.at(place.anchor(), text)
                    .label(listed.anchor.place.clone(), Text::List)
                    .help(match listed.family {
                        Family::Gateway => Text::OtherClass,
                        Family::Mesh => Text::OtherMesh,
                    });
            }
        }
    }
}

fn is_of(cx: &NeedsContext<'_>, feature: &str, family: Family) -> bool {
    let mut profiles = cx.registry.newest().into_iter().flat_map(Release::profiles);
    profiles.any(|profile| {
        let knows = profile.has(feature);
        profile.family == family && knows
    })
}
