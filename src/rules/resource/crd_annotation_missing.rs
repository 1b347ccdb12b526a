//! `resource/crd-annotation-missing`

use super::{Advice, Kind, ResourceContext};
use crate::cluster::{CHANNEL, VERSION};
use crate::rules::{Check, Findings, Rule};
use crate::text::diagnostic::Anchor;
use crate::text::message::{Message, texts};

/// The rule.
pub static RULE: Rule = Rule::error(
    "resource/crd-annotation-missing",
    include_str!("crd_annotation_missing.md"),
    Check::Resource(&[&[Kind::Crd]], check),
)
.sources(&[
    "GEP-1709, CRD version and channel",
    "implementer's guide, Gateway API is delivered using CRDs",
])
.related(&["resource/crd-without-annotations"])
.texts(&[Text::TEMPLATES, Advice::TEMPLATES]);

texts! {
    enum Text<'a> {
        Missing { crd: Message, annotation: &'a str } => "{crd} has no annotation {annotation}",
    }
}

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for crd in cx.cluster.crds.annotated() {
        let (annotation, other) = match (crd.version, crd.channel) {
            (None, Some(channel)) => (VERSION, channel),
            (Some(version), None) => (CHANNEL, version),
            _ => continue,
        };
        let object = &cx.cluster.objects[crd.object];
        let missing = object.place_of(&format!("metadata/annotations/{annotation}"));
        let anchor = Anchor::new(other.node.head().place, missing.subject);
        let crd = object.title();
        out.at(anchor, Text::Missing { crd, annotation })
            .help(Advice::InstallCrds);
    }
}
