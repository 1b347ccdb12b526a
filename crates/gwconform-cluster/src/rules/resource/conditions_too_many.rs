use super::{Advice, Kind, ResourceContext};
use crate::rules::Findings;
use gwconform_base::text::diagnostic::Anchor;
use gwconform_base::text::message::Message;

resource_rule! {
    "conditions_too_many.md", &[Kind::WITH_STATUS], check, Text<'a>, Advice;
    TooMany { owner: &'a Message, count: usize, most: usize } => "{owner} has {count} conditions; expected at most {most}",
}

/// `maxItems` of conditions in the CRDs.
const MOST: usize = 8;

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for status in cx.cluster.statuses() {
        let Some(first) = status.conditions.get(MOST) else {
            continue;
        };
        let anchor = Anchor::new(first.place().place, status.list.subject());
        out.at(
            anchor,
            Text::TooMany {
                owner: &status.title(),
                count: status.conditions.len(),
                most: MOST,
            },
        )
        .help(Advice::ShortenList);
    }
}
