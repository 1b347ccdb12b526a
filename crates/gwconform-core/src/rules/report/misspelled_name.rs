use super::invisible::invisible;
use crate::rules::{Findings, Remedy, ReportContext, words};
use crate::text::message::Words;

rule! {
    "misspelled_name.md", Report(check), Text<'a>, Remedy;
    Misspelled { field: &'a str, noun: Words, name: &'a str, meant: &'a str } => "{field}: unknown {noun} {name}; did you mean {meant}?",
    AlsoHere => "also here",
}

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    for unknown in cx.unknown_names() {
        let (Some(meant), [(field, name), others @ ..]) =
            (unknown.meant(), unknown.places.as_slice())
        else {
            continue;
        };
        // Reported by report/invisible-character.
        if invisible(name.value).is_some() {
            continue;
        }
        let text = Text::Misspelled {
            field,
            noun: words::noun(unknown.kind),
            name: name.value,
            meant,
        };
        let finding = words::by_facts(cx, out, cx.value(name.node), text);
        for (_, other) in others {
            finding.label(cx.value(other.node), Text::AlsoHere);
        }
        finding.help(Remedy::SubmitUnmodified);
        // An unknown patch may have added the name.
        if !cx.facts().is_some_and(|(_, is_own)| is_own) {
            finding.keep_verdict();
        }
    }
}
