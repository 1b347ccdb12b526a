use crate::report::formats::is_rfc3339;
use crate::rules::{Findings, Remedy, ReportContext, rule};

rule! {
    "unquoted_date.md", ReportContext(check), Text<'a>, Remedy;
    Unquoted { date: &'a str } => "the date {date} has no quotes; the suite writes it in quotes",
}

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    let Some(date) = cx.report.date else { return };
    if is_rfc3339(date.value) && cx.yaml.is_plain(date.node) {
        out.at(cx.value(date.node), Text::Unquoted { date: date.value })
            .help(Remedy::SubmitUnmodified);
    }
}
