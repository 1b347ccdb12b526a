use super::{Kind, ResourceContext, by_facts};
use crate::Value;
use crate::rules::Findings;
use gwconform_base::api::Minor;
use gwconform_base::text::diagnostic::Anchor;
use gwconform_base::text::message::Message;

resource_rule! {
    "supported_version.md", &[&[Kind::GatewayClass]], check, Text;
    Missing { class: Message } => "{class} has no condition `SupportedVersion`",
    NotSupported { class: Message } => "the controller of {class} does not support the installed CRDs",
    Set => "set it according to the version annotation of the CRDs and the versions that the controller supports",
    Install => "install the CRDs of a release that the controller supports",
}

/// The condition is required "once v1.0 is released".
const SINCE: Minor = Minor { major: 1, minor: 0 };

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    let release = cx.basis.release;
    if release.is_none_or(|release| release.version().minor() < SINCE) {
        return;
    }
    for (at, object) in cx.living(&[Kind::GatewayClass]) {
        let status = cx.cluster.own_status(at);
        let Some(status) = status.filter(|status| status.is_reconciled) else {
            continue;
        };
        let class = object.title();
        match status.find("SupportedVersion") {
            None => {
                let missing = object.place_of("status/conditions/SupportedVersion");
                let anchor = Anchor::new(status.place().place, missing.subject);
                by_facts(cx, out, anchor, Text::Missing { class }).help(Text::Set);
            }
            Some(found) if found.value == Some(Value::False) => {
                let place = found.status_place();
                by_facts(cx, out, place, Text::NotSupported { class }).help(Text::Install);
            }
            Some(_) => {}
        }
    }
}
