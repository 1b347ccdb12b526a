//! `report/field-case`

use crate::diagnostic::Severity;
use crate::report::schema::Problem;
use crate::rules::{Check, Findings, ReportContext, Rule};

/// The rule.
pub static RULE: Rule = Rule {
    id: "report/field-case",
    severity: Severity::Error,
    legacy: Some(Severity::Warning),
    strict: false,
    doc: include_str!("field_case.md"),
    check: Check::Report(check),
};

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    for misfit in cx.misfits {
        let Problem::FieldCase { name, expected } = &misfit.problem else {
            continue;
        };
        let of = misfit.of_whom();
        out.at(cx.node(misfit.node), format!("`{name}`{of} is spelled `{expected}` by the suite"))
            .help("it was read all the same, but another program wrote this: submit the report as the suite wrote it");
    }
}
