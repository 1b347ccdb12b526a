//! `needs/version-not-served`

use super::NeedsContext;
use super::shared::{VersionText, versions};
use crate::cluster::needs::crds::Served;
use crate::rules::{Check, Findings, Rule};

/// The rule.
pub static RULE: Rule = Rule::error(
    "needs/version-not-served",
    include_str!("version_not_served.md"),
    Check::Needs(check),
)
.sources(&["config/crd of each release"])
.related(&["needs/version-deprecated", "needs/kind-gone"])
.texts(&[VersionText::TEMPLATES]);

fn check(cx: &NeedsContext<'_>, out: &mut Findings) {
    versions(
        cx,
        "is not served by",
        |served| match served {
            Served::VersionNotServed { write } => Some(write),
            _ => None,
        },
        out,
    );
}
