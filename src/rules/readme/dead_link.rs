//! `readme/dead-link`

use std::collections::BTreeSet;

use crate::message::texts;
use crate::readme::Target;
use crate::rules::{Check, Findings, ReadmeContext, Rule};
use crate::tree::LinkTarget;

/// The rule.
pub static RULE: Rule = Rule::error(
    "readme/dead-link",
    include_str!("dead_link.md"),
    Check::Readme(check),
)
.related(&["readme/row-without-report", "readme/alias-link"])
.texts(&[Text::TEMPLATES]);

texts! {
    enum Text<'a> {
        OutOfTree { target: &'a str } => "{target} points outside the reports tree",
        UseUrl => "link to the https URL of the file; readers of the README may not have what is outside the tree",
        NotFound { target: &'a str } => "{target} does not exist",
        Correct => "correct the link, or add the file to the submission",
        Empty => "the target of the link is empty",
        WriteTarget => "write the target between the parentheses, or remove them and the brackets",
    }
}

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    // Rows that do not link a report are reported by readme/row-without-report.
    let of_rows: BTreeSet<_> = cx
        .listing
        .rows
        .iter()
        .filter(|row| row.file.is_none())
        .filter_map(|row| Some(row.link?.span))
        .collect();
    for (link, link_target) in cx.links().filter(|(link, _)| !of_rows.contains(&link.span)) {
        let target = &link.target;
        let (message, help) = match link_target {
            LinkTarget::OutOfTree => (Text::OutOfTree { target }, Text::UseUrl),
            LinkTarget::Inside { exists: false, .. } => (Text::NotFound { target }, Text::Correct),
            LinkTarget::Elsewhere if link.classify() == Target::Empty => {
                let anchor = cx.about(link.span, format!("link text {}", link.text));
                out.at(anchor, Text::Empty).help(Text::WriteTarget);
                continue;
            }
            LinkTarget::Elsewhere | LinkTarget::Inside { .. } => continue,
        };
        out.at(
            cx.about(link.target_span, format!("link {target}")),
            message,
        )
        .help(help);
    }
}
