use std::collections::BTreeSet;

use crate::report::facts::ReportFacts;
use crate::report::siblings;
use crate::report::view::Text as Scalar;
use crate::rules::{Findings, ReportContext, rule};
use gwconform_base::text::diagnostic::Diagnostic;
use gwconform_base::text::joined;
use gwconform_base::text::message::{Message, Words};

rule! {
    "other_project.md", ReportContext(check), Text<'a>;
    Other { project: Message } => "gwconform does not check reports of {project}",
    Tree { project: Message } => "gwconform does not check reports of {project}, and the tree contains no other reports",
    Known { name: Words } => "the {name}",
    ByField { field: &'a str } => "the project whose reports have {field}",
    KeepElsewhere => "keep it in the tree of its project; the only versions in reports of Gateway API are `apiVersion` and `gatewayAPIVersion`",
}

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    if let Some(sign) = cx.report.other_project {
        let project = name(sign);
        out.at(cx.node(sign.node), Text::Other { project })
            .help(Text::KeepElsewhere);
    }
}

pub fn name(sign: Scalar<'_>) -> Message {
    if let Some(name) = siblings::by_field(sign.value) {
        return Text::Known { name: Words(name) }.into();
    }
    let names = siblings::by_profile(sign.value).map(|name| format!("the {name}"));
    let names: Vec<String> = names.collect();
    if names.is_empty() {
        Text::ByField { field: sign.value }.into()
    } else {
        Message::of_text(&joined(&names, "or"))
    }
}

/// Keeps one finding of this rule if all reports of the tree belong to other projects, whose trees
/// have another layout. Returns `None` for other trees.
pub fn of_tree(reports: &[ReportFacts], findings: &[Diagnostic]) -> Option<Vec<Diagnostic>> {
    let is_own = |facts: &ReportFacts| facts.is_report && facts.other_project.is_none();
    let projects = reports
        .iter()
        .filter_map(|facts| facts.other_project.as_ref());
    let all: BTreeSet<&String> = projects.collect();
    if all.is_empty() || reports.iter().any(is_own) {
        return None;
    }
    // A profile can belong to several projects. A field of another report names one of them.
    let is_clear = |name: &&&String| {
        !all.iter()
            .any(|other| *other != **name && name.contains(*other))
    };
    let names: Vec<String> = all
        .iter()
        .filter(is_clear)
        .map(|name| (*name).clone())
        .collect();
    let is_first = |finding: &&Diagnostic| finding.rule == RULE.about().id;
    let mut kept: Vec<Diagnostic> = findings.iter().filter(is_first).take(1).cloned().collect();
    for finding in &mut kept {
        let project = Message::of_text(&joined(&names, "and"));
        finding.message = Text::Tree { project }.into();
        finding.help = None;
    }
    let rest = findings
        .iter()
        .filter(|finding| holds_for_all_projects(finding.rule));
    kept.extend(rest.cloned());
    Some(kept)
}

/// False for rules about the layout, the READMEs and the reports of Gateway API. True for rules
/// about files that cannot be read.
fn holds_for_all_projects(rule: &str) -> bool {
    let is_hidden = ["tree/unreadable", "tree/repository", "tree/link"].contains(&rule);
    let group = rule.split('/').next();
    is_hidden || !matches!(group, Some("tree" | "readme" | "report" | "text"))
}
