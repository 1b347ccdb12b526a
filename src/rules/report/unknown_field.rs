//! `report/unknown-field`

use crate::diagnostic::Severity;
use crate::report::schema::Problem;
use crate::rules::{Check, Findings, ReportContext, Rule};

/// The rule.
pub static RULE: Rule = Rule {
    id: "report/unknown-field",
    severity: Severity::Error,
    legacy: Some(Severity::Warning),
    strict: false,
    doc: include_str!("unknown_field.md"),
    check: Check::Report(check),
};

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    for misfit in cx.misfits {
        let Problem::UnknownField { name, meant } = &misfit.problem else {
            continue;
        };
        let of = misfit.of_whom();
        if cx.release.is_newer_than_known && meant.is_none() {
            out.at(
                cx.node(misfit.node),
                format!("`{name}`{of} is not a field that is known here"),
            )
            .help("this release is newer than those known here; it may have brought the field")
            .severity = Severity::Info;
            continue;
        }
        let finding = out.at(
            cx.node(misfit.node),
            format!("`{name}`{of} is not a field of a report"),
        );
        finding.help(match meant {
            Some(meant) => {
                format!("did you mean `{meant}`? Submit the report as the suite wrote it")
            }
            None => "submit the report as the suite wrote it".to_owned(),
        });
    }
}
