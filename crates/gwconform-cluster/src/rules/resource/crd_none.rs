use super::{Kind, ResourceContext};
use crate::rules::Findings;

resource_rule! {
    "crd_none.md", &[&[Kind::Crd]], check, Text;
    Only => "the only CRD has neither a Gateway API version nor a channel",
    NoneOf { count: usize } => "none of the {count} CRDs has a Gateway API version or channel",
    Install => "install the CRDs of a release, or add them to the dump: the conformance suite stops without a version",
}

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    let crds = &cx.cluster.crds;
    if crds.annotated().next().is_some() || cx.cluster.is_partial() {
        return;
    }
    let of_gateway_api = crds
        .found
        .first()
        .map(|crd| &cx.cluster.objects[crd.object]);
    // Install manifests of other projects contain only the CRDs of these projects.
    let any = || cx.cluster.of(&[Kind::Crd]).next().map(|(_, object)| object);
    let is_cluster = cx.cluster.has_status() || cx.cluster.is_listed(Kind::Crd);
    let any = || any().filter(|_| is_cluster);
    if let Some(object) = of_gateway_api.or_else(any) {
        let text = match crds.all {
            1 => Text::Only,
            count => Text::NoneOf { count },
        };
        out.at(object.place().about(Kind::Crd.as_str()), text)
            .help(Text::Install);
    }
}
