//! `resource/features-too-many`

use super::{Advice, Kind, ResourceContext, feature_lists};
use crate::rules::{Check, Findings, Rule};
use crate::text::diagnostic::Anchor;
use crate::text::message::{Message, texts};

/// The rule.
pub static RULE: Rule = Rule::error(
    "resource/features-too-many",
    include_str!("features_too_many.md"),
    Check::Resource(&[&[Kind::GatewayClass, Kind::Mesh]], check),
)
.sources(&["GEP-2162, API", "GEP-3949, MeshStatus"])
.related(&["resource/conditions-too-many"])
.texts(&[Text::TEMPLATES, Advice::TEMPLATES]);

texts! {
    enum Text {
        TooMany { object: Message, count: usize, most: usize } => "{object} lists {count} features; expected at most {most}",
    }
}

/// MaxItems of the lists.
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
