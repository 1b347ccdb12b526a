//! `resource/gateway-class-missing`: the implementer's guide, "Gateway"

use super::{Kind, ResourceContext};
use crate::diagnostic::in_code;
use crate::rules::{Check, Findings, Rule};

/// The rule.
pub static RULE: Rule = Rule::error(
    "resource/gateway-class-missing",
    include_str!("gateway_class_missing.md"),
    Check::Resource(&[&[Kind::Gateway], &[Kind::GatewayClass]], check),
);

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    if cx.cluster.is_partial() {
        return;
    }
    for (_, gateway) in cx.living(&[Kind::Gateway]) {
        let Some((name, None)) = cx.cluster.class_of(gateway) else {
            continue;
        };
        let message = format!(
            "{} names the class `{}`, which is not there",
            gateway.title(),
            in_code(&name.value)
        );
        out.at(name.node.place(), message)
            .help("name a GatewayClass that exists, or dump all of them");
    }
}
