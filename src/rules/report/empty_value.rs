//! `report/empty-value`

use crate::diagnostic::{Severity, in_code};
use crate::report::fit::Problem;
use crate::rules::{Check, Findings, Remedy, ReportContext, Rule};

/// The rule.
pub static RULE: Rule = Rule::error(
    "report/empty-value",
    include_str!("empty_value.md"),
    Check::Report(check),
)
.legacy(Severity::Warning);

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    for violation in cx
        .violations
        .iter()
        .filter(|violation| violation.problem == Problem::Empty)
    {
        out.at(
            cx.node(violation.node),
            format!("`{}` is empty", in_code(&violation.path)),
        )
        .help(Remedy::of_field(violation.field()));
    }
    let implementation = &cx.report.implementation;
    let texts = [
        ("implementation.organization", implementation.organization),
        ("implementation.project", implementation.project),
        ("implementation.version", implementation.version),
        ("mode", cx.report.mode),
    ];
    for (path, text) in texts {
        let Some(text) = text else { continue };
        // The schema knows no blanks; it refuses what is empty.
        if !text.value.is_empty() && text.value.trim().is_empty() {
            let field = path.rsplit('.').next().unwrap_or(path);
            out.at(
                cx.node(text.node),
                format!("`{path}` is blank", path = in_code(&path)),
            )
            .help(Remedy::of_field(field));
        }
    }
}
