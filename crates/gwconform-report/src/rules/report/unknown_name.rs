use super::invisible::invisible;
use crate::rules::recomputed::Recomputed;
use crate::rules::{Findings, Remedy, ReportContext, message_parts, rule};
use gwconform_base::api::Version;
use gwconform_base::text::message::Words;

rule! {
    "unknown_name.md", ReportContext(check), Text<'a>, Remedy;
    Unknown { field: &'a str, name: &'a str, noun: Words, newest: &'a Version } => "{field}: {name} is not a {noun} of any release up to {newest}",
    Near { field: &'a str, name: &'a str, noun: Words, newest: &'a Version, near: &'a str } => "{field}: {name} is not a {noun} of any release up to {newest}; the nearest name is {near}",
}

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    let Some(newest) = cx.registry.newest() else {
        return;
    };
    let recomputed = cx.recomputed();
    let of_newer_suite = recomputed
        .map(Recomputed::names_of_newer_suite)
        .unwrap_or_default();
    for unknown in cx.unknown_names() {
        // Reported by report/misspelled-name.
        if unknown.meant().is_some() {
            continue;
        }
        let Some(&(field, name)) = unknown.places.first() else {
            continue;
        };
        // Reported by report/newer-suite or report/invisible-character.
        if of_newer_suite.contains(name.value) {
            continue;
        }
        if invisible(name.value).is_some() {
            continue;
        }
        let (name, node) = (name.value, name.node);
        let (noun, newest) = (message_parts::noun(unknown.kind), newest.version());
        let text = match unknown.similar {
            Some(similar) => Text::Near {
                field,
                name,
                noun,
                newest,
                near: similar.name,
            },
            None => Text::Unknown {
                field,
                name,
                noun,
                newest,
            },
        };
        message_parts::by_facts(cx, out, cx.value(node), text)
            .help(message_parts::rerun_release(cx));
    }
}
