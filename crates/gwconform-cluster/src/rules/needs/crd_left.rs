use super::CrdsContext;
use super::shared::installed;
use crate::rules::{Findings, rule};
use gwconform_base::api::Version;
use gwconform_base::text::message::{Message, Words};

rule! {
    "crd_left.md", CrdsContext(check), Text<'a>;
    Left { crd: Message, channel: Words, release: &'a Version } => "{crd} is not in the {channel} CRDs of {release}, so it stays as it is",
    Delete => "delete the CRD if no object uses it; until then, the CRDs belong to different releases or channels",
}

fn check(cx: &CrdsContext<'_>, out: &mut Findings) {
    let (release, channel) = (&cx.crds.release.version, Words(cx.crds.channel.as_str()));
    for one in installed(cx).filter(|one| one.to_install.is_none()) {
        let crd = one.object.title();
        out.at(
            one.object.place(),
            Text::Left {
                crd,
                channel,
                release,
            },
        )
        .help(Text::Delete);
    }
}
