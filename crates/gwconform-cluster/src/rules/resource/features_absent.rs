use super::{Kind, ResourceContext, by_facts};
use crate::rules::Findings;
use crate::{ClassState, FeatureList};
use gwconform_base::api::{Channel, Minor};
use gwconform_base::text::diagnostic::Anchor;
use gwconform_base::text::message::Message;

resource_rule! {
    "features_absent.md", &[&[Kind::GatewayClass, Kind::Mesh]], check, Text;
    Absent { object: Message } => "{object} is accepted, but lists no `supportedFeatures`",
    Publish => "publish them in the status before it is accepted, or in the same update",
}

const STANDARD_SINCE: Minor = Minor { major: 1, minor: 4 };

/// First minor that certainly has the field in the experimental channel.
const EXPERIMENTAL_SINCE: Minor = Minor { major: 1, minor: 1 };

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    let Some(release) = cx.basis.release else {
        return;
    };
    let since = match cx.basis.channel.as_deref().and_then(Channel::from_text) {
        Some(Channel::Experimental) => EXPERIMENTAL_SINCE,
        _ => STANDARD_SINCE,
    };
    let has_field = release.version().minor() >= since;
    for (at, object) in cx.living(&[Kind::GatewayClass, Kind::Mesh]) {
        let is_mesh = object.kind == Some(Kind::Mesh);
        let is_empty = FeatureList::try_new(object).is_none_or(|list| list.names.is_empty());
        let is_accepted = cx.cluster.class_state(at) == ClassState::Accepted;
        if !is_empty || !is_accepted || !(is_mesh || has_field) {
            continue;
        }
        let status = cx.cluster.own_status(at);
        let Some(accepted) = status.and_then(|status| status.find("Accepted")) else {
            continue;
        };
        let list = object.place_of("status/supportedFeatures").subject;
        let anchor = Anchor::new(accepted.status_place().place, list);
        let text = Text::Absent {
            object: object.title(),
        };
        by_facts(cx, out, anchor, text).help(Text::Publish);
    }
}
