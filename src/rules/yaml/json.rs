//! `yaml/json`

use crate::rules::{Check, Findings, Remedy, Rule, YamlContext};
use crate::text::diagnostic::{Anchor, Subject};
use crate::text::message::texts;

/// The rule.
pub static RULE: Rule = Rule::info("yaml/json", include_str!("json.md"), Check::Yaml(check))
    .texts(&[Text::TEMPLATES, Remedy::TEMPLATES]);

texts! {
    enum Text {
        Json => "the report is written as JSON; expected YAML, as the suite writes it",
    }
}

fn check(cx: &YamlContext<'_>, out: &mut Findings) {
    let roots = cx
        .yaml
        .documents
        .iter()
        .filter_map(|document| document.root);
    for root in roots {
        let mut span = cx.yaml.span(root);
        if cx.source.slice(span).starts_with('{') {
            span.end = span.start + 1;
            out.at(Anchor::new(cx.place(span), Subject::whole()), Text::Json)
                .help(Remedy::SubmitUnmodified);
        }
    }
}
