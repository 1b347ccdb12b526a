use super::{Advice, Kind, ResourceContext};
use crate::rules::Findings;
use crate::{CHANNEL, VERSION};
use gwconform_base::text::diagnostic::Anchor;
use gwconform_base::text::message::Message;

resource_rule! {
    "crd_annotation_missing.md", &[&[Kind::Crd]], check, Text<'a>, Advice;
    Missing { crd: Message, annotation: &'a str } => "{crd} has no annotation {annotation}",
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
