//! `yaml/control-character`

use crate::rules::yaml::IssueText;
use crate::rules::{Findings, Remedy, YamlContext};
use gwconform_yaml::YamlIssueKind;

rule!("control_character.md", Yaml(check), IssueText, Remedy);

fn check(cx: &YamlContext<'_>, out: &mut Findings) {
    for issue in cx.issues(&[YamlIssueKind::ControlCharacter]) {
        out.at(cx.issue(issue), &issue.message)
            .help(Remedy::SubmitUnmodified);
    }
}
