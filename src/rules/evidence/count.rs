//! `evidence/count`

use super::EvidenceContext;
use crate::evidence::Difference;
use crate::message::texts;
use crate::rules::{Check, Findings, Remedy, Rule};

/// The rule.
pub static RULE: Rule = Rule::error(
    "evidence/count",
    include_str!("count.md"),
    Check::Evidence(check),
)
.sources(&["suite: func addTestResults", "suite: func compileResults"])
.related(&["report/result-contradicts-statistics", "report/suite-facts"])
.texts(&[Text::TEMPLATES, Remedy::TEMPLATES]);

texts! {
    enum Text<'a> {
        Number { field: &'a str, reported: u64, expected: u64 } => "the report has {reported} under {field}; expected {expected}, which follows from the log",
        ExtendedMissing { expected: u64 } => "`extended` is missing, but the log has {expected} results of extended tests",
        ExtendedEmpty => "the report has extended results, but the log has none",
        Result { expected: &'a str } => "the result does not follow from the log; expected {expected}",
        Summary { expected: &'a str } => "the summary does not follow from the log; expected {expected}",
    }
}

fn check(cx: &EvidenceContext<'_>, out: &mut Findings) {
    for one in &cx.comparison.differences {
        let (node, text) = match one {
            Difference::Number {
                field,
                node,
                reported,
                expected,
            } => {
                let (reported, expected) = (*reported, *expected);
                (
                    *node,
                    Text::Number {
                        field,
                        reported,
                        expected,
                    },
                )
            }
            Difference::Extended { node, expected: 0 } => (*node, Text::ExtendedEmpty),
            Difference::Extended { node, expected } => {
                let expected = *expected;
                // A message that begins with a value is about the text at its place.
                let text = Text::ExtendedMissing { expected };
                out.at(cx.whole().about(cx.claim.yaml.path_to(*node)), text)
                    .help(Remedy::SubmitUnmodified);
                continue;
            }
            Difference::LevelResult { node, expected } => {
                let expected = expected.as_str();
                (*node, Text::Result { expected })
            }
            Difference::Summary { node, expected } => (*node, Text::Summary { expected }),
            _ => continue,
        };
        out.at(cx.node(node), text).help(Remedy::SubmitUnmodified);
    }
}
