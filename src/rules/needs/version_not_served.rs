//! `needs/version-not-served`

use super::NeedsContext;
use super::shared::applied;
use crate::message::{Words, texts};
use crate::needs::crds::Served;
use crate::registry::Version;
use crate::rules::{Check, Findings, Rule};

/// The rule.
pub static RULE: Rule = Rule::error(
    "needs/version-not-served",
    include_str!("version_not_served.md"),
    Check::Needs(check),
)
.sources(&["config/crd of each release"])
.related(&["needs/version-deprecated", "needs/kind-gone"])
.texts(&[Text::TEMPLATES]);

texts! {
    enum Text<'a> {
        Write { kind: &'a str, version: &'a str, channel: Words, release: &'a Version, api_version: &'a str } => "{kind} {version} is not served by the {channel} CRDs of {release}; write {api_version}",
        NoVersion { kind: &'a str, version: &'a str, channel: Words, release: &'a Version } => "{kind} {version} is not served by the {channel} CRDs of {release}, and no other version is",
    }
}

fn check(cx: &NeedsContext<'_>, out: &mut Findings) {
    for one in applied(cx) {
        let Served::VersionNotServed { write } = &one.served else {
            continue;
        };
        let (kind, version) = (one.kind, one.version());
        let release = &one.crds.release.version;
        let channel = Words(one.crds.channel.as_str());
        let text = match write {
            Some(write) => Text::Write {
                kind,
                version,
                channel,
                release,
                api_version: &write.api_version,
            },
            None => Text::NoVersion {
                kind,
                version,
                channel,
                release,
            },
        };
        out.at(one.at, text);
    }
}
