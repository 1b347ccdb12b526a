use super::schema;
use crate::report::fit::{Problem, SchemaViolation};
use crate::rules::{Findings, Remedy, ReportContext, rule};
use gwconform_base::text::diagnostic::Anchor;
use gwconform_base::text::message::Message;

rule! {
    "kind.md", ReportContext(check), Text<'a>, Remedy;
    WrongKind { found: Message } => "`kind`: expected `ConformanceReport`, found {found}",
    EmptyString => "an empty string",
    OtherKind { kind: &'a str } => "the document is a {kind}; expected a `ConformanceReport`",
    NotAReport => "the document is not a `ConformanceReport`",
    KeepElsewhere => "keep other manifests elsewhere and link to them; every YAML file of a submission is read as a report",
}

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    if cx.report.is_recognizable() {
        // A missing kind is reported by report/missing-field.
        if let Some((anchor, found)) = wrong_kind(cx) {
            out.at(anchor, Text::WrongKind { found })
                .help(Remedy::SubmitUnmodified);
        }
        return;
    }
    if cx.is_cut {
        return;
    }
    let (anchor, text) = match cx.report.kind {
        Some(kind) if !kind.value.is_empty() => {
            (cx.value(kind.node), Text::OtherKind { kind: kind.value })
        }
        _ => (cx.head(cx.root), Text::NotAReport),
    };
    out.at(anchor, text).help(Text::KeepElsewhere);
}

fn wrong_kind(cx: &ReportContext<'_>) -> Option<(Anchor, Message)> {
    let of_kind = |violation: &&SchemaViolation| violation.path == "kind";
    for violation in cx.violations.iter().filter(of_kind) {
        if let Problem::WrongType { found, .. } = &violation.problem {
            let json_type = schema::json_type(found);
            return Some((schema::anchor(cx, violation), Message::words(json_type.0)));
        }
    }
    let kind = cx.report.kind?;
    let found = match kind.value {
        "ConformanceReport" => return None,
        "" => Text::EmptyString.into(),
        other => Message::code(other),
    };
    Some((cx.value(kind.node), found))
}
