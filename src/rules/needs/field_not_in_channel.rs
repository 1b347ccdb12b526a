//! `needs/field-not-in-channel`

use super::NeedsContext;
use super::shared::absent;
use crate::api::{Minor, Version};
use crate::cluster::needs::crds::Absent;
use crate::rules::{Check, Findings, Rule};
use crate::text::message::texts;

/// The rule.
pub static RULE: Rule = Rule::error(
    "needs/field-not-in-channel",
    include_str!("field_not_in_channel.md"),
    Check::Needs(check),
)
.sources(&["config/crd of each release"])
.related(&["needs/field-gone", "needs/kind-not-in-channel"])
.texts(&[Text::TEMPLATES]);

texts! {
    enum Text<'a> {
        Experimental { field: &'a str, release: &'a Version } => "{field} is only in the experimental CRDs of {release}",
        Since { field: &'a str, release: &'a Version, since: Minor } => "{field} is only in the experimental CRDs of {release}; the standard ones have it since {since}",
    }
}

fn check(cx: &NeedsContext<'_>, out: &mut Findings) {
    for (crds, one) in absent(cx) {
        let Absent::Experimental(since) = one.why else {
            continue;
        };
        let (field, release) = (one.path, &crds.release.version);
        let text = match since {
            Some(since) => Text::Since {
                field,
                release,
                since,
            },
            None => Text::Experimental { field, release },
        };
        out.at(one.node.head(), text);
    }
}
