//! `needs/profile-missing`

use super::{Advice, NeedsContext};
use crate::message::texts;
use crate::rules::{Check, Findings, Rule};

/// The rule.
pub static RULE: Rule = Rule::error(
    "needs/profile-missing",
    include_str!("profile_missing.md"),
    Check::Needs(check),
)
.sources(&["GEP-1709"])
.related(&["needs/unsupported"])
.texts(&[Advice::TEMPLATES, Text::TEMPLATES]);

texts! {
    enum Text<'a> {
        Missing { target: &'a str, profile: &'a str } => "the report of {target} has no results for {profile}, the profile of this Route",
    }
}

fn check(cx: &NeedsContext<'_>, out: &mut Findings) {
    let Some(to) = cx.to else { return };
    let needed = cx.profiles.iter();
    let missing = needed
        .filter(|name| !to.profiles.contains(*name))
        .filter_map(|name| cx.registry.profile(name));
    for profile in missing {
        for ((kind, family), place) in &cx.needs.routes {
            if profile.family == *family && profile.is_core(kind) {
                let text = Text::Missing {
                    target: &to.name,
                    profile: &profile.name,
                };
                out.at(place.anchor(), text).help(Advice::Try);
            }
        }
    }
}
