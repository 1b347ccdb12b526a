//! `resource/crd-without-annotations`

use super::{Advice, Kind, ResourceContext};
use crate::rules::{Check, Findings, Rule};
use crate::text::message::{Message, texts};

/// The rule.
pub static RULE: Rule = Rule::warning(
    "resource/crd-without-annotations",
    include_str!("crd_without_annotations.md"),
    Check::Resource(&[&[Kind::Crd]], check),
)
.sources(&["implementer's guide, Gateway API is delivered using CRDs"])
.related(&["resource/crd-annotation-missing"])
.texts(&[Text::TEMPLATES, Advice::TEMPLATES]);

texts! {
    enum Text {
        Without { crd: Message } => "{crd} has neither the annotation `gateway.networking.k8s.io/bundle-version` nor `gateway.networking.k8s.io/channel`",
    }
}

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    let crds = cx.cluster.crds.found.iter();
    for crd in crds.filter(|crd| !crd.is_annotated()) {
        let object = &cx.cluster.objects[crd.object];
        let crd = object.title();
        out.at(
            object.place_of("metadata/annotations"),
            Text::Without { crd },
        )
        .help(Advice::InstallCrds);
    }
}
