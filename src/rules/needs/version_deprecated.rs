//! `needs/version-deprecated`

use super::NeedsContext;
use super::shared::{VersionText, versions};
use crate::cluster::needs::crds::Served;
use crate::rules::{Check, Findings, Rule};

/// The rule.
pub static RULE: Rule = Rule::warning(
    "needs/version-deprecated",
    include_str!("version_deprecated.md"),
    Check::Needs(check),
)
.sources(&["config/crd of each release"])
.related(&["needs/version-not-served"])
.texts(&[VersionText::TEMPLATES]);

fn check(cx: &NeedsContext<'_>, out: &mut Findings) {
    versions(
        cx,
        "is deprecated in",
        |served| match served {
            Served::Deprecated { write } => Some(write),
            _ => None,
        },
        out,
    );
}
