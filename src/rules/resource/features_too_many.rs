//! `resource/features-too-many`: GEP-2162, "API"

use super::{Kind, ResourceContext, feature_lists};
use crate::rules::{Check, Findings, Rule};

/// The rule.
pub static RULE: Rule = Rule::error(
    "resource/features-too-many",
    include_str!("features_too_many.md"),
    Check::Resource(&[&[Kind::GatewayClass, Kind::Mesh]], check),
);

/// GEP-2162, "API": MaxItems.
const MOST: usize = 64;

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for (object, list) in feature_lists(cx) {
        let count = list.names.len();
        let Some(first) = list.names.get(MOST) else {
            continue;
        };
        let message = format!(
            "{} lists {count} features, expected {MOST} at most; this is the first beyond",
            object.title()
        );
        out.at(first.node.place(), message)
            .help("the API server refuses the whole status");
    }
}
