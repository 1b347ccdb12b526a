use super::{Advice, Kind, ResourceContext, feature_lists};
use crate::rules::Findings;
use gwconform_base::text::diagnostic::Anchor;
use gwconform_base::text::message::Message;

resource_rule! {
    "features_too_many.md", &[&[Kind::GatewayClass, Kind::Mesh]], check, Text, Advice;
    TooMany { object: Message, count: usize, most: usize } => "{object} lists {count} features; expected at most {most}",
}

/// `maxItems` of `supportedFeatures` in the CRDs.
const MOST: usize = 64;

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for (object, list) in feature_lists(cx) {
        let Some(first) = list.names.get(MOST) else {
            continue;
        };
        let anchor = Anchor::new(first.node.place().place, list.node.subject());
        out.at(
            anchor,
            Text::TooMany {
                object: object.title(),
                count: list.names.len(),
                most: MOST,
            },
        )
        .help(Advice::ShortenList);
    }
}
