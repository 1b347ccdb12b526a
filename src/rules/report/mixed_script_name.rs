//! `report/mixed-script-name`

use crate::rules::confusable::mixed_scripts;
use crate::rules::{Check, Findings, Remedy, ReportContext, Rule};

/// The rule.
pub static RULE: Rule = Rule::error(
    "report/mixed-script-name",
    include_str!("mixed_script_name.md"),
    Check::Report(check),
);

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
        .help(Remedy::of_field(field));
    }
}
