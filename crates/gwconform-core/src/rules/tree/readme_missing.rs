use crate::rules::readme::Outline;
use crate::rules::{Findings, SubmissionContext};
use crate::text::diagnostic::Anchor;

rule! {
    "readme_missing.md", Submission(check), Text, Outline;
    Missing => "the submission has no README.md",
}

fn check(cx: &SubmissionContext<'_>, out: &mut Findings) {
    let submission = cx.submission;
    if submission.folder.is_none() || submission.readme.is_some() {
        return;
    }
    out.at(Anchor::path(cx.path), Text::Missing)
        .help(Outline::Write);
}
