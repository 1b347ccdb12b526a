//! `report/missing-field`

use super::rerun_for;
use crate::diagnostic::Severity;
use crate::report::schema::Problem;
use crate::rules::{Check, Findings, ReportContext, Rule};

/// The rule.
pub static RULE: Rule = Rule {
    id: "report/missing-field",
    severity: Severity::Error,
    legacy: Some(Severity::Warning),
    strict: false,
    doc: include_str!("missing_field.md"),
    check: Check::Report(check),
};

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    for misfit in cx.misfits {
        let Problem::MissingField { name } = &misfit.problem else {
            continue;
        };
        let object = if misfit.path.is_empty() {
            "the report"
        } else {
            &format!("`{}`", misfit.path)
        };
        out.at(cx.node(misfit.node), format!("{object} has no `{name}`"))
            .help(rerun_for(name));
    }
}
