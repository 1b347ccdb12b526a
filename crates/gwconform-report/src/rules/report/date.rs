use crate::report::formats::is_rfc3339;
use crate::rules::{Findings, Remedy, ReportContext, rule};

rule! {
    "date.md", ReportContext(check), Text<'a>, Remedy;
    Empty => "the date is empty; expected a date such as `2026-03-20T10:15:30Z` (RFC 3339)",
    Invalid { value: &'a str } => "{value} is not a valid date; expected a date such as `2026-03-20T10:15:30Z` (RFC 3339)",
}

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    let Some(date) = cx.report.date else { return };
    if is_rfc3339(date.value) {
        return;
    }
    let text = match date.value {
        "" => Text::Empty,
        value => Text::Invalid { value },
    };
    out.at(cx.value(date.node), text)
        .help(Remedy::SubmitUnmodified);
}
