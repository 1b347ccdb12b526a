//! `report/kind`

use super::wrong_type::in_words;
use crate::diagnostic::{Anchor, in_code};
use crate::report::fit::{Problem, SchemaViolation};
use crate::rules::{Check, Findings, ReportContext, Rule};

/// The rule.
pub static RULE: Rule = Rule::error("report/kind", include_str!("kind.md"), Check::Report(check));

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    if cx.report.is_recognizable() {
        // No kind at all is for report/missing-field.
        if let Some((place, is)) = wrong_kind(cx) {
            out.at(
                place,
                format!("`kind` is {is}, expected `ConformanceReport`"),
            )
            .help("the rest reads like a report; the suite writes its kind by itself: submit the report as it was written");
        }
        return;
    }
    let (place, message) = match cx.report.kind {
        Some(kind) if !kind.value.is_empty() => (
            cx.value(kind.node),
            format!(
                "this is a `{}`, expected a `ConformanceReport`",
                in_code(&kind.value)
            ),
        ),
        _ => (
            cx.head(cx.root),
            "this is not a ConformanceReport".to_owned(),
        ),
    };
    out.at(place, message)
        .help("every YAML file of a submission is read as a report; keep others elsewhere and link to them");
}

/// Where the kind of what else is a report stands, and what it is, when it is wrong.
fn wrong_kind(cx: &ReportContext<'_>) -> Option<(Anchor, String)> {
    let of_kind = |violation: &&SchemaViolation| violation.path == "kind";
    for violation in cx.violations.iter().filter(of_kind) {
        if let Problem::WrongType { found, .. } = &violation.problem {
            return Some((cx.value(violation.node), in_words(found).to_owned()));
        }
    }
    let kind = cx.report.kind?;
    let is = match kind.value {
        "ConformanceReport" => return None,
        "" => "empty".to_owned(),
        other => format!("`{other}`", other = in_code(&other)),
    };
    Some((cx.value(kind.node), is))
}
