use crate::rules::{Findings, Remedy, YamlContext, rule};
use gwconform_base::text::diagnostic::{Anchor, Subject};
use gwconform_yaml::YamlIssueKind;

rule! {
    "empty.md", YamlContext(check), Text, Remedy;
    File => "the file is empty; expected a report",
    Document => "the document is empty; expected a report",
}

fn check(cx: &YamlContext<'_>, out: &mut Findings) {
    if cx.source.valid_len() < cx.source.text().len() {
        // Reported by text/encoding, because the file is not UTF-8.
        return;
    }
    let documents = &cx.yaml.documents;
    let is_empty = documents.iter().all(|document| document.root.is_none());
    for issue in cx.issues(&[YamlIssueKind::EmptyDocument]) {
        let (anchor, text) = if is_empty {
            (Anchor::path(cx.source.path()), Text::File)
        } else {
            (
                Anchor::new(cx.place(issue.span), Subject::whole()),
                Text::Document,
            )
        };
        out.at(anchor, text)
            .help(Remedy::like("report-output", "<file>"));
    }
}
