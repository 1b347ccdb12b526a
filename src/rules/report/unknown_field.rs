//! `report/unknown-field`

use crate::diagnostic::{Severity, in_code};
use crate::report::fit::{Problem, Shape};
use crate::rules::{Check, Findings, ReportContext, Rule};

/// The rule.
pub static RULE: Rule = Rule::error(
    "report/unknown-field",
    include_str!("unknown_field.md"),
    Check::Report(check),
)
.legacy(Severity::Warning);

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    for violation in cx.violations {
        if violation.problem == Problem::BelowStatus {
            out.at(
                cx.node(violation.node),
                format!("the results of `{}` stand below `status`, where the suite never writes them", in_code(&violation.path)),
            )
            .help("they were read all the same, but another program wrote this: submit the report as the suite wrote it");
            continue;
        }
        let Problem::UnknownField { name, meant } = &violation.problem else {
            continue;
        };
        let of = violation.of_whom();
        if cx.release.is_newer_than_known && meant.is_none() {
            out.at(
                cx.node(violation.node),
                format!(
                    "`{name}`{of} is not a field that is known here",
                    name = in_code(&name)
                ),
            )
            .help("this release is newer than those known here; it may have brought the field")
            .severity = Severity::Info;
            continue;
        }
        let finding = out.at(
            cx.node(violation.node),
            format!(
                "`{name}`{of} is not a field of a report",
                name = in_code(&name)
            ),
        );
        finding.help(match meant {
            Some(meant) => {
                format!(
                    "did you mean `{meant}`? Submit the report as the suite wrote it",
                    meant = in_code(&meant)
                )
            }
            None => match of_another_shape(name, &violation.path, cx.release.shape) {
                Some(help) => help.to_owned(),
                None => "submit the report as the suite wrote it".to_owned(),
            },
        });
    }
}

/// What to say about a field that the suites of the other releases write at this place.
fn of_another_shape(name: &str, path: &str, shape: Shape) -> Option<&'static str> {
    let is_in_level = path.ends_with(".core") || path.ends_with(".extended");
    let is_in_profile = path.starts_with("profiles[") && path.ends_with(']');
    match (shape, name) {
        (Shape::Current, "summary") if is_in_level => {
            Some("the suites up to v1.0.x write it there: was an older suite run?")
        }
        (Shape::Legacy, "gatewayAPIChannel" | "mode" | "succeededProvisionalTests")
            if path.is_empty() =>
        {
            Some("the suites from v1.1.0 on write it: was a newer suite run?")
        }
        (Shape::Legacy, "summary") if is_in_profile => {
            Some("the suites from v1.1.0 on write it there: was a newer suite run?")
        }
        _ => None,
    }
}
