use super::schema;
use crate::report::fit::Problem;
use crate::rules::{Findings, Remedy, ReportContext, rule};
use gwconform_base::text::MAX_EXAMPLES;
use gwconform_base::text::diagnostic::Severity;
use gwconform_base::text::message::Message;

rule! {
    "field_case.md", ReportContext(check), Text<'a>, schema::Text, Remedy;
    Case { field: Message, expected: &'a str } => "{field}: expected the spelling {expected}",
    GoReadsThis { field: Message, expected: &'a str, other: &'a str, line: u32 } => "{field} duplicates {expected}: Go reads this one, not {other} on line {line}",
    GoReadsOther { field: Message, expected: &'a str, other: &'a str, line: u32 } => "{field} duplicates {expected}: Go reads {other} on line {line}, not this one",
    Other => "the same field for Go",
    OtherNames { names: Message } => "another YAML library wrote the names of the fields: {names}",
    Marshal => "marshal the report with `sigs.k8s.io/yaml`, or let the suite write it with `--report-output=<file>`",
}

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    for violation in cx.violations {
        if let Problem::OtherNames { names } = &violation.problem {
            let names = names.iter().map(Message::code).collect();
            let names = Message::list_up_to(MAX_EXAMPLES, names, ", ", " and ");
            let finding = out.at(schema::anchor(cx, violation), Text::OtherNames { names });
            finding.help(Text::Marshal).severity = Severity::Error;
            continue;
        }
        let Problem::FieldCase {
            name,
            expected,
            other_key,
        } = &violation.problem
        else {
            continue;
        };
        let field = schema::field(violation, name);
        let anchor = schema::anchor(cx, violation);
        let Some((key, other)) = other_key.and_then(|key| Some((key, cx.yaml.text(key)?))) else {
            out.at(anchor, Text::Case { field, expected })
                .help(Remedy::SubmitUnmodified);
            continue;
        };
        // sigs.k8s.io/yaml sorts the keys, and the decoder ignores case and keeps the last value.
        let line = cx.line(key);
        let text = if name.as_str() > other {
            Text::GoReadsThis {
                field,
                expected,
                other,
                line,
            }
        } else {
            Text::GoReadsOther {
                field,
                expected,
                other,
                line,
            }
        };
        let finding = out.at(anchor, text);
        finding.label(cx.node(key), Text::Other);
        finding.help(Remedy::SubmitUnmodified);
        finding.severity = Severity::Error;
    }
}
