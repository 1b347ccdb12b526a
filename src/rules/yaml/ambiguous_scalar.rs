//! `yaml/ambiguous-scalar`

use crate::rules::yaml::IssueText;
use crate::rules::{Findings, Remedy, YamlContext};
use gwconform_yaml::YamlIssueKind;

rule!("ambiguous_scalar.md", Yaml(check), IssueText, Remedy);

fn check(cx: &YamlContext<'_>, out: &mut Findings) {
    for issue in cx.issues(&[YamlIssueKind::AmbiguousScalar]) {
        out.at(cx.issue(issue), &issue.message)
            .help(Remedy::SubmitUnmodified);
    }
}
