use super::{Kind, ReleaseChoice, ResourceContext, feature_lists};
use crate::rules::Findings;
use gwconform_base::api::Version;
use gwconform_base::release::Release;
use gwconform_base::text::diagnostic::Severity;
use gwconform_base::text::message::Message;
use gwconform_report::rules::message_parts;
use gwconform_report::rules::recomputed::newer_name;

resource_rule! {
    "feature_unknown.md", &[&[Kind::GatewayClass, Kind::Mesh]], check, Text<'a>;
    Renamed { name: &'a str, newer: &'a str, version: &'a Version } => "{name} is called {newer} in {version}",
    OfOthers { name: &'a str, version: &'a Version, releases: Message } => "unknown feature {name} for {version}; it is one of {releases}",
    Misspelled { name: &'a str, meant: &'a str } => "unknown feature {name}; did you mean {meant}?",
    Unknown { name: &'a str } => "unknown feature {name}; no release has it",
}

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    let Some(release) = cx.basis.release else {
        return;
    };
    let is_unknown_release = matches!(cx.basis.choice, ReleaseChoice::Unknown(..));
    for (_, list) in feature_lists(cx) {
        for name in &list.names {
            if name.value.is_empty() || release.feature(name.value).is_some() {
                continue;
            }
            let text = text(cx, release, name.value, out.is_full());
            let finding = out.at(list.place(name), text);
            // A newer release may have added the feature.
            if is_unknown_release {
                finding.severity = Severity::Info;
            }
        }
    }
}

fn text<'a>(
    cx: &ResourceContext<'a>,
    release: &'a Release,
    name: &'a str,
    is_full: bool,
) -> Text<'a> {
    let kind = gwconform_base::api::NameKind::Feature;
    let version = release.version();
    if let Some(newer) = newer_name(cx.registry, release, name) {
        return Text::Renamed {
            name,
            newer,
            version,
        };
    }
    let known = cx.registry.known_in(kind, name);
    if !known.is_empty() {
        return Text::OfOthers {
            name,
            version,
            releases: message_parts::releases(cx.registry, &known),
        };
    }
    let similar = (!is_full).then(|| cx.registry.similar(kind, name));
    match similar.flatten().filter(|found| found.typo) {
        Some(similar) => Text::Misspelled {
            name,
            meant: similar.name,
        },
        None => Text::Unknown { name },
    }
}
