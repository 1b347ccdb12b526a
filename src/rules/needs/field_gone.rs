//! `needs/field-gone`

use super::NeedsContext;
use super::shared::absent;
use crate::api::{Minor, Version};
use crate::cluster::needs::crds::Absent;
use crate::rules::{Check, Findings, Rule};
use crate::text::message::texts;

/// The rule.
pub static RULE: Rule = Rule::error(
    "needs/field-gone",
    include_str!("field_gone.md"),
    Check::Needs(check),
)
.sources(&["config/crd of each release"])
.related(&["needs/field-not-in-channel", "needs/kind-gone"])
.texts(&[Text::TEMPLATES]);

texts! {
    enum Text<'a> {
        Gone { field: &'a str, release: &'a Version, until: Minor } => "{field} is in no CRD of {release}; the last minor with it is {until}",
        NotYet { field: &'a str, release: &'a Version, since: Minor } => "{field} is in no CRD of {release}; the first minor with it is {since}",
    }
}

fn check(cx: &NeedsContext<'_>, out: &mut Findings) {
    for (crds, one) in absent(cx) {
        let (field, release) = (one.path, &crds.release.version);
        let text = match one.why {
            Absent::Gone(until) => Text::Gone {
                field,
                release,
                until,
            },
            Absent::NotYet(since) => Text::NotYet {
                field,
                release,
                since,
            },
            Absent::Experimental(_) => continue,
        };
        out.at(one.node.head(), text);
    }
}
