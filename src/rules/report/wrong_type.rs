//! `report/wrong-type`

use crate::diagnostic::{Severity, in_code};
use crate::report::fit::Problem;
use crate::rules::remedy::flag_of;
use crate::rules::{Check, Findings, Remedy, ReportContext, Rule};

/// The rule.
pub static RULE: Rule = Rule::error(
    "report/wrong-type",
    include_str!("wrong_type.md"),
    Check::Report(check),
)
.legacy(Severity::Warning);

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    for violation in cx.violations {
        let Problem::WrongType {
            expected,
            found,
            text,
        } = &violation.problem
        else {
            continue;
        };
        // The kind has a rule of its own.
        if violation.path == "kind" {
            continue;
        }
        let path = if violation.path.is_empty() {
            "the report"
        } else {
            &format!("`{}`", in_code(&violation.path))
        };
        let found_in_words = match text {
            // `3.0` is a number, and whole; what is wrong is how it is written.
            Some(text) if expected == "integer" && *found == "number" => {
                format!("`{text}`", text = in_code(&text))
            }
            _ => in_words(found).to_owned(),
        };
        let message = format!(
            "{path} is {found_in_words}, expected {}",
            in_words(expected)
        );
        let finding = out.at(cx.value(violation.node), message);
        finding.help(match text {
            Some(text) if expected == "string" && matches!(*found, "number" | "integer") => {
                let loss = if *found == "number" {
                    ", and some readers drop its last digits"
                } else {
                    ""
                };
                format!(
                    "without quotes `{text}` is a number{loss}; the suite puts quotes around it: submit the report as it was written"
                , text = in_code(&text))
            }
            _ if *found == "null" && flag_of(violation.field()).is_none() => {
                "the suite never writes null: submit the report as it was written".to_owned()
            }
            _ => crate::message::Message::from(Remedy::of_field(violation.field())).to_string(),
        });
    }
}

/// A type of JSON in words.
pub(super) fn in_words(kind: &str) -> &str {
    match kind {
        "null" => "null",
        "boolean" => "a boolean",
        "integer" => "a whole number",
        "number" => "a number",
        "string" => "a text",
        "array" => "a list",
        "object" => "a mapping",
        other => other,
    }
}
