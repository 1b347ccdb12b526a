use crate::rules::{Findings, Remedy, YamlContext, rule};
use gwconform_base::text::diagnostic::{Anchor, Subject};

rule! {
    "json.md", YamlContext(check), Text, Remedy;
    Json => "the report is written as JSON; expected YAML, as the suite writes it",
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
