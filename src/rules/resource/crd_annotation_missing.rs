//! `resource/crd-annotation-missing`: what the conformance suite does with CRDs (GEP-1709, "CRD version and channel")

use super::{Kind, ResourceContext};
use crate::diagnostic::in_code;
use crate::resource::{CHANNEL, VERSION};
use crate::rules::{Check, Findings, Rule};

/// The rule.
pub static RULE: Rule = Rule::error(
    "resource/crd-annotation-missing",
    include_str!("crd_annotation_missing.md"),
    Check::Resource(&[&[Kind::Crd]], check),
);

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for crd in cx.cluster.crds.annotated() {
        let (missing, there) = match (crd.version, crd.channel) {
            (None, Some(channel)) => (VERSION, channel),
            (Some(version), None) => (CHANNEL, version),
            _ => continue,
        };
        let object = &cx.cluster.objects[crd.object];
        let message = format!(
            "{} has no annotation `{missing}`",
            object.title(),
            missing = in_code(&missing)
        );
        out.at(there.node.head(), message).help(
            "the conformance suite stops here: install the CRDs of one release as they are published",
        );
    }
}
