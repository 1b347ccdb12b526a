use super::{Kind, ResourceContext, feature_lists};
use crate::rules::Findings;
use gwconform_base::text::diagnostic::Anchor;
use gwconform_base::text::message::Message;

resource_rule! {
    "features_order.md", &[&[Kind::GatewayClass, Kind::Mesh]], check, Text<'a>;
    NotSorted { object: Message, after: &'a str, before: &'a str } => "`supportedFeatures` of {object} is not sorted: {after} follows {before}",
    Before => "listed before it",
    Sort => "sort the list byte by byte, as Go sorts strings",
}

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for (object, list) in feature_lists(cx) {
        let mut pairs = list.names.windows(2);
        let Some([before, after]) = pairs.find(|pair| pair[0].value > pair[1].value) else {
            continue;
        };
        let anchor = Anchor::new(after.node.place().place, list.node.subject());
        out.at(
            anchor,
            Text::NotSorted {
                object: object.title(),
                after: after.value,
                before: before.value,
            },
        )
        .label(before.place(), Text::Before)
        .help(Text::Sort);
    }
}
