use crate::rules::readme::Outline;
use crate::rules::{Findings, SubmissionContext};
use crate::text::diagnostic::Anchor;
use crate::text::message::Message;
use crate::text::shell::word;

rule! {
    "readme_missing.md", Submission(check), Text<'a>, Outline;
    Missing => "the submission has no README.md",
    Add { outline: Message, command: &'a str } => "{outline}, or run {command}",
}

fn check(cx: &SubmissionContext<'_>, out: &mut Findings) {
    let submission = cx.submission;
    if submission.folder.is_none() || submission.readme.is_some() {
        return;
    }
    let report = cx.reports.first().and_then(|report| word(&report.path));
    let help = match report.map(|path| format!("gwconform add {path}")) {
        Some(command) => Text::Add {
            outline: Outline::Write.into(),
            command: &command,
        }
        .into(),
        None => Message::from(Outline::Write),
    };
    out.at(Anchor::path(cx.path), Text::Missing).help(help);
}
