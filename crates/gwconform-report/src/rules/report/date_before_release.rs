use crate::report::formats::day_of_rfc3339;
use crate::rules::{Findings, Remedy, ReportContext, message_parts, rule};
use gwconform_base::api::Version;
use gwconform_base::release::Match;
use gwconform_base::release::stated::was_out;
use gwconform_base::text::message::Message;

rule! {
    "date_before_release.md", ReportContext(check), Text<'a>, Remedy;
    TooEarly { day: Message, version: &'a Version, released: Message } => "the suite ran on {day}, before {version} was released on {released}",
}

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    let stated = cx
        .stated_version()
        .filter(|stated| cx.release.version.as_ref() == Some(stated));
    let release = stated.and_then(|stated| match cx.registry.release(&stated) {
        Match::Exact(release) => Some(release),
        // A release candidate precedes its release. An unknown patch has no known date, but it
        // follows the first patch.
        _ if stated.pre().is_some() => None,
        // The suite of a later minor follows all known minors.
        Match::NewerThanKnown => {
            let newest = cx.registry.newest()?.version().minor();
            cx.registry.first_patch_of(newest)
        }
        _ => cx.registry.first_patch_of(stated.minor()),
    });
    let (Some(field), Some(release)) = (cx.report.date, release) else {
        return;
    };
    let (Some(day), Some(released)) = (day_of_rfc3339(field.value), release.date()) else {
        return;
    };
    if !was_out(release, day) {
        let text = Text::TooEarly {
            day: Message::words(day.to_string()),
            version: release.version(),
            released: Message::words(released.to_string()),
        };
        out.at(cx.value(field.node), text)
            .help(message_parts::rerun_release(cx));
    }
}
