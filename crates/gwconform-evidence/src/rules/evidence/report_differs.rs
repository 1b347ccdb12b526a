use super::{EvidenceContext, Text as Labels};
use crate::rules::{Findings, rule};
use crate::{Difference, PrintedChange, PrintedState};
use gwconform_base::text::diagnostic::Severity;
use gwconform_report::rules::Remedy;

rule! {
    "report_differs.md", EvidenceContext(check), Text<'a>, Labels, Remedy;
    Value { expected: &'a str } => "the report in the log contains {expected} here",
    Added => "the report in the log does not contain this",
    Removed { expected: &'a str } => "the report in the log also contains {expected}",
    Notation => "the report in the log has another notation here",
    LineEnds => "the report in the log has other line endings or trailing spaces",
}

fn check(cx: &EvidenceContext<'_>, out: &mut Findings) {
    if cx.comparison.printed == PrintedState::LineEnds {
        out.at(cx.whole(), Text::LineEnds).severity = Severity::Info;
    }
    let notation = cx.comparison.notation.iter();
    for one in cx.comparison.differences.iter().chain(notation) {
        let Difference::Printed {
            node,
            expected,
            change,
            line,
        } = one
        else {
            continue;
        };
        let expected = expected.as_deref().unwrap_or_default();
        let (text, detail) = match change {
            PrintedChange::Value => (Text::Value { expected }, ""),
            PrintedChange::Added => (Text::Added, ""),
            PrintedChange::Removed => (Text::Removed { expected }, expected),
            PrintedChange::Notation => (Text::Notation, ""),
        };
        let anchor = cx.node(*node);
        let anchor = match detail {
            "" => anchor,
            detail => anchor.and(detail),
        };
        let severity = out.severity();
        let finding = out.at(anchor, text);
        if *change == PrintedChange::Notation {
            finding.severity = severity.min(Severity::Warning);
        }
        if let Some(place) = cx.printed_line(*line) {
            finding.label(place, Labels::Printed);
        }
        finding.help(Remedy::SubmitUnmodified);
    }
}
