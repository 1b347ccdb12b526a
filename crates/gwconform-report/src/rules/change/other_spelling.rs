use crate::rules::tree::{field_that_differs, implementation, name_flags};
use crate::rules::{ChangeContext, Findings, Remedy, rule};

rule! {
    "other_spelling.md", ChangeContext(check), Text<'a>, Remedy;
    Other { name: String, usual: String, revision: &'a str } => "the project is spelled {name}; expected {usual}, as in {revision}",
}

fn check(cx: &ChangeContext<'_>, out: &mut Findings) {
    for (report, known) in cx.of_known() {
        let (Some(name), Some(usual)) = (report.name(), known.reports.last()) else {
            continue;
        };
        if known.spellings.contains(&name) {
            continue;
        }
        let Some(field) = field_that_differs(report, usual) else {
            continue;
        };
        let message = Text::Other {
            name: implementation(report),
            usual: implementation(usual),
            revision: cx.revision,
        };
        let finding = out.at(field, message);
        if let Some(argument) = name_flags(usual) {
            finding.help(Remedy::RerunWith { argument });
        }
    }
}
