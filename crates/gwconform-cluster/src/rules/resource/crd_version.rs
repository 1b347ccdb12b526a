use super::{Advice, Kind, ReleaseChoice, ResourceContext};
use crate::rules::{Findings, RequestedRelease};
use gwconform_base::api::{Channel, Version};
use gwconform_base::release::Match;
use gwconform_base::release::stated::{lenient_version, release_of_prerelease};
use gwconform_base::text::diagnostic::Severity;

resource_rule! {
    "crd_version.md", &[&[Kind::Crd]], check, Text<'a>, Advice;
    NotAVersion { written: &'a str } => "{written} is not a version of the Gateway API; expected a version such as v1.6.1",
    Other { version: &'a Version, expected: &'a Version } => "the CRDs belong to {version}; expected {expected}",
    UnknownPatch { version: &'a Version, nearest: &'a Version } => "unknown patch {version}; compared with {nearest}, the nearest patch below it",
    Newer { version: &'a Version } => "{version} is newer than all known releases",
    PrereleaseOf { version: &'a Version, release: &'a Version } => "{version} is a prerelease; compared with {release}",
    Prerelease { version: &'a Version } => "{version} is a prerelease, which is not compared with known releases",
    Unknown { version: &'a Version } => "unknown release {version} of the Gateway API",
    UnknownChannel { channel: &'a str } => "unknown channel {channel}; expected `standard` or `experimental`",
    InstallRelease { release: &'a Version } => "install the CRDs of {release}: with other CRDs its suite stops or, with `--allow-crds-mismatch`, reports `UNDEFINED`",
}

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    let crds = &cx.cluster.crds;
    if let Some(version) = crds.version() {
        check_version(cx, version, out);
    }
    if let Some(channel) = crds.channel()
        && Channel::from_text(channel.value).is_none()
    {
        let text = Text::UnknownChannel {
            channel: channel.value,
        };
        out.at(channel.place(), text).help(Advice::InstallCrds);
    }
}

fn check_version(cx: &ResourceContext<'_>, text: crate::Text<'_>, out: &mut Findings) {
    let Some(version) = lenient_version(text.value) else {
        let written = text.value;
        out.at(text.place(), Text::NotAVersion { written })
            .help(Advice::InstallCrds);
        return;
    };
    if let ReleaseChoice::Requested(wanted) = &cx.basis.choice {
        if !is_wanted(&version, wanted) {
            let release = &wanted.version;
            out.at(
                text.place(),
                Text::Other {
                    version: &version,
                    expected: release,
                },
            )
            .help(Text::InstallRelease { release });
        }
        return;
    }
    let severity = match cx.registry.release(&version) {
        Match::Unknown if version.pre().is_none() => out.severity(),
        _ => Severity::Info,
    };
    let out_since = release_of_prerelease(&version, cx.registry);
    let message = match (cx.registry.release(&version), out_since) {
        (Match::Exact(_), _) => return,
        (_, Some(release)) => Text::PrereleaseOf {
            version: &version,
            release: release.version(),
        },
        (Match::NearestLowerPatch(release), None) => Text::UnknownPatch {
            version: &version,
            nearest: release.version(),
        },
        (Match::NewerThanKnown, None) => Text::Newer { version: &version },
        (Match::Unknown, None) if version.pre().is_some() => Text::Prerelease { version: &version },
        (Match::Unknown, None) => Text::Unknown { version: &version },
    };
    let finding = out.at(text.place(), message);
    finding.severity = finding.severity.min(severity);
}

fn is_wanted(version: &Version, wanted: &RequestedRelease<'_>) -> bool {
    if wanted.is_minor {
        return version.minor() == wanted.version.minor();
    }
    *version == wanted.version
}
