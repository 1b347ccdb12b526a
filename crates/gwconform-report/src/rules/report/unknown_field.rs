use super::schema;
use crate::report::fit::Problem;
use crate::rules::{Findings, Remedy, ReportContext, rule};
use gwconform_base::api::{SUBJECT, Shape};
use gwconform_base::text::diagnostic::Severity;
use gwconform_base::text::message::Message;

rule! {
    "unknown_field.md", ReportContext(check), Text<'a>, schema::Text, Remedy;
    BelowStatus { path: &'a str } => "{path}: the results are nested under `status`; expected them one level up",
    Below { name: &'a str } => "the fields of the report are below {name}; the suite writes them at the top",
    NotKnown { field: Message } => "{field} is not a known field",
    Unknown { field: Message } => "unknown field {field}",
    Misspelled { field: Message, meant: &'a str } => "unknown field {field}; did you mean {meant}?",
    OfNewer => "check again with a newer gwconform; this release is newer than the newest known one and may have added the field",
    OnlyUpTo => "run the suite of the report's own release; only suites up to v1.0.x write the field here",
    OnlyFrom => "run the suite of the report's own release; only suites from v1.1.0 on write the field here",
}

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    for violation in cx.violations {
        let anchor = || schema::anchor(cx, violation);
        let path = violation.path.as_str();
        if violation.problem == Problem::BelowStatus {
            out.at(anchor(), Text::BelowStatus { path })
                .help(Remedy::SubmitUnmodified);
            continue;
        }
        if let Problem::Below { name } = &violation.problem {
            out.at(anchor(), Text::Below { name })
                .help(Remedy::like("report-output", "<file>"));
            continue;
        }
        let Problem::UnknownField { name, meant } = &violation.problem else {
            continue;
        };
        let field = schema::field(violation, name);
        match meant {
            Some(meant) => out
                .at(anchor(), Text::Misspelled { field, meant })
                .help(Remedy::SubmitUnmodified),
            None if cx.release.is_newer_than_known => {
                let finding = out.at(anchor(), Text::NotKnown { field });
                finding.severity = Severity::Info;
                finding.help(Text::OfNewer).keep_verdict()
            }
            None => {
                let finding = out.at(anchor(), Text::Unknown { field });
                match of_another_shape(name, path, cx.release.shape) {
                    Some(help) => finding.help(help),
                    None => finding.help(Remedy::SubmitUnmodified),
                }
            }
        };
    }
}

const CHANNEL_FIELD: &str = SUBJECT.channel_field;

fn of_another_shape(name: &str, path: &str, shape: Shape) -> Option<Text<'static>> {
    let is_in_level = path.ends_with(".core") || path.ends_with(".extended");
    let is_in_profile = path.starts_with("profiles[") && path.ends_with(']');
    match (shape, name) {
        (Shape::Current, "summary") if is_in_level => Some(Text::OnlyUpTo),
        (Shape::Legacy, CHANNEL_FIELD | "mode" | "succeededProvisionalTests")
            if path.is_empty() =>
        {
            Some(Text::OnlyFrom)
        }
        (Shape::Legacy, "summary") if is_in_profile => Some(Text::OnlyFrom),
        _ => None,
    }
}
