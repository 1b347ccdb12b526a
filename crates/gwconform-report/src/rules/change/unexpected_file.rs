use crate::rules::{ChangeContext, Findings, rule};
use gwconform_base::text::diagnostic::Anchor;

rule! {
    "unexpected_file.md", ChangeContext(check), Text;
    NotOfSubmission => "the change touches a file that is not part of a submission",
    Separate => "submit the file as a separate change, unless the reports need it",
}

fn check(cx: &ChangeContext<'_>, out: &mut Findings) {
    if cx.implementations.is_empty() {
        return;
    }
    for path in cx.others {
        out.at(Anchor::path(*path), Text::NotOfSubmission)
            .help(Text::Separate);
    }
}
