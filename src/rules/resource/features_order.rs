//! `resource/features-order`: GEP-2162, "Introduction"; GEP-3949, MeshStatus

use super::{Kind, ResourceContext, feature_lists};
use crate::diagnostic::in_code;
use crate::rules::{Check, Findings, Rule};

/// The rule.
pub static RULE: Rule = Rule::error(
    "resource/features-order",
    include_str!("features_order.md"),
    Check::Resource(&[&[Kind::GatewayClass, Kind::Mesh]], check),
);

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for (object, list) in feature_lists(cx) {
        let mut pairs = list.names.windows(2);
        let Some([before, after]) = pairs.find(|pair| pair[0].value > pair[1].value) else {
            continue;
        };
        let message = format!(
            "supportedFeatures of {} is out of order: `{}` stands after `{}`",
            object.title(),
            in_code(&after.value),
            in_code(&before.value)
        );
        out.at(after.node.place(), message)
            .label(before.node.place(), "after this")
            .help("publish the list sorted, byte by byte, as Go sorts strings");
    }
}
