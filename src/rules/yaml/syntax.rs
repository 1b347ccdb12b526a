//! `yaml/syntax`

use crate::rules::libyaml::libyaml_reads;
use crate::rules::{Check, Findings, Remedy, Rule, YamlContext};
use crate::text::message::{Message, texts};
use gwconform_yaml::{SYNTAX_TEXTS, YamlIssueKind};

/// The rule.
pub static RULE: Rule = Rule::error("yaml/syntax", include_str!("syntax.md"), Check::Yaml(check))
    .texts(&[Text::TEMPLATES, SYNTAX_TEXTS, Remedy::TEMPLATES]);

texts! {
    enum Text {
        Invalid { problem: Message } => "invalid YAML: {problem}",
        ReadByKubernetes { remedy: Message } => "Kubernetes tools accept this file, other YAML readers do not; {remedy}",
    }
}

fn check(cx: &YamlContext<'_>, out: &mut Findings) {
    for issue in cx.issues(&[YamlIssueKind::Syntax]) {
        let problem = Message::from(&issue.message);
        let finding = out.at(cx.issue(issue), Text::Invalid { problem });
        let remedy = Message::from(Remedy::SubmitUnmodified);
        finding.help(if libyaml_reads(cx.source.text()) {
            Text::ReadByKubernetes { remedy }.into()
        } else {
            remedy
        });
    }
}
