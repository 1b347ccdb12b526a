use crate::rules::{Findings, ReportContext, rule};
use gwconform_base::api::Version;
use gwconform_base::release::stated::ComparedFacts;

rule! {
    "unknown_release.md", ReportContext(check), Text<'a>;
    NearestPatch { version: &'a Version, nearest: &'a Version } => "unknown release {version}; compared with {nearest}, the nearest patch below it",
    Newer { version: &'a Version, newest: &'a Version } => "unknown release {version}, newer than {newest}, the newest known one",
    Unknown { version: &'a Version } => "unknown release {version}",
    Prerelease { version: &'a Version } => "unknown prerelease {version}",
    UpdateForPatch => "check again with a newer gwconform, which may know the release; a patch can change tests and profiles",
    Update => "check again with a newer gwconform, which may know the release; the report is not compared with what its suite must write",
}

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    let (Some(field), Some(version)) = (cx.report.stated_release, &cx.release.version) else {
        return;
    };
    if cx.stated_version().as_ref() != Some(version) {
        return;
    }
    let Some(newest) = cx.registry.newest() else {
        return;
    };
    let (text, help) = match ComparedFacts::new(version, None, cx.registry) {
        ComparedFacts::Own(_) | ComparedFacts::Undated(_) | ComparedFacts::OfOlderPatch(_) => {
            return;
        }
        // Reported by report/gateway-api-version.
        ComparedFacts::Unknown => return,
        ComparedFacts::OfPatchBelow(release) => {
            let nearest = release.version();
            (
                Text::NearestPatch { version, nearest },
                Text::UpdateForPatch,
            )
        }
        _ if version.pre().is_some() => (Text::Prerelease { version }, Text::Update),
        ComparedFacts::ImplausiblePatch => (Text::Unknown { version }, Text::Update),
        ComparedFacts::NewerThanKnown => (
            Text::Newer {
                version,
                newest: newest.version(),
            },
            Text::Update,
        ),
    };
    out.at(cx.value(field.node), text).help(help);
}
