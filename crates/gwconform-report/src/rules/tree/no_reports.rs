use crate::rules::{Findings, SubmissionContext, rule};
use gwconform_base::text::diagnostic::Anchor;

rule! {
    "no_reports.md", SubmissionContext(check), Text;
    Missing => "the submission has no report",
    Add => "add the file that the suite wrote (`--report-output`), or remove the folder",
}

fn check(cx: &SubmissionContext<'_>, out: &mut Findings) {
    if cx.submission.folder.is_some() && cx.submission.reports.is_empty() {
        out.at(Anchor::path(cx.path), Text::Missing).help(Text::Add);
    }
}
