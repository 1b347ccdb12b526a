use super::NeedsContext;
use crate::needs::{Need, Place};
use crate::rules::{Findings, rule};
use gwconform_base::api::Family;
use gwconform_base::release::Release;
use gwconform_base::text::diagnostic::Severity;
use gwconform_base::text::message::Message;

rule! {
    "not_listed.md", NeedsContext(check), Text<'a>;
    NotListed { field: Message, feature: &'a str, owner: Message } => "{field} needs {feature}, which {owner} does not list in `status.supportedFeatures`",
    List => "its list",
    OtherClass => "remove it, or use another class",
    OtherMesh => "remove it, or use another mesh",
}

fn check(cx: &NeedsContext<'_>, out: &mut Findings) {
    for listed in cx.listed {
        let is_missing = |need: &&Need<'_>| !listed.features.contains(&need.feature);
        for need in cx.needs.certain.iter().filter(is_missing) {
            let is_covered = |place: &&Place<'_>| match place.families {
                Some(families) => families.has(listed.family),
                None => is_of(cx, &need.feature, listed.family),
            };
            for place in need.places(true).filter(is_covered) {
                let text = Text::NotListed {
                    field: place.title(),
                    feature: &need.feature,
                    owner: listed.title.clone(),
                };
                let finding = out.at(place.anchor(), text);
                if !is_of(cx, &need.feature, listed.family) {
                    finding.severity = finding.severity.min(Severity::Warning);
                }
                finding
                    .label(listed.anchor.place.clone(), Text::List)
                    .help(match listed.family {
                        Family::Gateway => Text::OtherClass,
                        Family::Mesh => Text::OtherMesh,
                    });
            }
        }
    }
}

/// Whether a profile of a family has a feature. Objects such as ReferenceGrants belong to both
/// families.
fn is_of(cx: &NeedsContext<'_>, feature: &str, family: Family) -> bool {
    let mut profiles = cx.registry.newest().into_iter().flat_map(Release::profiles);
    profiles.any(|profile| {
        let knows = profile.has(feature);
        profile.family == family && knows
    })
}
