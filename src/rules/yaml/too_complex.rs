//! `yaml/too-complex`

use crate::rules::yaml::IssueText;
use crate::rules::{Findings, Remedy, YamlContext};
use gwconform_yaml::YamlIssueKind;

rule!("too_complex.md", Yaml(check), IssueText, Remedy);

fn check(cx: &YamlContext<'_>, out: &mut Findings) {
    for issue in cx.issues(&[YamlIssueKind::TooDeep, YamlIssueKind::TooManyNodes]) {
        out.at(cx.issue(issue), &issue.message)
            .help(Remedy::SubmitUnmodified);
    }
}
