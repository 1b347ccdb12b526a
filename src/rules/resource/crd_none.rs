//! `resource/crd-none`: what the conformance suite does with CRDs (GEP-1709, "CRD version and channel")

use super::{Kind, ResourceContext};
use crate::rules::{Check, Findings, Rule};

/// The rule.
pub static RULE: Rule = Rule::error(
    "resource/crd-none",
    include_str!("crd_none.md"),
    Check::Resource(&[&[Kind::Crd]], check),
);

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    let crds = &cx.cluster.crds;
    if crds.annotated().next().is_some() || cx.cluster.is_partial() {
        return;
    }
    let of_gateway_api = crds
        .found
        .first()
        .map(|crd| &cx.cluster.objects[crd.object]);
    let any = || cx.cluster.of(&[Kind::Crd]).next().map(|(_, object)| object);
    if let Some(object) = of_gateway_api.or_else(any) {
        let count = crds.all;
        let message = match count {
            1 => "the only CRD here does not say that it is of the Gateway API".to_owned(),
            _ => format!("none of the {count} CRDs here says that it is of the Gateway API"),
        };
        out.at(object.place(), message).help(
            "the conformance suite finds no version and stops: install the CRDs of a release, or dump them too",
        );
    }
}
