//! `report/unquoted-date`

use crate::report::formats::is_rfc3339;
use crate::rules::{Check, Findings, Remedy, ReportContext, Rule};
use crate::text::diagnostic::Severity;
use crate::text::message::texts;

/// The rule.
pub static RULE: Rule = Rule::info(
    "report/unquoted-date",
    include_str!("unquoted_date.md"),
    Check::Report(check),
)
.legacy(Severity::Info)
.related(&["report/date"])
.texts(&[Text::TEMPLATES, Remedy::TEMPLATES]);

texts! {
    enum Text<'a> {
        Unquoted { date: &'a str } => "the date {date} has no quotes; the suite writes it in quotes",
    }
}

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    let Some(date) = cx.report.date else { return };
    if is_rfc3339(date.value) && cx.yaml.is_plain(date.node) {
        out.at(cx.value(date.node), Text::Unquoted { date: date.value })
            .help(Remedy::SubmitUnmodified);
    }
}
