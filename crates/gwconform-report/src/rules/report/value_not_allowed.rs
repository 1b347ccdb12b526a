use super::schema;
use crate::report::fit::{self, Problem};
use crate::rules::{Findings, Remedy, ReportContext, rule};
use gwconform_base::api::SUBJECT;
use gwconform_base::text::diagnostic::Severity;
use gwconform_base::text::message::Message;
use gwconform_base::text::suggest;

rule! {
    "value_not_allowed.md", ReportContext(check), Text<'a>, fit::Text, Remedy;
    NotKnown { path: &'a str, found: &'a str } => "{path}: {found} is not a known value",
    Empty { path: &'a str, choices: Message } => "{path} is empty; expected {choices}",
    NotAllowed { path: &'a str, found: &'a str, choices: Message } => "{path} is {found}; expected {choices}",
    Misspelled { path: &'a str, found: &'a str, choices: Message, nearest: &'a str } => "{path} is {found}; expected {choices}; did you mean {nearest}?",
    Other { path: &'a str, problem: Message } => "{path}: {problem}",
    OfNewer => "check again with a newer gwconform; this release is newer than the newest known one and may have added the value",
}

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    for violation in cx.violations {
        let path = violation.path.as_str();
        let anchor = || schema::anchor(cx, violation);
        let remedy = || Remedy::of_field(violation.field());
        match &violation.problem {
            // Reported by report/kind.
            Problem::NotAllowed { .. } if path == "kind" => {}
            Problem::NotAllowed { found, .. }
                if cx.release.is_newer_than_known && can_be_new(violation.field(), found) =>
            {
                let finding = out.at(anchor(), Text::NotKnown { path, found });
                finding.help(Text::OfNewer).keep_verdict().severity = Severity::Info;
            }
            Problem::NotAllowed { found, allowed } => {
                out.at(anchor(), not_allowed(path, found, allowed))
                    .help(remedy());
            }
            Problem::Other { problem } => {
                out.at(
                    anchor(),
                    Text::Other {
                        path,
                        problem: problem.clone(),
                    },
                )
                .help(remedy());
            }
            _ => {}
        }
    }
}

fn not_allowed<'a>(path: &'a str, found: &'a str, allowed: &'a [String]) -> Text<'a> {
    let choices = Message::list(allowed.iter().map(Message::code), ", ", " or ");
    if found.is_empty() {
        return Text::Empty { path, choices };
    }
    match suggest::nearest(found, allowed.iter().map(String::as_str)) {
        Some(nearest) => Text::Misspelled {
            path,
            found,
            choices,
            nearest,
        },
        None => Text::NotAllowed {
            path,
            found,
            choices,
        },
    }
}

/// `UNDEFINED` is excluded, because every suite can write it as the channel.
fn can_be_new(field: &str, value: &str) -> bool {
    match field {
        "apiVersion" => value
            .strip_prefix(SUBJECT.group)
            .and_then(|rest| rest.strip_prefix('/'))
            .is_some_and(|version| !version.is_empty()),
        "result" => !value.trim().is_empty(),
        _ => false,
    }
}
