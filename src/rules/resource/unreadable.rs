//! `resource/unreadable`: what is not read is not checked

use super::ResourceContext;
use crate::diagnostic::Place;
use crate::resource::File;
use crate::rules::{Check, Findings, Rule};
use crate::yaml::YamlIssueKind;

/// The rule.
pub static RULE: Rule = Rule::error(
    "resource/unreadable",
    include_str!("unreadable.md"),
    Check::Resource(&[], check),
);

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for file in cx.cluster.files {
        of_file(file, out);
    }
}

fn of_file(file: &File<'_>, out: &mut Findings) {
    let source = file.source;
    if source.valid_len() < source.text().len() {
        let span = crate::source::Span::new(source.valid_len(), source.valid_len() + 1);
        out.at(
            Place::span(source, span),
            "this is not UTF-8; nothing after it was read",
        )
        .help("`kubectl get -o yaml` and `-o json` write UTF-8");
    }
    for issue in &file.yaml.issues {
        let help = match issue.kind {
            YamlIssueKind::Syntax | YamlIssueKind::TooDeep => "nothing after it was checked",
            YamlIssueKind::TooManyNodes => {
                "nothing after it was checked: put the resources into several files"
            }
            YamlIssueKind::DuplicateKey => "the API server takes one of the two; remove the other",
            YamlIssueKind::Alias | YamlIssueKind::MergeKey => {
                "write out what it stands for: aliases are not followed here"
            }
            // The rest reads as it stands.
            _ => continue,
        };
        let place = Place::span(source, issue.span);
        let message = if place.is_secret() && !issue.message.is_fixed() {
            without_text(issue.kind).into()
        } else {
            issue.message.clone()
        };
        let finding = out.at(place, message);
        if let Some(other) = issue.other {
            finding.label(Place::span(source, other), "the first one");
        }
        finding.help(help);
    }
}

/// What is wrong where the text may be secret.
fn without_text(kind: YamlIssueKind) -> &'static str {
    match kind {
        YamlIssueKind::DuplicateKey => "a key is here a second time",
        YamlIssueKind::Alias => "aliases are not followed",
        YamlIssueKind::TooDeep => "nested too deep; nothing after this place was read",
        YamlIssueKind::TooManyNodes => "too many values; nothing after this place was read",
        _ => "not valid YAML",
    }
}
