use super::NeedsContext;
use crate::cluster::needs::{Beyond, BeyondKind, Target};
use crate::rules::Findings;
use crate::text::message::Message;

rule! {
    "beyond.md", Needs(check), Text<'a>;
    Beyond { what: Message, target: &'a str } => "{what}, which is not part of the API: the report of {target} does not cover it",
    Replace => "remove it, or use the target implementation's equivalent",
}

fn check(cx: &NeedsContext<'_>, out: &mut Findings) {
    let Some(to) = cx.to else { return };
    for beyond in cx
        .needs
        .beyond
        .iter()
        .filter(|beyond| is_of_others(beyond, to))
    {
        for place in &beyond.places.kept {
            let text = Text::Beyond {
                what: beyond.title.clone(),
                target: &to.name,
            };
            out.at(place.anchor(), text).help(Text::Replace);
        }
    }
}

/// True for a setting of another project. Excludes annotations, because unknown annotations have no
/// effect.
pub(super) fn is_of_others(beyond: &Beyond<'_>, to: &Target) -> bool {
    let group = beyond.group.as_deref();
    beyond.kind != BeyondKind::Annotation && group.is_some_and(|group| !to.owns(group))
}
