use super::schema;
use crate::report::fit::{Problem, SchemaViolation};
use crate::rules::{Findings, Remedy, ReportContext, rule};

rule! {
    "empty_value.md", ReportContext(check), Text<'a>, Remedy;
    Empty { path: &'a str } => "{path} is empty",
    Blank { path: &'a str } => "{path} is blank",
}

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    let is_empty = |violation: &&SchemaViolation| {
        // Reported by report/implementation-name.
        violation.problem == Problem::Empty && !is_name(violation.field())
    };
    for violation in cx.violations.iter().filter(is_empty) {
        let path = &violation.path;
        out.at(schema::anchor(cx, violation), Text::Empty { path })
            .help(Remedy::of_field(violation.field()));
    }
    let implementation = &cx.report.implementation;
    let texts = [
        ("implementation.version", implementation.version),
        ("mode", cx.report.mode),
    ];
    for (path, text) in texts {
        let Some(text) = text else { continue };
        // The schema rejects empty values but accepts spaces.
        if !text.value.is_empty() && text.value.trim().is_empty() {
            let field = path.rsplit('.').next().unwrap_or(path);
            out.at(cx.node(text.node), Text::Blank { path })
                .help(Remedy::of_field(field));
        }
    }
}

fn is_name(field: &str) -> bool {
    matches!(field, "organization" | "project")
}
