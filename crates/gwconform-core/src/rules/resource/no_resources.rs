use super::ResourceContext;
use crate::rules::Findings;
use crate::text::diagnostic::Anchor;

rule! {
    "no_resources.md", Resource(&[], check), Text;
    Empty => "the input is empty; expected resources of a cluster",
    OtherKinds => "the input has only kinds that are not checked; expected resources of the Gateway API",
    Dump => "dump them with `kubectl get crds,gatewayclasses,gateways,httproutes,services,referencegrants -A -o yaml`",
}

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    let counts = cx.cluster.counts;
    // Unread parts (resource/unreadable) may contain resources.
    if counts.known > 0 || cx.cluster.is_partial() {
        return;
    }
    let Some(file) = cx.cluster.files.first() else {
        return;
    };
    let text = match counts.passed_over + counts.no_objects {
        0 => Text::Empty,
        _ => Text::OtherKinds,
    };
    out.at(Anchor::path(file.source.path()), text)
        .help(Text::Dump);
}
