//! `report/mixed-script-name`

use super::rerun_for;
use crate::diagnostic::Severity;
use crate::rules::confusable::mixed_scripts;
use crate::rules::{Check, Findings, ReportContext, Rule};

/// The rule.
pub static RULE: Rule = Rule {
    id: "report/mixed-script-name",
    severity: Severity::Error,
    legacy: Some(Severity::Error),
    strict: false,
    fixes: None,
    doc: include_str!("mixed_script_name.md"),
    check: Check::Report(check),
};

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    let implementation = &cx.report.implementation;
    let fields = [
        ("organization", implementation.organization),
        ("project", implementation.project),
    ];
    for (field, text) in fields {
        let Some(text) = text else { continue };
        let Some(scripts) = mixed_scripts(text.value) else {
            continue;
        };
        out.at(
            cx.value(text.node),
            format!(
                "`{}` of `{field}` mixes the scripts {}; expected letters of one script",
                text.value,
                scripts.join(", ")
            ),
        )
        .help(rerun_for(field));
    }
}
