use crate::rules::{Findings, Remedy, YamlContext, rule};
use gwconform_base::text::diagnostic::{Anchor, Subject};
use gwconform_yaml::YamlIssueKind;

rule! {
    "several_documents.md", YamlContext(check), Text, Remedy;
    Second => "a second document starts here; expected one report",
    Several { count: usize } => "the file has {count} documents, the second starts here; expected one report",
    Split => "submit each report in a separate file, with its own row in README.md",
}

fn check(cx: &YamlContext<'_>, out: &mut Findings) {
    let documents = cx.yaml.documents.iter();
    let count = documents.filter(|document| document.root.is_some()).count();
    for issue in cx.issues(&[YamlIssueKind::SeveralDocuments]) {
        let anchor = Anchor::new(cx.place(issue.span), Subject::whole());
        if count < 2 {
            out.at(anchor, Text::Second).help(Remedy::SubmitUnmodified);
        } else {
            out.at(anchor, Text::Several { count }).help(Text::Split);
        }
    }
}
