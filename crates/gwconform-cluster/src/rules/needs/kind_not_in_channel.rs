use super::CrdsContext;
use super::shared::named;
use crate::needs::absent_fields::Served;
use crate::rules::{Findings, rule};
use gwconform_base::api::{Minor, Version};
use gwconform_base::text::message::Words;

rule! {
    "kind_not_in_channel.md", CrdsContext(check), Text<'a>;
    Other { kind: &'a str, channel: Words, release: &'a Version } => "{kind} is only in the {channel} CRDs of {release}",
    Since { kind: &'a str, channel: Words, release: &'a Version, wanted: Words, since: Minor } => "{kind} is only in the {channel} CRDs of {release}; the {wanted} ones have it since {since}",
}

fn check(cx: &CrdsContext<'_>, out: &mut Findings) {
    for one in named(cx) {
        let Served::OtherChannel { channel, since } = one.served else {
            continue;
        };
        let kind = one.kind;
        let release = &one.crds.release.version;
        let channel = Words(channel.as_str());
        let text = match since {
            Some(since) => Text::Since {
                kind,
                channel,
                release,
                wanted: Words(one.crds.channel.as_str()),
                since,
            },
            None => Text::Other {
                kind,
                channel,
                release,
            },
        };
        out.at(one.at, text);
    }
}
