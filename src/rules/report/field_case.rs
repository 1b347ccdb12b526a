//! `report/field-case`

use crate::diagnostic::{Severity, in_code};
use crate::report::fit::Problem;
use crate::rules::{Check, Findings, ReportContext, Rule};

/// The rule.
pub static RULE: Rule = Rule::error(
    "report/field-case",
    include_str!("field_case.md"),
    Check::Report(check),
)
.legacy(Severity::Warning);

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    for violation in cx.violations {
        let Problem::FieldCase {
            name,
            expected,
            beside,
        } = &violation.problem
        else {
            continue;
        };
        let of = violation.of_whom();
        let place = cx.node(violation.node);
        let Some((key, other)) = beside.and_then(|key| Some((key, cx.yaml.text(key)?))) else {
            out.at(place, format!("`{name}`{of} is spelled `{expected}` by the suite", name = in_code(&name), expected = in_code(&expected)))
                .help("it was read all the same, but another program wrote this: submit the report as the suite wrote it");
            continue;
        };
        // sigs.k8s.io/yaml sorts the keys before it hands them to the decoder, which ignores case
        // and keeps what comes last: small letters, whatever the order in the file.
        let line = cx.line(key);
        let message = if name.as_str() > other {
            format!(
                "`{name}`{of} is `{expected}` once more: Go reads this, not `{other}` on line {line}",
                name = in_code(&name),
                expected = in_code(&expected),
                other = in_code(&other)
            )
        } else {
            format!(
                "`{name}`{of} is `{expected}` once more: Go reads `{other}` on line {line}, not this",
                name = in_code(&name),
                expected = in_code(&expected),
                other = in_code(&other)
            )
        };
        let finding = out.at(place, message);
        finding.label(cx.node(key), "the same field to Go");
        finding.help("readers take one or the other, so nobody knows what the report says: submit it as the suite wrote it");
        finding.severity = Severity::Error;
    }
}
