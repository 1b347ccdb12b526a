use super::invisible;
use crate::report::formats::is_placeholder;
use crate::rules::{Findings, Remedy, ReportContext, rule};
use gwconform_base::text::message::Message;

rule! {
    "implementation_name.md", ReportContext(check), Text<'a>, invisible::Text, Remedy;
    Empty { field: &'a str } => "{field} is empty",
    Placeholder { field: &'a str, value: &'a str } => "{field}: {value} is a placeholder; expected a name",
    Slash { field: &'a str, value: &'a str } => "{field}: {value} contains a slash, which separates organization and project; expected a name",
    Invisible { field: &'a str, value: &'a str, problem: Message } => "{field}: {value} {problem}",
}

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    for (field, text) in cx.implementation_names() {
        let value = text.value;
        let message = if value.trim().is_empty() {
            Text::Empty { field }
        } else if is_placeholder(value) {
            Text::Placeholder { field, value }
        } else if let Some(problem) = invisible::invisible(value) {
            Text::Invisible {
                field,
                value,
                problem: problem.into(),
            }
        } else if value.contains(['/', '\\']) {
            Text::Slash { field, value }
        } else {
            continue;
        };
        out.at(cx.value(text.node), message)
            .help(Remedy::of_field(field));
    }
}
