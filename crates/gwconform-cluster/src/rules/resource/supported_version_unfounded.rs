use super::{Kind, ResourceContext};
use crate::Value;
use crate::rules::Findings;
use gwconform_base::text::message::Message;

resource_rule! {
    "supported_version_unfounded.md", &[&[Kind::GatewayClass], &[Kind::Crd]], check, Text;
    Unfounded { class: Message } => "`SupportedVersion` of {class} is True, but no CRD has a version annotation",
    WithoutAnnotation => "without the annotation",
    Set => "set it to False or Unknown: without the annotation a controller cannot know the version",
}

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    let crds = &cx.cluster.crds;
    let mut of_gateway_api = crds.found.iter().filter(|crd| crd.is_of_gateway_api);
    // If the dump contains no CRDs, the cluster may still have them.
    let Some(first) = of_gateway_api.next() else {
        return;
    };
    if crds.annotated().next().is_some() {
        return;
    }
    for (at, object) in cx.living(&[Kind::GatewayClass]) {
        let found = cx
            .cluster
            .own_status(at)
            .filter(|status| status.is_reconciled)
            .and_then(|status| status.find("SupportedVersion"));
        let Some(found) = found.filter(|found| found.value == Some(Value::True)) else {
            continue;
        };
        let class = object.title();
        let crd = cx.cluster.objects[first.object].place();
        out.at(found.status_place(), Text::Unfounded { class })
            .label(crd, Text::WithoutAnnotation)
            .help(Text::Set);
    }
}
