use super::{Advice, Kind, ResourceContext};
use crate::rules::Findings;
use gwconform_base::text::message::Message;

resource_rule! {
    "crd_without_annotations.md", &[&[Kind::Crd]], check, Text, Advice;
    Without { crd: Message } => "{crd} has neither the annotation `gateway.networking.k8s.io/bundle-version` nor `gateway.networking.k8s.io/channel`",
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
