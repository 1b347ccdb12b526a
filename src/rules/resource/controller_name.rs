//! `resource/controller-name`: GEP-3949, "API"; the implementer's guide, "GatewayClass"

use super::{Kind, ResourceContext, is_domain_prefixed};
use crate::diagnostic::in_code;
use crate::rules::{Check, Findings, Rule};

/// The rule.
pub static RULE: Rule = Rule::error(
    "resource/controller-name",
    include_str!("controller_name.md"),
    Check::Resource(&[&[Kind::GatewayClass, Kind::Mesh]], check),
);

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for (_, object) in cx.living(&[Kind::GatewayClass, Kind::Mesh]) {
        let spec = object.at(&["spec"]);
        let node = spec.and_then(|spec| spec.written("controllerName"));
        let written = node
            .and_then(|node| node.text())
            .map_or("", |text| text.value);
        if is_domain_prefixed(written) {
            continue;
        }
        let message = match (node, written) {
            (None, _) => format!("{} has no controllerName", object.title()),
            (_, "") => format!("controllerName of {} is empty", object.title()),
            _ => format!(
                "`{written}` is not a domain-prefixed path",
                written = in_code(&written)
            ),
        };
        let place = match (node, spec) {
            (Some(node), _) => node.place(),
            (None, Some(spec)) => spec.head(),
            (None, None) => object.place(),
        };
        out.at(place, message)
            .help("name the controller by a domain that its makers own: `acme.example/controller`");
    }
}
