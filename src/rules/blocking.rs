//! The rules whose findings leave no verdict to draw.
//!
//! A verdict is drawn from result, statistics and lists together. Where these contradict each
//! other, where a report has duplicate entries, or where it counts fewer core tests than the suite
//! has, it cannot be the result of a run. The suite does not write such a
//! report; its README asks for reports exactly as the suite has written them.
//!
//! A feature that is supported and unsupported at once (`report/feature-in-both-lists`) is not
//! among them: it contradicts the claim of that feature, not the result of a test.

use super::{Check, Findings, ReportContext, Rule, report, yaml};
use crate::diagnostic::Place;
use crate::facts::Block;
use crate::yaml::YamlIssueKind;

/// The rules, by id.
pub static RULES: [&Rule; 6] = [
    &report::core_tests_missing::RULE,
    &report::lists_contradict_statistics::RULE,
    &report::repeated_profile::RULE,
    &report::result_contradicts_statistics::RULE,
    &report::summary_contradicts_result::RULE,
    &yaml::duplicate_key::RULE,
];

/// Most findings of one rule that are kept of a report; the rest of the report is then blocked as
/// a whole.
const MAX_BLOCKS: usize = 20;

/// What leaves a report or a profile of it without a verdict, whether or not the rules are
/// selected, and whatever the severity of their findings.
pub fn blocks(cx: &ReportContext<'_>) -> Vec<Block> {
    let mut blocks = Vec::new();
    if !cx.report.is_recognizable() {
        return blocks;
    }
    for rule in RULES {
        match rule.check {
            Check::Report(check) if rule.legacy.is_some() || !cx.release.is_legacy() => {
                let mut findings = Findings::new(rule, rule.severity);
                check(cx, &mut findings);
                let (found, cut) = findings.finish();
                let is_too_much = found.len() > MAX_BLOCKS || !cut.is_empty();
                blocks.extend(found.into_iter().take(MAX_BLOCKS).map(|finding| Block {
                    rule: rule.id,
                    profile: profile_at(cx, &finding.place),
                    message: finding.message.to_string(),
                }));
                if is_too_much {
                    blocks.push(all(rule, "more findings of this rule than are kept"));
                }
            }
            Check::Yaml(_) => {
                // A decoder that refuses the second of two equal keys reads nothing of the file.
                let document = cx.yaml.span(cx.root);
                let is_doubled = |issue: &crate::yaml::YamlIssue| {
                    let is_here = (document.start..document.end).contains(&issue.span.start);
                    issue.kind == YamlIssueKind::DuplicateKey && is_here
                };
                let mut issues = cx.yaml.issues.iter();
                let left_out = !cx.yaml.issues_left_out.is_empty();
                if let Some(issue) = issues.find(|issue| is_doubled(issue)) {
                    blocks.push(all(rule, &issue.message.to_string()));
                } else if left_out {
                    blocks.push(all(rule, "the YAML has too many issues to name them all"));
                }
            }
            _ => {}
        }
    }
    blocks
}

fn all(rule: &Rule, message: &str) -> Block {
    Block {
        rule: rule.id,
        message: message.to_owned(),
        profile: None,
    }
}

/// The profile that a finding is in, by its place in the report.
fn profile_at(cx: &ReportContext<'_>, place: &Place) -> Option<usize> {
    let start = place.region.as_ref()?.start;
    cx.report.profiles.iter().position(|profile| {
        let region = cx.node(profile.node).place.region;
        region.is_some_and(|region| region.start <= start && start < region.end)
    })
}
