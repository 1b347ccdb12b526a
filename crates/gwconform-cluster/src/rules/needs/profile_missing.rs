use super::{Advice, NeedsContext};
use crate::rules::{Findings, rule};
use gwconform_base::api::Family;
use gwconform_base::text::message::Words;

rule! {
    "profile_missing.md", NeedsContext(check), Text<'a>, Advice;
    Missing { target: &'a str, profile: &'a str } => "the report of {target} has no results for {profile}, the profile of this Route",
    NoFamily { target: &'a str, family: Words } => "the report of {target} has no results for a {family} profile, which this Route requires",
}

fn check(cx: &NeedsContext<'_>, out: &mut Findings) {
    let Some(to) = cx.to else { return };
    let needed = cx.profiles.iter();
    let missing = needed
        .filter(|name| !to.profiles.contains(*name))
        .filter_map(|name| cx.registry.profile(name));
    for profile in missing {
        for ((kind, family), places) in &cx.needs.routes {
            let is_its = profile.family == *family && profile.is_core(kind);
            if let Some(place) = places.kept.first().filter(|_| is_its) {
                let text = Text::Missing {
                    target: &to.name,
                    profile: &profile.name,
                };
                out.at(place.anchor(), text).help(Advice::Try);
            }
        }
    }
    // Any reported mesh profile shows that the target is a mesh, even if it does not cover the
    // Route kind.
    let reported = to.profiles.iter();
    let families: Vec<Family> = reported
        .filter_map(|name| Some(cx.registry.profile(name)?.family))
        .collect();
    for ((kind, family), places) in &cx.needs.routes {
        let is_covered = cx.registry.has_profile_of(kind, *family) || families.contains(family);
        if let Some(place) = places.kept.first().filter(|_| !is_covered) {
            let text = Text::NoFamily {
                target: &to.name,
                family: Words(family.as_str()),
            };
            out.at(place.anchor(), text).help(Advice::Try);
        }
    }
}
