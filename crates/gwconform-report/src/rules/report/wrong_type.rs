use super::schema;
use crate::report::fit::Problem;
use crate::rules::remedy::flag_of;
use crate::rules::{Findings, Remedy, ReportContext, rule};
use gwconform_base::text::message::{Message, Words};

rule! {
    "wrong_type.md", ReportContext(check), Text<'a>, schema::Text, Remedy;
    WrongType { object: Message, expected: Words, found: Message } => "{object}: expected {expected}, found {found}",
    Unquoted { text: &'a str, remedy: Message } => "{remedy}; without quotes {text} is a number",
    UnquotedFraction { text: &'a str, remedy: Message } => "{remedy}; without quotes {text} is a number, and some readers drop its last digits",
}

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
        // Reported by report/kind.
        if violation.path == "kind" {
            continue;
        }
        let found_type = schema::json_type(found);
        let message = Text::WrongType {
            object: schema::object(violation),
            expected: schema::json_type(expected),
            found: match text {
                // `3.0` is an integer in the wrong notation.
                Some(text) if expected == "integer" && *found == "number" => Message::code(text),
                _ => Message::words(found_type.0),
            },
        };
        let finding = out.at(schema::anchor(cx, violation), message);
        let remedy = Remedy::SubmitUnmodified;
        match text {
            Some(text) if expected == "string" && *found == "number" => {
                finding.help(Text::UnquotedFraction {
                    text,
                    remedy: remedy.into(),
                })
            }
            Some(text) if expected == "string" && *found == "integer" => {
                finding.help(Text::Unquoted {
                    text,
                    remedy: remedy.into(),
                })
            }
            // The suite never writes null.
            _ if *found == "null" && flag_of(violation.field()).is_none() => finding.help(remedy),
            _ => finding.help(Remedy::of_field(violation.field())),
        };
    }
}
