//! `resource/crd-version`: the suite compares the version of the CRDs with its own (GEP-1709)

use super::{Kind, Known, ResourceContext};
use crate::diagnostic::{Severity, in_code};
use crate::registry::{Channel, Match};
use crate::release::lenient_version;
use crate::resource::Text;
use crate::rules::{Check, Findings, Rule};

/// The rule.
pub static RULE: Rule = Rule::error(
    "resource/crd-version",
    include_str!("crd_version.md"),
    Check::Resource(&[&[Kind::Crd]], check),
);

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    let crds = &cx.cluster.crds;
    if let Some(version) = crds.version() {
        check_version(cx, version, out);
    }
    if let Some(channel) = crds.channel()
        && Channel::from_text(channel.value).is_none()
    {
        let message = format!(
            "`{}` is no channel, expected standard or experimental",
            in_code(&channel.value)
        );
        out.at(channel.node.place(), message)
            .help("install the CRDs of a release as they are published");
    }
}

fn check_version(cx: &ResourceContext<'_>, text: Text<'_>, out: &mut Findings) {
    let place = text.node.place();
    let written = text.value;
    let Some(version) = lenient_version(written) else {
        let message = format!(
            "`{written}` is no version of the Gateway API, expected one like v1.6.1",
            written = in_code(&written)
        );
        out.at(place, message)
            .help("the conformance suite of no release accepts these CRDs");
        return;
    };
    if let Known::Wanted(wanted) = &cx.basis.known {
        let is_it = match wanted.is_minor {
            true => version.minor() == wanted.release.version().minor(),
            false => version == *wanted.release.version(),
        };
        if !is_it {
            let asked = wanted.release.version();
            let message = format!("the CRDs are of {version}, not of {asked}");
            out.at(place, message).help(format!(
                "the conformance suite of {asked} stops here; `--allow-crds-mismatch` makes its report say UNDEFINED"
            ));
        }
        return;
    }
    let (severity, message) = match cx.registry.release(&version) {
        Match::Exact(_) => return,
        Match::NearestLowerPatch(release) => (
            Severity::Info,
            format!(
                "{version} is not known here; compared with {}, the nearest patch below it",
                release.version()
            ),
        ),
        Match::NewerThanKnown => (
            Severity::Info,
            format!("{version} is newer than every release known here"),
        ),
        Match::Unknown if version.pre().is_some() => (
            Severity::Info,
            format!("{version} is a prerelease, of which nothing is known here"),
        ),
        Match::Unknown => (
            out.severity(),
            format!("{version} is no release of the Gateway API that is known here"),
        ),
    };
    let finding = out.at(place, message);
    finding.severity = finding.severity.min(severity);
}
