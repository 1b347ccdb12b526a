use crate::rules::yaml::SyntaxText;
use crate::rules::{Findings, Remedy, YamlContext, rule};
use gwconform_base::text::message::Message;
use gwconform_yaml::{YamlIssueKind, libyaml_reads};

rule! {
    "syntax.md", YamlContext(check), Text, SyntaxText, Remedy;
    Invalid { problem: Message } => "invalid YAML: {problem}",
    ReadByKubernetes { remedy: Message } => "Kubernetes tools accept this file, other YAML readers do not; {remedy}",
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
