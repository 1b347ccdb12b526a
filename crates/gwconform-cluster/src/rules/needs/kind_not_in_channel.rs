use super::CrdsContext;
use super::shared::{installed, named};
use crate::needs::absent_fields::Served;
use crate::rules::{Findings, rule};
use gwconform_base::api::{Minor, Version};
use gwconform_base::text::diagnostic::Severity;
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
        let finding = out.at(one.at, text);
        // A CRD that the channel lacks stays, and serves its objects.
        let mut left = installed(cx).filter(|crd| crd.to_install.is_none());
        if left.any(|crd| crd.kind == kind) {
            finding.severity = finding.severity.min(Severity::Warning);
        }
    }
}
