use crate::rules::yaml::IssueText;
use crate::rules::{Findings, Remedy, YamlContext, rule};
use gwconform_yaml::YamlIssueKind;

rule! {
    "duplicate_key.md", YamlContext(check), Text, IssueText, Remedy;
    First => "first occurrence",
}

fn check(cx: &YamlContext<'_>, out: &mut Findings) {
    for issue in cx.issues(&[YamlIssueKind::DuplicateKey]) {
        let finding = out.at(cx.issue(issue), &issue.message);
        if let Some(first) = issue.other {
            finding.label(cx.place(first), Text::First);
        }
        finding.help(Remedy::SubmitUnmodified);
    }
}
