//! `resource/supported-version-unfounded`: the implementer's guide, "Version Compatibility" and "Gateway API is delivered using CRDs"

use super::{Kind, ResourceContext};
use crate::resource::Value;
use crate::rules::{Check, Findings, Rule};

/// The rule.
pub static RULE: Rule = Rule::error(
    "resource/supported-version-unfounded",
    include_str!("supported_version_unfounded.md"),
    Check::Resource(&[&[Kind::GatewayClass], &[Kind::Crd]], check),
);

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    let crds = &cx.cluster.crds;
    let mut of_gateway_api = crds.found.iter().filter(|crd| crd.is_of_gateway_api);
    // Nothing of the Gateway API in the dump says nothing about the cluster.
    let Some(first) = of_gateway_api.next() else {
        return;
    };
    if crds.annotated().next().is_some() {
        return;
    }
    for (at, object) in cx.living(&[Kind::GatewayClass]) {
        let status = cx
            .cluster
            .own_status(at)
            .filter(|status| status.is_reconciled);
        let found = status.and_then(|status| status.find("SupportedVersion"));
        let Some(found) = found.filter(|found| found.value == Some(Value::True)) else {
            continue;
        };
        let message = format!(
            "`SupportedVersion` of {} is True, although no CRD says its version",
            object.title()
        );
        out.at(found.status_place(), message)
            .label(
                cx.cluster.objects[first.object].place(),
                "no annotation here",
            )
            .help("without the annotations a controller cannot know: say False, or Unknown");
    }
}
