use crate::rules::{EntryContext, Findings, rule};
use crate::tree::EntryIssue;
use gwconform_base::text::diagnostic::Anchor;

rule! {
    "misplaced_report.md", EntryContext(check), Text;
    NoSubmission => "the report is outside of a submission; expected a folder `<release>/<organization>-<project>/`",
    MoveToSubmission => "move it to such a folder, next to a README.md that lists it",
    Nested => "the report is in a subfolder of its submission; expected it next to README.md",
    MoveUp => "move it up, next to README.md",
}

fn check(cx: &EntryContext<'_>, out: &mut Findings) {
    let (message, help) = match cx.unexpected.kind {
        EntryIssue::NoSubmission => (Text::NoSubmission, Text::MoveToSubmission),
        EntryIssue::Nested => (Text::Nested, Text::MoveUp),
        _ => return,
    };
    out.at(Anchor::path(cx.path()), message).help(help);
}
