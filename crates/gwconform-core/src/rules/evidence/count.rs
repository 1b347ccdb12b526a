use super::EvidenceContext;
use crate::api::Level;
use crate::api::Version;
use crate::evidence::Difference;
use crate::rules::{Findings, Remedy};
use crate::text::node_path::path_to;
use gwconform_yaml::NodeId;

rule! {
    "count.md", Evidence(check), Text<'a>, Remedy;
    NumberMissing { field: &'a str, expected: u64 } => "{field} has no number; expected {expected}, which follows from the log",
    Number { field: &'a str, reported: u64, expected: u64 } => "the report has {reported} under {field}; expected {expected}, which follows from the log",
    ExtendedMissing { expected: u64 } => "`extended` is missing, but the log has {expected} results of extended tests",
    CoreMissing { expected: u64 } => "`core` is missing, but the log has {expected} results of core tests",
    ExtendedEmpty => "the report has extended results, but the log has none",
    ProfileUnknown { profile: &'a str, release: &'a Version } => "{release} has no profile {profile}, so the log cannot prove its results",
    ProfileRepeated { profile: &'a str } => "the profile {profile} is repeated; the suite writes each profile once",
    Repeated { name: &'a str } => "the name {name} is repeated; the suite lists each name once",
    Result { expected: &'a str } => "the result does not follow from the log; expected {expected}",
    Summary { expected: &'a str } => "the summary does not follow from the log; expected {expected}",
}

fn check(cx: &EvidenceContext<'_>, out: &mut Findings) {
    for one in &cx.comparison.differences {
        let Some((node, text)) = text(cx, one) else {
            continue;
        };
        let anchor = match one {
            Difference::Level { expected: 1.., .. } => {
                cx.whole().about(path_to(cx.claim.yaml, node))
            }
            Difference::Number {
                field,
                reported: None,
                ..
            } => cx.node(node).and(field),
            _ => cx.node(node),
        };
        out.at(anchor, text).help(Remedy::SubmitUnmodified);
    }
}

fn text<'a>(cx: &EvidenceContext<'a>, one: &'a Difference) -> Option<(NodeId, Text<'a>)> {
    Some(match one {
        Difference::Number {
            field,
            node,
            reported,
            expected,
        } => {
            let expected = *expected;
            let text = match *reported {
                Some(reported) => Text::Number {
                    field,
                    reported,
                    expected,
                },
                None => Text::NumberMissing { field, expected },
            };
            (*node, text)
        }
        Difference::Level {
            level,
            node,
            expected,
        } => {
            let text = match (level, *expected) {
                (Level::Core, expected) => Text::CoreMissing { expected },
                (Level::Extended, 0) => Text::ExtendedEmpty,
                (Level::Extended, expected) => Text::ExtendedMissing { expected },
            };
            (*node, text)
        }
        Difference::Profile {
            profile,
            node,
            is_repeated,
        } => {
            let release = cx.claim.release.version();
            let text = match is_repeated {
                true => Text::ProfileRepeated { profile },
                false => Text::ProfileUnknown { profile, release },
            };
            (*node, text)
        }
        Difference::Repeated { name, node } => (*node, Text::Repeated { name }),
        Difference::LevelResult { node, expected } => {
            let expected = expected.as_str();
            (*node, Text::Result { expected })
        }
        Difference::Summary { node, expected } => (*node, Text::Summary { expected }),
        _ => return None,
    })
}
