//! `needs/version-deprecated`

use super::NeedsContext;
use super::shared::applied;
use crate::message::{Words, texts};
use crate::needs::crds::Served;
use crate::registry::Version;
use crate::rules::{Check, Findings, Rule};

/// The rule.
pub static RULE: Rule = Rule::warning(
    "needs/version-deprecated",
    include_str!("version_deprecated.md"),
    Check::Needs(check),
)
.sources(&["config/crd of each release"])
.related(&["needs/version-not-served"])
.texts(&[Text::TEMPLATES]);

texts! {
    enum Text<'a> {
        Write { kind: &'a str, version: &'a str, channel: Words, release: &'a Version, api_version: &'a str } => "{kind} {version} is deprecated in the {channel} CRDs of {release}; write {api_version}",
        NoVersion { kind: &'a str, version: &'a str, channel: Words, release: &'a Version } => "{kind} {version} is deprecated in the {channel} CRDs of {release}",
    }
}

fn check(cx: &NeedsContext<'_>, out: &mut Findings) {
    for one in applied(cx) {
        let Served::Deprecated { write } = &one.served else {
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
