//! `tree/link`

use crate::diagnostic::{Place, in_code};
use crate::rules::{Check, EntryContext, Findings, Rule};
use crate::tree::{EntryIssue, LinkProblem, name_of};

/// The rule.
pub static RULE: Rule = Rule::error("tree/link", include_str!("link.md"), Check::Entry(check));

fn check(cx: &EntryContext<'_>, out: &mut Findings) {
    let EntryIssue::Link { target, problem } = &cx.unexpected.kind else {
        return;
    };
    let name = name_of(&cx.unexpected.path);
    let problem = match problem {
        LinkProblem::Itself => "which leads back to itself",
        LinkProblem::Outside => "which leads out of the reports tree",
        LinkProblem::Nowhere => "which does not exist",
        LinkProblem::OtherMinor => "which is the folder of another minor",
        LinkProblem::NotARelease => "and was not followed",
    };
    let is_beside_releases = cx.unexpected.path.parent() == Some(&cx.tree.root);
    let finding = out.at(
        Place::path(cx.path()),
        format!(
            "`{name}` is a link to `{target}`, {problem}",
            name = in_code(&name),
            target = in_code(&target)
        ),
    );
    finding.help(if is_beside_releases {
        "the only links in a reports tree are names of releases that stand for the folder of their minor, as v1.5.0 for v1.5"
    } else {
        "put the file or folder itself here: a submission is read without following links"
    });
}
