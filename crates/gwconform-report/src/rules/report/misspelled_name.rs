use super::invisible::invisible;
use crate::rules::{Findings, Remedy, ReportContext, message_parts, rule};
use gwconform_base::text::counted;
use gwconform_base::text::message::{Message, Words};

rule! {
    "misspelled_name.md", ReportContext(check), Text<'a>, Remedy;
    Misspelled { field: &'a str, noun: Words, name: &'a str, meant: &'a str } => "{field}: unknown {noun} {name}; did you mean {meant}?",
    AlsoHere => "also here",
    NotCompared { names: Message } => "{names} not compared with known names",
}

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    // An unknown patch may have added the names.
    let is_verdict_kept = !cx.facts().is_some_and(|(_, is_own)| is_own);
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
            noun: message_parts::noun(unknown.kind),
            name: name.value,
            meant,
        };
        let finding = message_parts::by_facts(cx, out, cx.value(name.node), text);
        for (_, other) in others {
            finding.label(cx.value(other.node), Text::AlsoHere);
        }
        finding.help(Remedy::SubmitUnmodified);
        finding.is_verdict_kept = is_verdict_kept;
    }
    let mut others = cx.unknown_names().iter().filter(|one| !one.is_compared);
    if let Some(first) = others.next() {
        let names = Message::words(counted(1 + others.count(), "more unknown name"));
        let anchor = cx.value(first.places[0].1.node);
        let finding = message_parts::by_facts(cx, out, anchor, Text::NotCompared { names });
        finding.help(Remedy::SubmitUnmodified);
        finding.is_verdict_kept = is_verdict_kept;
    }
}
