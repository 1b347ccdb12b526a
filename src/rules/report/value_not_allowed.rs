//! `report/value-not-allowed`

use crate::diagnostic::{Severity, in_code};
use crate::report::fit::Problem;
use crate::rules::{Check, Findings, Remedy, ReportContext, Rule};
use crate::suggest;

/// The rule.
pub static RULE: Rule = Rule::error(
    "report/value-not-allowed",
    include_str!("value_not_allowed.md"),
    Check::Report(check),
)
.legacy(Severity::Warning);

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    for violation in cx.violations {
        let path = &violation.path;
        match &violation.problem {
            // The kind has a rule of its own.
            Problem::NotAllowed { .. } if path == "kind" => {}
            Problem::NotAllowed { found, .. }
                if cx.release.version.is_some()
                    && cx.release.is_newer_than_known
                    && can_be_new(violation.field(), found) =>
            {
                out.at(
                    cx.value(violation.node),
                    format!(
                        "`{path}` is `{found}`, which is not known here",
                        path = in_code(&path),
                        found = in_code(&found)
                    ),
                )
                .help("this release is newer than those known here; it may have brought the value")
                .severity = Severity::Info;
            }
            Problem::NotAllowed { found, allowed } => {
                let choices = one_of(allowed);
                let is = if found.is_empty() {
                    "is empty".to_owned()
                } else {
                    format!("is `{found}`", found = in_code(&found))
                };
                let finding = out.at(
                    cx.value(violation.node),
                    format!("`{path}` {is}, expected {choices}", path = in_code(&path)),
                );
                let help = Remedy::of_field(violation.field());
                finding.help(
                    match suggest::nearest(found, allowed.iter().map(String::as_str)) {
                        Some(nearest) => {
                            format!(
                                "did you mean `{nearest}`? {}",
                                capitalized(
                                    &crate::message::Message::from(help.clone()).to_string()
                                ),
                                nearest = in_code(&nearest)
                            )
                        }
                        None => crate::message::Message::from(help).to_string(),
                    },
                );
            }
            Problem::Other { message } => {
                out.at(
                    cx.value(violation.node),
                    format!("`{path}`: {message}", path = in_code(&path)),
                )
                .help(Remedy::of_field(violation.field()));
            }
            _ => {}
        }
    }
}

/// True for what a release may bring: another version of the format, another word for a result.
/// The channel is no such field: the suite itself writes `UNDEFINED`, in every release.
fn can_be_new(field: &str, value: &str) -> bool {
    match field {
        "apiVersion" => value
            .strip_prefix("gateway.networking.k8s.io/")
            .is_some_and(|version| !version.is_empty()),
        "result" => !value.trim().is_empty(),
        _ => false,
    }
}

/// `a`, `b` or `c`.
fn one_of(values: &[String]) -> String {
    let quoted: Vec<String> = values
        .iter()
        .map(|value| format!("`{value}`", value = in_code(&value)))
        .collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}

fn capitalized(sentence: &str) -> String {
    let mut letters = sentence.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}
