//! `yaml/empty`

use crate::diagnostic::Place;
use crate::rules::{Check, Findings, Rule, YamlContext};
use crate::yaml::YamlIssueKind;

/// The rule.
pub static RULE: Rule = Rule::error("yaml/empty", include_str!("empty.md"), Check::Yaml(check));

fn check(cx: &YamlContext<'_>, out: &mut Findings) {
    if cx.source.valid_len() < cx.source.text().len() {
        // What is not UTF-8 was not read; text/encoding says so.
        return;
    }
    let help = "run the suite again with `--report-output` and submit the file that it writes";
    for issue in cx.issues(&[YamlIssueKind::EmptyDocument]) {
        if cx
            .yaml
            .documents
            .iter()
            .all(|document| document.root.is_none())
        {
            let place = Place::path(cx.source.path());
            out.at(place, "the file holds nothing, expected a report")
                .help(help);
            return;
        }
        out.at(
            cx.span(issue.span),
            "this document holds nothing, expected a report",
        )
        .help(help);
    }
}
