//! `resource/crd-without-annotations`: the implementer's guide, "Gateway API is delivered using CRDs"

use super::{Kind, ResourceContext};
use crate::diagnostic::in_code;
use crate::resource::{CHANNEL, VERSION};
use crate::rules::{Check, Findings, Rule};

/// The rule.
pub static RULE: Rule = Rule::warning(
    "resource/crd-without-annotations",
    include_str!("crd_without_annotations.md"),
    Check::Resource(&[&[Kind::Crd]], check),
);

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for crd in &cx.cluster.crds.found {
        if crd.is_annotated() {
            continue;
        }
        let object = &cx.cluster.objects[crd.object];
        let message = format!(
            "{} has neither `{VERSION}` nor `{CHANNEL}` among its annotations",
            object.title(),
            VERSION = in_code(&VERSION),
            CHANNEL = in_code(&CHANNEL)
        );
        out.at(object.place(), message).help(
            "the conformance suite passes it over, and nobody can tell of which release it is: install the CRDs as they are published",
        );
    }
}
