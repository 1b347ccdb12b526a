use crate::rules::readme::Outline;
use crate::rules::{Findings, SubmissionContext, rule};
use gwconform_base::files::name_of;
use gwconform_base::text::diagnostic::Anchor;
use gwconform_base::text::message::Message;
use gwconform_base::text::shell::word;

rule! {
    "readme_missing.md", SubmissionContext(check), Text<'a>, Outline;
    Missing => "the submission has no README.md",
    Add { outline: Message, command: &'a str } => "{outline}, or run {command}",
    Misnamed { name: &'a str } => "gwconform does not read {name} as the README of this submission; expected `README.md`",
    Rename => "rename it to `README.md`",
}

fn check(cx: &SubmissionContext<'_>, out: &mut Findings) {
    let submission = cx.submission;
    if submission.folder.is_none() || submission.readme.is_some() {
        return;
    }
    if let Some(misnamed) = &submission.misnamed_readme {
        let name = &name_of(misnamed);
        let anchor = Anchor::path(format!("{}/{name}", cx.path));
        out.at(anchor, Text::Misnamed { name }).help(Text::Rename);
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
