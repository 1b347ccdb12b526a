use super::invisible;
use crate::report::view;
use crate::rules::{Findings, Remedy, ReportContext, rule, unknown_names};
use gwconform_base::text::message::Message;

rule! {
    "invisible_character.md", ReportContext(check), Text<'a>, invisible::Text, Remedy;
    Invisible { field: &'a str, value: &'a str, problem: Message } => "{field}: {value} {problem}",
}

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    let fields = [
        ("version", cx.report.implementation.version),
        ("mode", cx.report.mode),
    ];
    for (field, text) in fields {
        // Reported by report/empty-value.
        if let Some(text) = text.filter(|text| !text.value.trim().is_empty()) {
            report(cx, field, field, text, out);
        }
    }
    for name in cx.report.profiles.iter().filter_map(|profile| profile.name) {
        report(cx, "name", "profiles", name, out);
    }
    for (_, field, list) in unknown_names::lists(cx.report) {
        for &item in &list.items {
            report(cx, field, field, item, out);
        }
    }
}

fn report(
    cx: &ReportContext<'_>,
    field: &str,
    rerun: &str,
    text: view::Text<'_>,
    out: &mut Findings,
) {
    let value = text.value;
    if let Some(problem) = invisible::invisible(value) {
        let message = Text::Invisible {
            field,
            value,
            problem: problem.into(),
        };
        out.at(cx.value(text.node), message)
            .help(Remedy::of_field(rerun));
    }
}
