use std::collections::BTreeSet;

use crate::rules::{Findings, ReadmeContext, rule};
use crate::tree::LinkTarget;
use crate::tree::readme::{Link, Target};
use gwconform_base::text::diagnostic::Fix;

rule! {
    "dead_link.md", ReadmeContext(check), Text<'a>;
    OutOfTree { target: &'a str } => "{target} points outside the reports tree",
    UseUrl => "link to the https URL of the file; readers of the README may not have files outside the tree",
    NotFound { target: &'a str } => "{target} does not exist",
    Backslash { target: &'a str } => "{target} has a backslash, which is not a separator on GitHub",
    WriteSlashes { target: &'a str } => "write {target}",
    Correct => "correct the link, or add the file to the submission",
    Empty => "the target of the link is empty",
    WriteTarget => "write the target between the parentheses, or remove them and the brackets",
}

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    // Reported by readme/row-without-report.
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
            LinkTarget::Inside { exists: true, .. } if has_backslash(target) => {
                let slashes = with_slashes(target);
                let anchor = cx.about(link.target_span, format!("link {target}"));
                out.at(anchor, Text::Backslash { target })
                    .help(Text::WriteSlashes { target: &slashes })
                    .fix_with(|| fix(cx, link, &slashes));
                continue;
            }
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

/// True for backslashes, which the loader but not GitHub treats as separators.
fn has_backslash(target: &str) -> bool {
    let path = target.split(['?', '#']).next().unwrap_or_default();
    path.contains('\\') || path.to_ascii_lowercase().contains("%5c")
}

fn with_slashes(target: &str) -> String {
    let end = target.find(['?', '#']).unwrap_or(target.len());
    let (path, rest) = target.split_at(end);
    let path = path
        .replace("%5C", "/")
        .replace("%5c", "/")
        .replace('\\', "/");
    format!("{path}{rest}")
}

fn fix(cx: &ReadmeContext<'_>, link: &Link, target: &str) -> Option<Fix> {
    let is_plain = cx.source.slice(link.target_span) == link.target;
    let fix = || cx.fix(Fix::safe("write slashes"), link.target_span, target);
    is_plain.then(fix)?
}
