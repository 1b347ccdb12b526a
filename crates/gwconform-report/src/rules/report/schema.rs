use crate::report::fit::{Problem, SchemaViolation};
use crate::rules::ReportContext;
use gwconform_base::text::diagnostic::{Anchor, Subject};
use gwconform_base::text::message::{Message, Words, texts};
use gwconform_base::text::node_path::path_to;

texts! {
    pub(super) enum Text<'a> {
        Report => "the report",
        Field { name: &'a str, object: &'a str } => "{name} of {object}",
    }
}

pub(super) fn object(violation: &SchemaViolation) -> Message {
    match violation.path.as_str() {
        "" => Text::Report.into(),
        path => Message::code(path),
    }
}

pub(super) fn field(violation: &SchemaViolation, name: &str) -> Message {
    match violation.path.as_str() {
        "" => Message::code(name),
        object => Text::Field { name, object }.into(),
    }
}

pub(super) fn anchor(cx: &ReportContext<'_>, violation: &SchemaViolation) -> Anchor {
    let place = match &violation.problem {
        Problem::WrongType { .. } | Problem::NotAllowed { .. } | Problem::Other { .. } => {
            cx.value(violation.node).place
        }
        _ => cx.node(violation.node).place,
    };
    let subject = match &violation.problem {
        // These concern the whole report, whose kind cannot be read.
        Problem::OtherNames { .. } | Problem::Below { .. } => Subject::new("/kind".to_owned()),
        Problem::MissingField { name } => {
            Subject::new(format!("{}/{name}", path_to(cx.yaml, violation.about)))
        }
        _ => cx.node(violation.about).subject,
    };
    Anchor::new(place, subject)
}

/// True if something else than the suite wrote the report.
pub(super) fn has_other_writer(cx: &ReportContext<'_>) -> bool {
    let is_it = |one: &SchemaViolation| {
        matches!(
            one.problem,
            Problem::OtherNames { .. } | Problem::Below { .. }
        )
    };
    cx.violations.iter().any(is_it)
}

pub(super) fn json_type(name: &str) -> Words {
    Words(match name {
        "null" => "null",
        "boolean" => "a boolean",
        "integer" => "an integer",
        "number" => "a number",
        "string" => "a string",
        "array" => "a list",
        "object" => "a mapping",
        _ => "another type",
    })
}
